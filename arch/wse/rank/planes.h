/* Numbers of the PEs of a rank: each plane is a word with a bit of all of them, those
 * of worth 1 in the first one. A PE is a lane of these words. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

static inline bool wse_planes_have(uint64_t plane, guint lane)
{
    return (plane >> lane & 1) != 0;
}

/* The plane turned round, so that each bit is so many lanes further up, 0 to 63. */
static inline uint64_t wse_planes_turn(uint64_t plane, guint lanes)
{
    return plane << lanes | plane >> (-lanes % 64);
}

/* The number of a PE. */
static inline uint32_t
wse_planes_number(const uint64_t planes[], guint count, guint lane)
{
    uint32_t number = 0;

    for (guint i = 0; i < count; i++) {
        number |= (wse_planes_have(planes[i], lane) ? UINT32_C(1) : 0) << i;
    }
    return number;
}

/* Sets that of these PEs. */
static inline void
wse_planes_set(uint64_t planes[], guint count, uint64_t lanes, uint32_t number)
{
    for (guint i = 0; i < count; i++) {
        const uint64_t all = 0 - (uint64_t) (number >> i & 1);

        planes[i] = (planes[i] & ~lanes) | (all & lanes);
    }
}

/* Takes 1 from the numbers of these PEs; returns those whose number is now 0. */
static inline uint64_t
wse_planes_count_down(uint64_t planes[], guint count, uint64_t lanes)
{
    uint64_t borrow = lanes;

    for (guint i = 0; borrow != 0 && i < count; i++) {
        planes[i] ^= borrow;
        borrow &= planes[i];
    }
    for (guint i = 0; lanes != 0 && i < count; i++) {
        lanes &= ~planes[i];
    }
    return lanes;
}

/* Each plane says of which PEs the place is its own one or before; of these it is
 * `place` from now on, which may be behind the last. */
static inline void
wse_planes_put(uint64_t planes[], guint count, uint64_t lanes, guint place)
{
    for (guint i = 0; i < count; i++) {
        planes[i] = i >= place ? planes[i] | lanes : planes[i] & ~lanes;
    }
}

static inline guint wse_planes_place(const uint64_t planes[], guint count, guint lane)
{
    guint place = 0;

    while (place < count && !wse_planes_have(planes[place], lane)) {
        place++;
    }
    return place;
}
