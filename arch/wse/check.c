/* Self-check of a wafer: every wavelet sent is taken, dropped, or still there. */
#include "arch/wse/fabric.h"
#include "arch/wse/region.h"

enum {
    MOST_LINES = 8,
};

static uint64_t wavelets_in(const WseRing *ring, const WseToken *slots)
{
    uint64_t sum = 0;

    for (guint i = 0; i < ring->count; i++) {
        const guint at = ring->read + i;

        sum += slots[ring->base + (at >= ring->depth ? at - ring->depth : at)].count;
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

void wse_check(const WseFabric *fabric, bool is_over, GPtrArray *lines)
{
    const guint most = lines->len + MOST_LINES;
    int64_t under_way = 0;

    for (guint i = 0; i < fabric->region_count; i++) {
        const WseRegion *region = &fabric->regions[i];
        uint64_t there = 0;

        for (uint32_t number = 0; number < region->pe_count; number++) {
            there += wavelets_at(region, number, lines, most);
        }
        under_way += region->sent_away;
        if (there != region->afloat && lines->len < most) {
            g_ptr_array_add(
                lines,
                g_strdup_printf(
                    "pe[%u,%u] to pe[%u,%u]: "
                    "%" G_GUINT64_FORMAT " wavelets are there, not %" G_GUINT64_FORMAT,
                    region->x0, region->y0, region->x0 + region->width - 1,
                    region->y0 + region->height - 1, there, region->afloat));
        }
    }
    if (under_way < 0) {
        g_ptr_array_add(lines, g_strdup_printf("%" G_GINT64_FORMAT
                                               " wavelets arrived that nobody sent",
                                               -under_way));
    } else if (is_over && under_way > 0) {
        g_ptr_array_add(lines, g_strdup_printf("%" G_GINT64_FORMAT
                                               " wavelets were sent and never arrived",
                                               under_way));
    }
}
