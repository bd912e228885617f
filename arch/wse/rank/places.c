/* Puts PEs into ranks. */
#include "arch/wse/rank/places.h"

/* Where PE `x` of row `y` is. */
static uint32_t place_of(const WsePlaces *self, guint x, guint y)
{
    if (self->columns < WSE_RANK_LANES) {
        return y * self->columns + x;
    }
    const guint width = (self->columns + WSE_RANK_LANES - 1) / WSE_RANK_LANES;

    return y * width * WSE_RANK_LANES + x;
}

void wse_places_init(WsePlaces *self, guint columns, guint rows)
{
    *self = (WsePlaces){.columns = columns, .rows = rows};
    self->rank_count = place_of(self, columns - 1, rows - 1) / WSE_RANK_LANES + 1;
    self->places = g_new(uint32_t, (gsize) columns * rows);
    for (guint y = 0; y < rows; y++) {
        for (guint x = 0; x < columns; x++) {
            self->places[y * columns + x] = place_of(self, x, y);
        }
    }
}

void wse_places_clear(WsePlaces *self)
{
    g_clear_pointer(&self->places, g_free);
}

/* The PE at one place has that at the other one for a neighbour. */
static void link_places(WseRank *ranks, guint link, uint32_t place, uint32_t other)
{
    WseRankLink *way = &ranks[place / WSE_RANK_LANES].links[link];
    const uint64_t lane = UINT64_C(1) << place % WSE_RANK_LANES;

    way->turn = (place - other) % WSE_RANK_LANES;
    if (place / WSE_RANK_LANES == other / WSE_RANK_LANES) {
        way->inside |= lane;
    } else {
        way->outside |= lane;
        way->beside = &ranks[other / WSE_RANK_LANES];
    }
}

void wse_places_link(const WsePlaces *self, WseRank *ranks)
{
    for (guint y = 0; y < self->rows; y++) {
        for (guint x = 0; x < self->columns; x++) {
            const uint32_t *place = &self->places[y * self->columns + x];

            if (*place % WSE_RANK_LANES == 0) {
                ranks[*place / WSE_RANK_LANES].first = y * self->columns + x;
            }
            if (x > 0) {
                link_places(ranks, ARCH_WSE_WEST, *place, place[-1]);
                link_places(ranks, ARCH_WSE_EAST, place[-1], *place);
            }
            if (y > 0) {
                const uint32_t *above = place - self->columns;

                link_places(ranks, ARCH_WSE_NORTH, *place, *above);
                link_places(ranks, ARCH_WSE_SOUTH, *above, *place);
            }
        }
    }
}
