/* When which PE of a region is to be looked at: one bucket a cycle for the near future.
 * What lies beyond is put into the last bucket, to be put off again. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

enum {
    WSE_WHEEL_CYCLES = 8192,
    WSE_CHUNK_ENTRIES = 60,
};

/* Beside the PE's number: its whole router, or its CE, is to be looked at. */
#define WSE_WHEEL_ROUTER UINT32_C(0x40000000)
#define WSE_WHEEL_CE     UINT32_C(0x80000000)
#define WSE_WHEEL_NUMBER UINT32_C(0x3fffffff)

/* A bucket is a list of chunks, the last filled one first; they are used again, so that
 * there is memory for what waits now and no more. */
typedef struct WseChunk {
    struct WseChunk *next;
    uint32_t count;
    uint32_t entries[WSE_CHUNK_ENTRIES];
} WseChunk;

typedef struct {
    WseChunk *buckets[WSE_WHEEL_CYCLES];
    uint64_t filled[WSE_WHEEL_CYCLES / 64]; /* bit set: not empty */
    WseChunk *spare;
} WseWheel;

WseWheel *wse_wheel_new(void);
void wse_wheel_free(WseWheel *self);

/* The bucket gets room for more. */
WseChunk *wse_wheel_grow(WseWheel *self, uint32_t bucket);

/* `when` is after `now`. */
static inline void
wse_wheel_add(WseWheel *self, uint32_t now, uint32_t when, uint32_t entry)
{
    uint32_t ahead = when - now;
    uint32_t at = (now + MIN(ahead, WSE_WHEEL_CYCLES - 1)) % WSE_WHEEL_CYCLES;
    WseChunk *chunk = self->buckets[at];

    if (chunk == NULL || chunk->count == WSE_CHUNK_ENTRIES) {
        chunk = wse_wheel_grow(self, at);
    }
    chunk->entries[chunk->count++] = entry;
}

/* Takes the bucket of `now`, which is then empty; NULL where it is. Give every chunk
 * back with wse_wheel_give(). */
WseChunk *wse_wheel_take(WseWheel *self, uint32_t now);
void wse_wheel_give(WseWheel *self, WseChunk *chunk);

static inline bool wse_wheel_has(const WseWheel *self, uint32_t now)
{
    return self->buckets[now % WSE_WHEEL_CYCLES] != NULL;
}

/* Cycles from `now` until the next bucket that is not empty, 0 when all are; that of
 * `now` itself is not looked at. */
uint32_t wse_wheel_next(const WseWheel *self, uint32_t now);
