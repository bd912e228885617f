/* The schedule of visits to PEs: one bucket a cycle for the near future, and a list
 * beyond. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

enum {
    WSE_WHEEL_CYCLES = 8192, /* of the longest */
    WSE_CHUNK_ENTRIES = 124,
};

/* An entry is the number of a PE. Its upper bits may hold the number of the one due bit
 * to visit, if nothing else stores it. */
#define WSE_WHEEL_NUMBER UINT32_C(0x007fffff)
#define WSE_WHEEL_SHIFT  23
#define WSE_WHEEL_BIT    UINT32_C(0x10000000)

static inline uint32_t wse_wheel_entry(uint32_t pe, uint32_t due)
{
    return pe | (uint32_t) __builtin_ctz(due) << WSE_WHEEL_SHIFT | WSE_WHEEL_BIT;
}
static inline uint32_t wse_wheel_due(uint32_t entry)
{
    return (entry & WSE_WHEEL_BIT) ? 1u << ((entry >> WSE_WHEEL_SHIFT) & 31) : 0;
}

/* A bucket is a list of chunks, the most recently filled first. Chunks are reused, so
 * that memory follows the number of waiting entries. */
typedef struct WseChunk {
    struct WseChunk *next;
    uint32_t count;
    uint32_t entries[WSE_CHUNK_ENTRIES];
} WseChunk;

typedef struct {
    uint32_t cycles;    /* a power of two, 64 or more */
    WseChunk **buckets; /* one a cycle */
    uint64_t *filled;   /* bit set: not empty */
    WseChunk *spare;
    GArray *beyond;  /* of WseLater */
    uint32_t sorted; /* when `beyond` was last sorted into buckets */
} WseWheel;

typedef struct {
    uint32_t when;
    uint32_t entry;
} WseLater;

/* With buckets for so many cycles. */
WseWheel *wse_wheel_new(uint32_t cycles);
void wse_wheel_free(WseWheel *self);

/* Adds a chunk to the bucket. */
WseChunk *wse_wheel_grow(WseWheel *self, uint32_t bucket);

void wse_wheel_add_beyond(WseWheel *self, uint32_t now, uint32_t when, uint32_t entry);

/* `when` is after `now`. */
static inline void
wse_wheel_add(WseWheel *self, uint32_t now, uint32_t when, uint32_t entry)
{
    uint32_t at = when & (self->cycles - 1);
    WseChunk *chunk = self->buckets[at];

    if (G_UNLIKELY(when - now >= self->cycles)) {
        wse_wheel_add_beyond(self, now, when, entry);
        return;
    }
    if (chunk == NULL || chunk->count == WSE_CHUNK_ENTRIES) {
        chunk = wse_wheel_grow(self, at);
    }
    chunk->entries[chunk->count++] = entry;
}

/* The bucket of `now`, with all that has come near. */
const WseChunk *wse_wheel_look(WseWheel *self, uint32_t now);

/* Takes all chunks from the bucket of `now`; NULL if it is empty. Give every chunk back
 * with wse_wheel_give(). */
WseChunk *wse_wheel_take(WseWheel *self, uint32_t now);
void wse_wheel_give(WseWheel *self, WseChunk *chunk);

static inline bool wse_wheel_has(const WseWheel *self, uint32_t now)
{
    return self->buckets[now & (self->cycles - 1)] != NULL;
}

/* Whether the bucket of `now` must be taken. */
static inline bool wse_wheel_is_due(const WseWheel *self, uint32_t now)
{
    return wse_wheel_has(self, now) ||
           (self->beyond->len > 0 && now - self->sorted >= self->cycles / 2);
}

/* Cycles from `now` until the next bucket must be taken; 0 if all are empty. The bucket
 * of `now` itself does not count. */
uint32_t wse_wheel_next(const WseWheel *self, uint32_t now);
