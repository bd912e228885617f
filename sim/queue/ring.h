/* The near future: one bucket per cycle, as lists of chunks from one pool, so that
 * memory follows the number of pending events and not the length of the ring. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "sim/narrow.h"
#include "sim/queue/cycle.h"
#include "sim/queue/entry.h"
#include "sim/time.h"

enum {
    RING_CHUNK_ENTRIES = 63, /* a chunk is just under 2 KiB */
};

typedef struct RingChunk {
    struct RingChunk *next;
    Entry entries[RING_CHUNK_ENTRIES];
} RingChunk;

/* All chunks but the last are full. */
typedef struct {
    RingChunk *first;
    RingChunk *last;
    Entry *free; /* where the next entry goes, up to ... */
    Entry *end;  /* ... the end of the last chunk; both NULL without one */
} RingBucket;

typedef struct {
    RingBucket *buckets;
    uint64_t *occupied; /* a bit per bucket */
    uint64_t *summary;  /* a bit per word of `occupied` */
    RingChunk *free_chunks;
    guint length; /* cycles, a power of two, at least 64 */
} Ring;

typedef bool (*RingMatchFunc)(gconstpointer data, const Entry *entry);

void ring_init(Ring *self, guint length);
void ring_clear(Ring *self);

/* Appends a chunk to a bucket that has none or whose last one is full. */
void ring_extend(Ring *self, RingBucket *bucket, guint index);

/* First occupied cycle at or after `from`, at most a ring length ahead, or
 * SIM_TIME_NEVER. */
SimTime ring_next(const Ring *self, SimTime from);

/* Whether `func` is true for one of the entries of `when`. */
bool ring_any(const Ring *self, SimTime when, RingMatchFunc func, gconstpointer data);

/* Detaches the bucket of `when`. Its entries are put into `cycle`, oldest first, and
 * stay valid until the bucket is given back to ring_recycle(). */
RingBucket ring_detach(Ring *self, SimTime when, Cycle *cycle);
void ring_recycle(Ring *self, RingBucket bucket);

/* `when` must lie within a ring length of every other entry. */
static inline void ring_push(Ring *self, SimTime when, Entry entry)
{
    guint index = sim_u32(when & (self->length - 1));
    RingBucket *bucket = &self->buckets[index];

    if (G_UNLIKELY(bucket->free == bucket->end)) {
        ring_extend(self, bucket, index);
    }
    *bucket->free++ = entry;
}
