/* Transfers over the networks of a Wormhole, from the flows of a timeline. */
#pragma once

#include <stdint.h>

#include <glib.h>

#include "sim/time.h"
#include "traces/reading/timeline.h"
#include "traces/writing/npeviz/tiles.h"

typedef struct {
    const char *name; /* of the call */
    guint noc;
    SimTime begin;
    SimTime end; /* time of its last arrival */
    int64_t bytes;
    NpeTile from;   /* source of the data */
    guint first_to; /* index of the first receiver */
    guint to_count;
} NpeTransfer;

typedef struct {
    GArray *transfers; /* by begin */
    GArray *receivers; /* of NpeTile */
} NpeTransfers;

/* Flows that do not lead from core or bank to core or bank are left out. */
void npe_transfers_init(NpeTransfers *self,
                        const TraceTimeline *timeline,
                        const NpeTiles *tiles);
void npe_transfers_clear(NpeTransfers *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(NpeTransfers, npe_transfers_clear)
