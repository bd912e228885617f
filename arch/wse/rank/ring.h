/* The rings of the PEs of a rank: how many tokens are in them, and whether one can be
 * taken or put in this cycle. Tokens are plain, so that their number is all there is to
 * know. A plane has a bit of each PE's number. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/wse/rank/planes.h"
#include "sim/narrow.h"

enum {
    WSE_RANK_RINGS = 64,
    WSE_RANK_PLANES = 4,
    WSE_RANK_DEPTH = (1 << WSE_RANK_PLANES) - 1,
    WSE_RANK_FLIGHTS = 3, /* cycles on the way, after the first */
};

/* By place of the ring, in rows as the host's vector units want them. */
typedef struct {
    /* Tokens, with those on their way, and without. */
    uint64_t count[WSE_RANK_PLANES][WSE_RANK_RINGS];
    uint64_t seen[WSE_RANK_PLANES][WSE_RANK_RINGS];

    /* One is seen so many cycles from now, and 1. */
    uint64_t flight[WSE_RANK_FLIGHTS][WSE_RANK_RINGS];

    uint64_t coming[WSE_RANK_RINGS]; /* in this cycle */
    uint64_t going[WSE_RANK_RINGS];  /* likewise */
    uint64_t ready[WSE_RANK_RINGS];  /* at its beginning: one can be taken */
    uint64_t room[WSE_RANK_RINGS];   /* one can be put there */
    uint64_t open[WSE_RANK_RINGS];   /* the same of PEs that are not in step */
    uint64_t trap[WSE_RANK_RINGS];   /* a token that is seen is not usual */
    uint64_t wanted[WSE_RANK_RINGS]; /* a neighbour not in step waits for room */

    /* The same for all PEs, so that these are 0 or all ones. */
    uint64_t full[WSE_RANK_PLANES][WSE_RANK_RINGS];         /* the count */
    uint64_t latency[WSE_RANK_FLIGHTS + 1][WSE_RANK_RINGS]; /* it is so long, and 1 */
    uint8_t keys[WSE_RANK_RINGS];                           /* see fit.h */
    uint8_t depths[WSE_RANK_RINGS];
} WseRankRings;

/* A new ring at that place, without tokens. */
static inline void wse_rings_begin(
    WseRankRings *self, guint place, guint key, guint depth, uint32_t latency)
{
    for (guint i = 0; i < WSE_RANK_PLANES; i++) {
        self->full[i][place] = (depth >> i & 1) != 0 ? UINT64_MAX : 0;
    }
    self->latency[latency - 1][place] = UINT64_MAX;
    self->keys[place] = sim_u8(key);
    self->depths[place] = sim_u8(depth);
}

static inline uint32_t wse_rings_latency(const WseRankRings *self, guint place)
{
    uint32_t latency = 1;

    while (self->latency[latency - 1][place] == 0) {
        latency++;
    }
    return latency;
}

/* The number of one PE. */
static inline guint
wse_rings_get(const uint64_t planes[][WSE_RANK_RINGS], guint place, guint lane)
{
    guint number = 0;

    for (guint i = 0; i < WSE_RANK_PLANES; i++) {
        number |= (wse_planes_have(planes[i][place], lane) ? 1u : 0) << i;
    }
    return number;
}

/* Sets the number of a PE, which is 0; `lane` is its bit. */
static inline void wse_rings_set(uint64_t planes[][WSE_RANK_RINGS],
                                 guint place,
                                 uint64_t lane,
                                 guint number)
{
    for (; number != 0; number &= number - 1) {
        planes[__builtin_ctz(number)][place] |= lane;
    }
}

/* Adds 1 to the numbers of some PEs and takes 1 from those of others. */
static inline void wse_rings_count(uint64_t planes[][WSE_RANK_RINGS],
                                   guint place,
                                   uint64_t up,
                                   uint64_t down)
{
    const uint64_t both = up & down;

    up ^= both;
    down ^= both;
    for (guint i = 0; i < WSE_RANK_PLANES; i++) {
        const uint64_t before = planes[i][place];

        planes[i][place] = before ^ (up | down);
        up &= before;
        down &= ~before;
    }
}

/* Finds what can be done in the next cycle. */
static inline void wse_rings_look(WseRankRings *self, guint place, uint64_t in_step)
{
    uint64_t full = in_step;
    uint64_t ready = 0;

    for (guint i = 0; i < WSE_RANK_PLANES; i++) {
        full &= ~(self->count[i][place] ^ self->full[i][place]);
        ready |= self->seen[i][place];
    }
    self->room[place] = (in_step & ~full) | (self->open[place] & ~in_step);
    self->ready[place] = ready;
}

/* The end of a cycle. Returns the PEs to which tokens are on their way. To `due` come
 * those at which something can be seen in the next one: a token has come, or one has
 * gone and there are more, or somebody might have waited for its room. */
static inline uint64_t
wse_rings_end_cycle(WseRankRings *self, guint place, uint64_t in_step, uint64_t *due)
{
    const uint64_t full = ~self->room[place];
    const uint64_t coming = self->coming[place];
    const uint64_t going = self->going[place];
    const uint64_t arriving =
        self->flight[0][place] | (coming & self->latency[0][place]);
    uint64_t flying = coming & self->latency[WSE_RANK_FLIGHTS][place];

    for (guint i = 0; i + 1 < WSE_RANK_FLIGHTS; i++) {
        self->flight[i][place] =
            self->flight[i + 1][place] | (coming & self->latency[i + 1][place]);
        flying |= self->flight[i][place];
    }
    self->flight[WSE_RANK_FLIGHTS - 1][place] =
        coming & self->latency[WSE_RANK_FLIGHTS][place];
    wse_rings_count(self->count, place, coming, going);
    wse_rings_count(self->seen, place, arriving, going);
    self->coming[place] = 0;
    self->going[place] = 0;
    wse_rings_look(self, place, in_step);
    *due |= arriving | (going & (self->ready[place] | full));
    return flying;
}
