/* A rank: PEs one after the other in a row, or across rows of a narrow wafer, some of
 * which are in step. For those, a bit of a word says whether a token waits, whether
 * there is room, or who issues, so that a cycle of all of them is worked out at once.
 * The state of a PE that is in step is here; that in its block is what it was when it
 * joined. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/wse/pe.h"
#include "arch/wse/rank/fit.h"
#include "arch/wse/rank/ring.h"
#include "arch/wse/rank/worth.h"

enum {
    WSE_RANK_LANES = 64, /* PEs of a rank, at most */
    WSE_RANK_WAYS = 64,  /* of each sort */
    WSE_RANK_DELAYS = 8,
    WSE_RANK_STEP_PLANES = 16,
    WSE_RANK_TIME_PLANES = 32,
    WSE_RANK_NONE = 0xff,
};

/* PEs whose color goes the same way. Rings are places in `rings`. */
typedef struct {
    uint64_t lanes;
    uint8_t slot; /* of the color */
    uint8_t link; /* if it goes over one */
    uint8_t from;
    uint8_t over; /* of this rank, if neighbours are in it; WSE_RANK_NONE: no link */
    uint8_t next; /* of the rank beside it, if some are there */
    uint8_t into; /* WSE_RANK_NONE: not into the CE */
} WseRankHop;

/* PEs whose output queue sends the same color. */
typedef struct {
    uint64_t lanes;
    uint8_t queue;
    uint8_t slot;
    uint8_t from;
    uint8_t to;
} WseRankSend;

/* PEs whose microthread does the same. */
typedef struct {
    uint64_t lanes;
    uint8_t index;
    uint8_t input; /* WSE_RANK_NONE: takes nothing */
    uint8_t output;
    uint8_t cycles;  /* see WseThread */
    uint8_t reissue; /* likewise */
} WseRankThread;

/* Where neighbours over a link are: a PE's is `turn` lanes below, all round. */
typedef struct {
    struct WseRank *beside; /* has those outside; NULL: there are none */
    uint64_t inside;        /* PEs whose neighbour is in the same rank */
    uint64_t outside;       /* in the one beside; where the wafer ends, neither */
    guint turn;
} WseRankLink;

typedef struct WseRank {
    uint64_t in_step;
    uint64_t stepped; /* a microthread has issued since it joined */
    uint64_t trapped; /* what comes next is not usual: it leaves */

    /* In the next cycle something of it is looked at, if in vain; it is from then on
     * that nothing more happens. */
    uint64_t due;

    /* PEs that have left: visits of them only find out again what they wait for. */
    uint64_t extra;

    uint32_t first;   /* number of its first PE */
    bool is_open;     /* PEs may join: enough goes on */
    bool is_awake;    /* something may go on in the next cycle */
    bool is_touched;  /* something may have changed in this cycle */
    bool has_delays;  /* in `busy` or `waits` */
    bool has_changed; /* who is in step, or which others have room */
    bool has_wanted;  /* in `rings` */
    WseWorth worth;
    WseRankLink links[WSE_LINKS];
    guint ring_count;
    guint hop_count;
    guint send_count;
    guint thread_count;
    guint slot_count;            /* of the PE with the most colors */
    uint8_t place[WSE_FIT_KEYS]; /* of rings, by key */

    /* The color or queue that is asked first is at this place or before. */
    uint64_t colors[WSE_COLORS];
    uint64_t queues[WSE_OUTPUT_QUEUES];

    /* So many cycles from now, the issue slot is taken, a microthread cannot issue. */
    uint64_t busy[WSE_RANK_DELAYS];
    uint64_t waits[WSE_THREADS][WSE_RANK_DELAYS];

    uint64_t left[WSE_THREADS][WSE_RANK_STEP_PLANES]; /* its steps before the last */
    uint64_t free[WSE_RANK_TIME_PLANES]; /* the issue slot is, after the last step */
    uint32_t alarms[WSE_RANK_LANES];     /* when a PE leaves, or WSE_NEVER */
    WseRankHop hops[WSE_RANK_WAYS];      /* by slot */
    WseRankSend sends[WSE_RANK_WAYS];
    WseRankThread threads[WSE_RANK_WAYS]; /* by index */
    WseRankRings rings;
} WseRank;

/* The number of a PE. */
static inline uint32_t wse_rank_number(const WseRank *self, guint lane)
{
    return self->first + lane;
}

/* What a cycle has come to. */
typedef struct {
    uint64_t link_wavelets;
    uint64_t afloat; /* modulo 2^64 */
    uint64_t active; /* PEs that did something, one each */
} WseRankCounts;

/* A cycle of the PEs that are in step, as the rings were when it began: what comes and
 * goes in it is noted at the rings. */
void wse_rank_go_on(WseRank *self,
                    uint32_t now,
                    bool is_lowest_color_first,
                    WseRankCounts *counts);

/* Then, and after what others have put there: the end of the cycle. */
void wse_rank_end_cycle(WseRank *self);

/* Finds anew what can be done next, after `has_changed`. */
void wse_rank_look(WseRank *self);
