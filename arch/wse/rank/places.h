/* Which PE is where in which rank: up to 64 of a row are one; of a narrow wafer, as
 * many rows as fit. */
#pragma once

#include <stdint.h>

#include <glib.h>

#include "arch/wse/rank/rank.h"

typedef struct {
    guint columns; /* PEs */
    guint rows;
    guint row_bits; /* see WseRank */
    guint width;    /* ranks side by side */
    guint height;   /* rows of a rank */
    guint rank_count;
    uint32_t *places; /* by PE: number of the rank * WSE_RANK_LANES + lane */
} WsePlaces;

void wse_places_init(WsePlaces *self, guint columns, guint rows);
void wse_places_clear(WsePlaces *self);

/* Tells ranks, which are all zeros, where they are and who is beside them. */
void wse_places_link(const WsePlaces *self, WseRank *ranks);
