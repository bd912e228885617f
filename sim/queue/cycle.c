/* Insertion sort for short cycles, radix sort on the bits that differ for long ones:
 * comparing would cost more than running the events. */
#include "sim/queue/cycle.h"

#include <string.h>

enum {
    SHORT_COUNT = 24,
    DIGIT_BITS = 8,
    WIDE_DIGIT_BITS = 11,
    WIDE_COUNT = 4096, /* from here on fewer passes outweigh a larger histogram */
};

void cycle_clear(Cycle *self)
{
    g_free(self->items);
    g_free(self->scratch);
    *self = (Cycle){0};
}

void cycle_append(Cycle *self, const Entry *entries, gsize count)
{
    if (self->count + count > self->capacity) {
        self->capacity = MAX(self->capacity * 2, MAX(self->count + count, 256));
        self->items = g_renew(CycleItem, self->items, self->capacity);
        self->scratch = g_renew(CycleItem, self->scratch, self->capacity);
    }
    for (gsize i = 0; i < count; i++) {
        self->items[self->count++] =
            (CycleItem){.key = entries[i].key, .entry = &entries[i]};
    }
}

static void insertion_sort(CycleItem *items, gsize count)
{
    for (gsize i = 1; i < count; i++) {
        CycleItem item = items[i];
        gsize hole = i;

        while (hole > 0 && items[hole - 1].key > item.key) {
            items[hole] = items[hole - 1];
            hole--;
        }
        items[hole] = item;
    }
}

static void radix_pass(Cycle *self, guint shift, guint bits)
{
    uint32_t starts[1 << WIDE_DIGIT_BITS];
    const SimKey mask = (UINT64_C(1) << bits) - 1;
    uint32_t sum = 0;
    CycleItem *from = self->items;
    CycleItem *to = self->scratch;

    memset(starts, 0, sizeof starts[0] << bits);
    for (gsize i = 0; i < self->count; i++) {
        starts[(from[i].key >> shift) & mask]++;
    }
    for (gsize digit = 0; digit <= mask; digit++) {
        uint32_t count = starts[digit];

        starts[digit] = sum;
        sum += count;
    }
    for (gsize i = 0; i < self->count; i++) {
        to[starts[(from[i].key >> shift) & mask]++] = from[i];
    }
    self->items = to;
    self->scratch = from;
}

void cycle_sort(Cycle *self)
{
    SimKey differing = 0;
    guint bits = self->count < WIDE_COUNT ? DIGIT_BITS : WIDE_DIGIT_BITS;

    if (self->count <= SHORT_COUNT) {
        insertion_sort(self->items, self->count);
        return;
    }
    g_assert(self->count <= UINT32_MAX);
    for (gsize i = 1; i < self->count; i++) {
        differing |= self->items[i].key ^ self->items[0].key;
    }
    while (differing != 0) {
        guint shift = (guint) __builtin_ctzll(differing);

        radix_pass(self, shift, bits);
        if (shift + bits >= 64) {
            break;
        }
        differing &= UINT64_MAX << (shift + bits);
    }
}
