/* Self-check of a wafer: every wavelet sent is taken, dropped, or still there. */
#include "arch/wse/folding.h"
#include "arch/wse/region.h"

enum {
    MOST_LINES = 8,
};

static uint64_t wavelets_in(const WseRing *ring, WseToken *slots)
{
    uint64_t sum = 0;

    for (guint i = 0; i < ring->count; i++) {
        sum += wse_ring_at(ring, slots, i)->count;
    }
    return sum;
}

static uint64_t
wavelets_at(const WseRegion *self, uint32_t number, GPtrArray *lines, guint most)
{
    const WseBlock *parts = &self->fabric->block;
    WsePe *pe = wse_region_pe(self, number);
    const WseRing *rings = wse_pe_rings(pe, parts);
    const guint count = wse_region_kind(self, pe)->ring_count;
    uint64_t sum = 0;

    for (guint i = 0; i < count; i++) {
        if (rings[i].count > rings[i].depth && lines->len < most) {
            g_ptr_array_add(lines, g_strdup_printf("pe[%u,%u]: ring %u of %u slots has "
                                                   "%u tokens",
                                                   wse_region_x(self, number),
                                                   wse_region_y(self, number), i,
                                                   rings[i].depth, rings[i].count));
        } else {
            sum += wavelets_in(&rings[i], wse_pe_slots(pe, parts));
        }
    }
    return sum;
}

void wse_check(const WseFabric *fabric, GPtrArray *lines)
{
    const guint most = lines->len + MOST_LINES;
    uint64_t there = 0;
    uint64_t afloat = 0;

    for (uint32_t number = 0; number < fabric->pe_count; number++) {
        wse_fabric_show(fabric, number);
        there += wse_folding_weight(fabric, number) *
                 wavelets_at(&fabric->regions[0], number, lines, most);
    }
    for (guint i = 0; i < fabric->region_count; i++) {
        afloat += fabric->regions[i].afloat;
    }
    if (there != afloat && lines->len < most) {
        g_ptr_array_add(lines,
                        g_strdup_printf("pe[0,0] to pe[%u,%u]: %" G_GUINT64_FORMAT
                                        " wavelets are there, not %" G_GUINT64_FORMAT,
                                        fabric->layout->columns - 1,
                                        fabric->layout->rows - 1, there, afloat));
    }
}
