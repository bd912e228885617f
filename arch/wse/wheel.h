/* When which PE of a region is to be looked at: one bucket a cycle for the near future.
 * What lies beyond is put into the last bucket, to be put off again. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

enum {
    WSE_WHEEL_CYCLES = 8192,
};

/* Beside the PE's number: all of it is to be looked at. */
#define WSE_WHEEL_ALL UINT32_C(0x80000000)

typedef struct {
    uint32_t *pes;
    uint32_t count;
    uint32_t capacity;
} WseBucket;

typedef struct {
    WseBucket buckets[WSE_WHEEL_CYCLES];
    uint64_t filled[WSE_WHEEL_CYCLES / 64]; /* bit set: not empty */
} WseWheel;

WseWheel *wse_wheel_new(void);
void wse_wheel_free(WseWheel *self);

void wse_bucket_grow(WseBucket *self);

/* `when` is after `now`. */
static inline void
wse_wheel_add(WseWheel *self, uint32_t now, uint32_t when, uint32_t pe)
{
    uint32_t ahead = when - now;
    uint32_t at = (now + MIN(ahead, WSE_WHEEL_CYCLES - 1)) % WSE_WHEEL_CYCLES;
    WseBucket *bucket = &self->buckets[at];

    if (bucket->count == bucket->capacity) {
        wse_bucket_grow(bucket);
    }
    bucket->pes[bucket->count++] = pe;
    self->filled[at / 64] |= UINT64_C(1) << (at % 64);
}

/* The bucket of `now`; empty it with wse_wheel_clear(). */
static inline WseBucket *wse_wheel_at(WseWheel *self, uint32_t now)
{
    return &self->buckets[now % WSE_WHEEL_CYCLES];
}
static inline void wse_wheel_clear(WseWheel *self, uint32_t now)
{
    uint32_t at = now % WSE_WHEEL_CYCLES;

    self->buckets[at].count = 0;
    self->filled[at / 64] &= ~(UINT64_C(1) << (at % 64));
}

/* Cycles from `now` until the next bucket that is not empty, 0 when all are; that of
 * `now` itself is not looked at. */
uint32_t wse_wheel_next(const WseWheel *self, uint32_t now);
