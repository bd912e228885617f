/* Mixes what PEs have done, or records, into a hash. */
#include "tests/arch/wse/state_hash.h"

#include "arch/wse/fabric.h"
#include "arch/wse/region.h"

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

/* Whether the PE works in this cycle: how much of the work is counted by now depends on
 * who visits it meanwhile. */
static bool is_at_work(const WseFabric *fabric, const WsePe *pe)
{
    const SimTime horizon = sim_region_horizon(fabric->regions[0].sim);

    return pe->work > 0 || pe->issue_free + fabric->start >= horizon;
}

uint64_t state_hash(const ArchWse *wse)
{
    const WseFabric *fabric = wse_fabric_of(wse);
    const ArchWseLayout *layout = fabric->layout;
    uint64_t hash = 0;

    for (guint i = 0; i < layout->columns * layout->rows; i++) {
        uint32_t number = 0;
        const WseRegion *region =
            wse_fabric_find(fabric, i % layout->columns, i / layout->columns, &number);
        WsePe *pe = wse_region_pe(region, number);
        const WseKind *kind = wse_region_kind(region, pe);

        hash = mix(hash, pe->iteration);
        if (!is_at_work(fabric, pe)) {
            hash = mix(hash, (uint64_t) pe->busy << 32 | pe->memory_idle);
            hash = mix(hash, pe->end);
        }
        hash = mix(hash, pe->activated);
        hash = mix(hash, pe->threads);
        for (guint left = pe->threads; left != 0; left &= left - 1) {
            hash =
                mix(hash, wse_pe_threads(pe, &fabric->block)[__builtin_ctz(left)].done);
        }
        for (guint j = 0; j < kind->ring_count; j++) {
            hash = mix(hash, wse_pe_rings(pe, &fabric->block)[j].count);
        }
        hash = mix(hash, (uint64_t) pe->first_color << 32 | pe->first_queue);
        for (guint j = 0; j < kind->router->route_count; j++) {
            hash = mix(hash, wse_pe_colors(pe, &fabric->block)[j].position);
        }
    }
    return hash;
}

void record_hash(gpointer data, const SimProbeRecord *record)
{
    uint64_t *hash = data;

    *hash = mix(*hash, record->lane);
    *hash = mix(*hash, g_str_hash(record->name));
    *hash = mix(*hash, record->begin);
    *hash = mix(*hash, record->end);
    *hash = mix(*hash, (uint64_t) record->value);
}
