/* Keeps the PEs to visit in a ring of buckets. */
#include "arch/wse/wheel.h"

enum {
    WORDS = WSE_WHEEL_CYCLES / 64,
    SORTED_EVERY = WSE_WHEEL_CYCLES / 2,
};

WseWheel *wse_wheel_new(void)
{
    WseWheel *self = g_new0(WseWheel, 1);

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
        for (guint i = 0; i < WSE_WHEEL_CYCLES; i++) {
            free_chunks(self->buckets[i]);
        }
        free_chunks(self->spare);
        g_array_unref(self->beyond);
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

        if (later.when - now < WSE_WHEEL_CYCLES) {
            wse_wheel_add(self, now, later.when, later.entry);
        } else {
            g_array_index(self->beyond, WseLater, kept++) = later;
        }
    }
    g_array_set_size(self->beyond, kept);
    self->sorted = now;
}

WseChunk *wse_wheel_take(WseWheel *self, uint32_t now)
{
    if (self->beyond->len > 0 && now - self->sorted >= SORTED_EVERY) {
        sort_beyond(self, now);
    }
    uint32_t at = now % WSE_WHEEL_CYCLES;
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
    uint32_t start = (now + 1) % WSE_WHEEL_CYCLES;
    uint64_t word = self->filled[start / 64] & (UINT64_MAX << (start % 64));

    for (guint i = 0; i <= WORDS; i++) {
        guint index = (start / 64 + i) % WORDS;

        if (i > 0) {
            word = self->filled[index];
        }
        if (word != 0) {
            uint32_t at = index * 64 + (uint32_t) __builtin_ctzll(word);

            return (at - now + WSE_WHEEL_CYCLES) % WSE_WHEEL_CYCLES;
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
    uint32_t sorting = self->sorted + SORTED_EVERY - now;

    return filled == 0 ? sorting : MIN(filled, sorting);
}
