/* Keeps the PEs to visit in a ring of buckets. */
#include "arch/wse/wheel.h"

enum {
    WORD = 64, /* bits */
};

WseWheel *wse_wheel_new(uint32_t cycles)
{
    WseWheel *self = g_new0(WseWheel, 1);

    self->cycles = cycles;
    self->buckets = g_new0(WseChunk *, cycles);
    self->filled = g_new0(uint64_t, cycles / WORD);
    self->beyond = g_array_new(FALSE, FALSE, sizeof(WseLater));
    return self;
}

static void free_chunks(WseChunk *chunk)
{
    while (chunk != NULL) {
        WseChunk *next = chunk->next;

        g_free(chunk);
        chunk = next;
    }
}

void wse_wheel_free(WseWheel *self)
{
    if (self != NULL) {
        for (guint i = 0; i < self->cycles; i++) {
            free_chunks(self->buckets[i]);
        }
        free_chunks(self->spare);
        g_array_unref(self->beyond);
        g_free(self->filled);
        g_free(self->buckets);
        g_free(self);
    }
}

WseChunk *wse_wheel_grow(WseWheel *self, uint32_t bucket)
{
    WseChunk *chunk = self->spare;

    if (chunk == NULL) {
        chunk = g_new(WseChunk, 1);
    } else {
        self->spare = chunk->next;
    }
    chunk->count = 0;
    chunk->next = self->buckets[bucket];
    self->buckets[bucket] = chunk;
    self->filled[bucket / 64] |= UINT64_C(1) << (bucket % 64);
    return chunk;
}

void wse_wheel_add_beyond(WseWheel *self, uint32_t now, uint32_t when, uint32_t entry)
{
    WseLater later = {.when = when, .entry = entry};

    if (self->beyond->len == 0) {
        self->sorted = now;
    }
    g_array_append_val(self->beyond, later);
}

/* What has come near gets into its bucket. */
static void sort_beyond(WseWheel *self, uint32_t now)
{
    guint kept = 0;

    for (guint i = 0; i < self->beyond->len; i++) {
        WseLater later = g_array_index(self->beyond, WseLater, i);

        if (later.when - now < self->cycles) {
            wse_wheel_add(self, now, later.when, later.entry);
        } else {
            g_array_index(self->beyond, WseLater, kept++) = later;
        }
    }
    g_array_set_size(self->beyond, kept);
    self->sorted = now;
}

const WseChunk *wse_wheel_look(WseWheel *self, uint32_t now)
{
    if (self->beyond->len > 0 && now - self->sorted >= self->cycles / 2) {
        sort_beyond(self, now);
    }
    return self->buckets[now & (self->cycles - 1)];
}

WseChunk *wse_wheel_take(WseWheel *self, uint32_t now)
{
    (void) wse_wheel_look(self, now);
    uint32_t at = now & (self->cycles - 1);
    WseChunk *chunk = self->buckets[at];

    self->buckets[at] = NULL;
    self->filled[at / 64] &= ~(UINT64_C(1) << (at % 64));
    return chunk;
}

void wse_wheel_give(WseWheel *self, WseChunk *chunk)
{
    chunk->next = self->spare;
    self->spare = chunk;
}

static uint32_t next_filled(const WseWheel *self, uint32_t now)
{
    const uint32_t words = self->cycles / WORD;
    uint32_t start = (now + 1) & (self->cycles - 1);
    uint64_t word = self->filled[start / 64] & (UINT64_MAX << (start % 64));

    for (guint i = 0; i <= words; i++) {
        guint index = (start / 64 + i) % words;

        if (i > 0) {
            word = self->filled[index];
        }
        if (word != 0) {
            uint32_t at = index * 64 + (uint32_t) __builtin_ctzll(word);

            return (at - now) & (self->cycles - 1);
        }
    }
    return 0;
}

uint32_t wse_wheel_next(const WseWheel *self, uint32_t now)
{
    uint32_t filled = next_filled(self, now);

    if (self->beyond->len == 0) {
        return filled;
    }
    uint32_t sorting = self->sorted + self->cycles / 2 - now;

    return filled == 0 ? sorting : MIN(filled, sorting);
}
