/* Which blocks of places a column or row counts for, which may stand for others. */
#pragma once

#include <glib.h>

#include "sim/lane.h"

/* A block of an axis, and how many of its lines it is about. */
typedef struct {
    guint block;
    guint lines;
} LaneShare;

typedef struct {
    guint *starts; /* by line, and one more: where its shares begin */
    GArray *shares;
} LaneSpread;

/* Of so many lines; blocks have 1 << edge_bits of them. */
LaneSpread *lane_spread_new(guint lines, guint edge_bits, SimLaneFolds folds);
void lane_spread_free(LaneSpread *self);

/* The shares of a line: from this one up to that of the next line. */
static inline const LaneShare *lane_spread_at(const LaneSpread *self, guint line)
{
    return (const LaneShare *) (gconstpointer) self->shares->data + self->starts[line];
}
