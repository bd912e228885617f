/* Looks after compute elements that nap. */
#include "arch/wse/naps.h"

#include "arch/wse/advance.h"
#include "arch/wse/ce/ce.h"
#include "arch/wse/folding.h"
#include "arch/wse/wake.h"
#include "sim/narrow.h"

static bool has_naps(const WseFabric *fabric)
{
    bool has = false;

    for (guint i = 0; i < fabric->region_count; i++) {
        has = has || fabric->regions[i].has_naps;
    }
    return has;
}

/* The first cycle that is not over yet. */
static uint32_t present(const WseFabric *fabric)
{
    const SimTime horizon = sim_region_horizon(fabric->regions[0].sim);

    return sim_u32(CLAMP(horizon, fabric->start, fabric->start + WSE_NEVER) -
                   fabric->start);
}

static void catch_up(const WseFabric *fabric, uint32_t pe, uint32_t until)
{
    wse_ce_catch_up(wse_folding_region(fabric, pe),
                    wse_region_pe(&fabric->regions[0], pe), pe, until);
}

void wse_naps_show(const WseFabric *fabric, uint32_t pe)
{
    if (has_naps(fabric)) {
        catch_up(fabric, pe, present(fabric));
    }
}

void wse_naps_end(WseFabric *fabric)
{
    WseRegion *region = &fabric->regions[0];

    for (guint i = 0; has_naps(fabric) && i < fabric->pe_count; i++) {
        WsePe *pe = wse_region_pe(region, i);

        wse_naps_show(fabric, i);
        if (pe->behind != 0 && pe->behind != WSE_NEVER) {
            wse_region_wake_pe(region, pe, i, region->now, pe->behind, WSE_DUE_CE);
            wse_advance_call(fabric, pe->behind);
        }
    }
}

uint32_t wse_naps_finish(const WseFabric *fabric)
{
    uint32_t next = WSE_NEVER;
    uint32_t last = 0;

    for (guint i = 0; has_naps(fabric) && i < fabric->pe_count; i++) {
        const WsePe *pe = wse_region_pe(&fabric->regions[0], i);

        catch_up(fabric, i, fabric->horizon);
        next = pe->behind == 0 ? next : MIN(next, pe->behind);
    }
    for (guint i = 0; i < fabric->region_count; i++) {
        fabric->regions[i].has_naps = next != WSE_NEVER;
        last = MAX(last, fabric->regions[i].left_out);
    }
    return next != WSE_NEVER ? next : last;
}

static bool is_possible(const WseKind *kind)
{
    for (guint i = 0; i < kind->router->route_count; i++) {
        if (kind->router->routes[i].host != ARCH_WSE_NO_HOST) {
            return false;
        }
    }
    return kind->program->entries->len == 0 &&
           kind->program->tasks[WSE_TEARDOWN_TASK].start == ARCH_WSE_NONE;
}

bool wse_naps_are_possible(const WseFabric *fabric)
{
    for (guint i = 0; i < fabric->kinds->len; i++) {
        if (!is_possible(&g_array_index(fabric->kinds, WseKind, i))) {
            return false;
        }
    }
    return fabric->races == NULL;
}
