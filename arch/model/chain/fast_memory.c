/* A fast memory that counts what moves. */
#include "arch/model/chain/fast_memory.h"

#include <string.h>

struct ChainFastMemory {
    double *words;
    gsize capacity;
    gsize used;
    ChainTraffic traffic;
};

ChainFastMemory *chain_fast_memory_new(uint64_t capacity)
{
    ChainFastMemory *self = g_new0(ChainFastMemory, 1);

    self->capacity = capacity;
    self->words = g_new(double, capacity);
    return self;
}

void chain_fast_memory_free(ChainFastMemory *self)
{
    if (self != NULL) {
        g_free(self->words);
        g_free(self);
    }
}

double *chain_fast_memory_take(ChainFastMemory *self, gsize count)
{
    double *words = self->words + self->used;

    g_assert_cmpuint(count, <=, self->capacity - self->used);
    memset(words, 0, count * sizeof(*words));
    self->used += count;
    self->traffic.peak = MAX(self->traffic.peak, self->used);
    return words;
}

void chain_fast_memory_give_back(ChainFastMemory *self, gsize count)
{
    g_assert_cmpuint(count, <=, self->used);
    self->used -= count;
}

/* Only what was taken may hold numbers. */
static void check_taken(const ChainFastMemory *self, const double *words, gsize count)
{
    g_assert_true(words >= self->words && words + count <= self->words + self->used);
}

void chain_fast_memory_load(ChainFastMemory *self, const ChainLine *from, double *to)
{
    check_taken(self, to, from->count);
    for (gsize i = 0; i < from->count; i++) {
        to[i] = from->numbers[i * from->stride];
    }
    self->traffic.loaded += from->count;
}

void chain_fast_memory_store(ChainFastMemory *self,
                             const double *from,
                             const ChainLine *to)
{
    check_taken(self, from, to->count);
    for (gsize i = 0; i < to->count; i++) {
        to->numbers[i * to->stride] = from[i];
    }
    self->traffic.stored += to->count;
}

ChainTraffic chain_fast_memory_traffic(const ChainFastMemory *self)
{
    return self->traffic;
}
