/* What a PE that joins a rank does there: it is added to those that do the same. */
#pragma once

#include <stdbool.h>

#include "arch/wse/rank/rank.h"

/* The ways of one PE. */
typedef struct {
    WseRankHop hops[WSE_COLORS];
    WseRankSend sends[WSE_OUTPUT_QUEUES];
    WseRankThread threads[WSE_THREADS];
    guint hop_count;
    guint send_count;
    guint thread_count;
} WseWays;

/* Whether the rank has room for the ways of another PE. */
bool wse_ways_have_room(WseRank *rank, const WseWays *ways);

/* Adds the PE of this bit to the rank's ways. */
void wse_ways_add(WseRank *rank, const WseWays *ways, uint64_t lane);
