/* When PEs are to be visited. */
#pragma once

#include <stdint.h>

#include <glib.h>

#include "arch/wse/region.h"

/* Schedules a visit to these parts of PE number `pe`, whose state is `block`, at
 * `when`, which is after `now`. If `when` is far ahead there must be exactly one part.
 */
static inline void wse_region_wake_pe(WseRegion *self,
                                      WsePe *block,
                                      uint32_t pe,
                                      uint32_t now,
                                      uint32_t when,
                                      uint32_t due)
{
    WseWheel *wheel = self->wheels[block->strip];

    if (when - now < WSE_NEAR_CYCLES) {
        uint32_t *near = &block->due[when % WSE_NEAR_CYCLES];
        uint32_t before = *near;

        *near = before | due;
        if (before == 0) {
            wse_wheel_add(wheel, now, when, pe);
        }
        return;
    }
    wse_wheel_add(wheel, now, when, wse_wheel_entry(pe, due));
}

static inline void
wse_region_wake(WseRegion *self, uint32_t pe, uint32_t now, uint32_t when, uint32_t due)
{
    wse_region_wake_pe(self, wse_region_pe(self, pe), pe, now, when, due);
}

/* Visits the CE at `when`, unless it will be, or is busy then: its end is visited. */
static inline void wse_region_wake_ce(
    WseRegion *self, WsePe *block, uint32_t pe, uint32_t now, uint32_t when)
{
    if (block->ce_wake == WSE_NEVER) { /* it naps */
        wse_region_wake_pe(self, block, pe, now, MAX(when, block->issue_free),
                           WSE_DUE_CE);
    } else if (block->issue_free < when && block->ce_wake != when) {
        block->ce_wake = when;
        wse_region_wake_pe(self, block, pe, now, when, WSE_DUE_CE);
    }
}
