/* The bucket ring: chunk lists, and two levels of bits to skip empty cycles. */
#include "sim/queue/ring.h"

#include "sim/narrow.h"

static guint word_count(const Ring *self)
{
    return self->length / 64;
}

static guint summary_count(const Ring *self)
{
    return (word_count(self) + 63) / 64;
}

static void free_list(RingChunk *chunk)
{
    while (chunk != NULL) {
        RingChunk *next = chunk->next;

        g_free(chunk);
        chunk = next;
    }
}

void ring_init(Ring *self, guint length)
{
    *self = (Ring){.length = length};
    self->buckets = g_new0(RingBucket, length);
    self->occupied = g_new0(uint64_t, word_count(self));
    self->summary = g_new0(uint64_t, summary_count(self));
}

void ring_clear(Ring *self)
{
    for (guint i = 0; i < self->length; i++) {
        free_list(self->buckets[i].first);
    }
    free_list(self->free_chunks);
    g_free(self->buckets);
    g_free(self->occupied);
    g_free(self->summary);
    *self = (Ring){0};
}

void ring_extend(Ring *self, RingBucket *bucket, guint index)
{
    RingChunk *chunk = self->free_chunks;

    if (chunk != NULL) {
        self->free_chunks = chunk->next;
    } else {
        chunk = g_new(RingChunk, 1);
    }
    chunk->next = NULL;
    if (bucket->last != NULL) {
        bucket->last->next = chunk;
    } else {
        bucket->first = chunk;
        self->occupied[index / 64] |= UINT64_C(1) << (index % 64);
        self->summary[index / 4096] |= UINT64_C(1) << (index / 64 % 64);
    }
    bucket->last = chunk;
    bucket->free = chunk->entries;
    bucket->end = chunk->entries + RING_CHUNK_ENTRIES;
}

/* The first set bit at or after `from` within words[0, count), or -1. */
static int64_t next_bit(const uint64_t *words, guint count, guint from)
{
    guint word = from / 64;

    if (word >= count) {
        return -1;
    }
    uint64_t bits = words[word] & (UINT64_MAX << (from % 64));

    while (bits == 0) {
        if (++word == count) {
            return -1;
        }
        bits = words[word];
    }
    return (int64_t) word * 64 + __builtin_ctzll(bits);
}

/* The first occupied bucket at or after `from`, not wrapping, or -1. */
static int64_t next_bucket(const Ring *self, guint from)
{
    guint word = from / 64;
    uint64_t bits = self->occupied[word] & (UINT64_MAX << (from % 64));

    if (bits == 0) {
        int64_t next = next_bit(self->summary, summary_count(self), word + 1);

        if (next < 0) {
            return -1;
        }
        word = sim_u32(next);
        bits = self->occupied[word];
    }
    return (int64_t) word * 64 + __builtin_ctzll(bits);
}

SimTime ring_next(const Ring *self, SimTime from)
{
    guint start = sim_u32(from & (self->length - 1));
    int64_t index = next_bucket(self, start);

    if (index >= 0) {
        return from + ((SimTime) index - start);
    }
    index = next_bucket(self, 0);
    return index >= 0 ? from + (self->length - start) + (SimTime) index
                      : SIM_TIME_NEVER;
}

static gsize entry_count(const RingBucket *bucket, const RingChunk *chunk)
{
    return chunk == bucket->last ? (gsize) (bucket->free - chunk->entries)
                                 : RING_CHUNK_ENTRIES;
}

bool ring_any(const Ring *self, SimTime when, RingMatchFunc func, gconstpointer data)
{
    const RingBucket *bucket = &self->buckets[sim_u32(when & (self->length - 1))];

    for (const RingChunk *chunk = bucket->first; chunk != NULL; chunk = chunk->next) {
        const gsize count = entry_count(bucket, chunk);

        for (gsize i = 0; i < count; i++) {
            if (func(data, &chunk->entries[i])) {
                return true;
            }
        }
    }
    return false;
}

RingBucket ring_detach(Ring *self, SimTime when, Cycle *cycle)
{
    guint index = sim_u32(when & (self->length - 1));
    RingBucket bucket = self->buckets[index];

    for (const RingChunk *chunk = bucket.first; chunk != NULL; chunk = chunk->next) {
        cycle_append(cycle, chunk->entries, entry_count(&bucket, chunk));
    }
    self->buckets[index] = (RingBucket){0};
    self->occupied[index / 64] &= ~(UINT64_C(1) << (index % 64));
    if (self->occupied[index / 64] == 0) {
        self->summary[index / 4096] &= ~(UINT64_C(1) << (index / 64 % 64));
    }
    return bucket;
}

void ring_recycle(Ring *self, RingBucket bucket)
{
    if (bucket.first != NULL) {
        bucket.last->next = self->free_chunks;
        self->free_chunks = bucket.first;
    }
}
