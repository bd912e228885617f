/* Puts PEs into ranks. */
#include "arch/wse/rank/places.h"

#include "sim/narrow.h"

enum {
    LEAST_BITS = 3, /* rows of 8 lanes */
};

/* So that a row of the wafer is in one rank, if that can be. */
static guint row_bits_of(guint columns)
{
    guint bits = LEAST_BITS;

    while (1u << bits < WSE_RANK_LANES && 1u << bits < columns) {
        bits++;
    }
    return bits;
}

void wse_places_init(WsePlaces *self, guint columns, guint rows)
{
    const guint bits = row_bits_of(columns);
    const guint width = 1u << bits;

    *self = (WsePlaces){.columns = columns, .rows = rows, .row_bits = bits};
    self->width = (columns + width - 1) / width;
    self->height = WSE_RANK_LANES / width;
    self->rank_count = self->width * ((rows + self->height - 1) / self->height);
    self->places = g_new(uint32_t, (gsize) columns * rows);
    for (guint y = 0; y < rows; y++) {
        for (guint x = 0; x < columns; x++) {
            const guint rank = y / self->height * self->width + x / width;
            const guint lane = y % self->height * width + x % width;

            self->places[y * columns + x] = rank * WSE_RANK_LANES + lane;
        }
    }
}

void wse_places_clear(WsePlaces *self)
{
    g_clear_pointer(&self->places, g_free);
}

static void link_lanes(WseRankLink *links, guint width)
{
    links[ARCH_WSE_WEST].turn = 1;
    links[ARCH_WSE_EAST].turn = WSE_RANK_LANES - 1;
    links[ARCH_WSE_NORTH].turn = width % WSE_RANK_LANES;
    links[ARCH_WSE_SOUTH].turn = WSE_RANK_LANES - width;
    for (guint lane = 0; lane < WSE_RANK_LANES; lane++) {
        const uint64_t bit = UINT64_C(1) << lane;

        links[ARCH_WSE_WEST].inside |= lane % width > 0 ? bit : 0;
        links[ARCH_WSE_EAST].inside |= (lane + 1) % width > 0 ? bit : 0;
        links[ARCH_WSE_NORTH].inside |= lane >= width ? bit : 0;
        links[ARCH_WSE_SOUTH].inside |= lane + width < WSE_RANK_LANES ? bit : 0;
    }
}

void wse_places_link(const WsePlaces *self, WseRank *ranks)
{
    for (guint i = 0; i < self->rank_count; i++) {
        WseRank *rank = &ranks[i];
        const guint x = i % self->width;
        const guint y = i / self->width;

        rank->first = y * self->height * self->columns + x * WSE_RANK_LANES;
        rank->stride = self->columns;
        rank->row_bits = sim_u8(self->row_bits);
        link_lanes(rank->links, 1u << self->row_bits);
        rank->links[ARCH_WSE_WEST].beside = x > 0 ? rank - 1 : NULL;
        rank->links[ARCH_WSE_EAST].beside = x + 1 < self->width ? rank + 1 : NULL;
        rank->links[ARCH_WSE_NORTH].beside = y > 0 ? rank - self->width : NULL;
        rank->links[ARCH_WSE_SOUTH].beside =
            (y + 1) * self->height < self->rows ? rank + self->width : NULL;
    }
}
