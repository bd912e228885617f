/* Which PE is where in which rank: up to 64 of a row are one; in a narrow wafer, 64 one
 * after the other, wherever rows end. */
#pragma once

#include <stdint.h>

#include <glib.h>

#include "arch/wse/rank/rank.h"

typedef struct {
    guint columns; /* PEs */
    guint rows;
    guint rank_count;
    uint32_t *places; /* by PE: number of the rank * WSE_RANK_LANES + lane */
} WsePlaces;

void wse_places_init(WsePlaces *self, guint columns, guint rows);
void wse_places_clear(WsePlaces *self);

/* Tells ranks, which are all zeros, where they are and who is beside them. */
void wse_places_link(const WsePlaces *self, WseRank *ranks);
