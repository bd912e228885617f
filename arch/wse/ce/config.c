/* Lets a compute element read and write the registers of its router and the priorities
 * of its tasks. */
#include "arch/wse/router/config.h"

#include "arch/wse/ce/visit.h"
#include "arch/wse/router/color.h"
#include "arch/wse/watch/watch.h"
#include "sim/narrow.h"

/* The slot of the color whose register it is, and whether it has the switches.
 * WSE_NO_RING for a color that nobody uses; the run has failed for no such register. */
static guint slot_of(WseVisit *self, uint32_t address, bool *is_switches)
{
    const uint32_t color = address % WSE_CONFIG_SPACING;
    const uint32_t of_first = address - color;

    *is_switches = of_first == WSE_CONFIG_SWITCHES;
    if (color < WSE_COLORS && (*is_switches || of_first == WSE_CONFIG_ROUTES)) {
        return self->kind->router->slots[color];
    }
    wse_region_fail(self->region, self->number,
                    "%s: register 0x%04x is not modelled, there are 0x%04x and 0x%04x "
                    "of colors and 0x%04x of tasks",
                    self->kind->program->name, address, (guint) WSE_CONFIG_ROUTES,
                    (guint) WSE_CONFIG_SWITCHES, (guint) WSE_CONFIG_PRIORITIES);
    return WSE_NO_RING;
}

/* The bit of the task whose priority the register has, or 0. */
static uint64_t task_of(uint32_t address)
{
    const uint32_t task = address - WSE_CONFIG_PRIORITIES;

    return task < WSE_CONFIG_TASKS ? UINT64_C(1) << task : 0;
}

uint32_t wse_config_get(WseVisit *self, uint32_t address)
{
    if (task_of(address) != 0) {
        return (self->pe->urgent & task_of(address)) != 0 ? 1 : 0;
    }
    const bool is_cumulative = self->fabric->numbers.is_switch_cumulative;
    bool is_switches = false;
    const guint slot = slot_of(self, address, &is_switches);

    if (slot == WSE_NO_RING) {
        return is_switches ? WSE_CONFIG_NO_SWITCHES : 0;
    }
    const WseRoute *route = &wse_pe_routes(self->pe, &self->fabric->block)[slot];
    const WseColor *color = &wse_pe_colors(self->pe, &self->fabric->block)[slot];

    return is_switches ? wse_config_switches(route, color, is_cumulative)
                       : wse_config_routes(route, color);
}

void wse_config_set(WseVisit *self, uint32_t address, uint32_t word)
{
    const uint64_t task = task_of(address);

    if (task != 0) {
        self->pe->urgent =
            (word & 1) != 0 ? self->pe->urgent | task : self->pe->urgent & ~task;
        return;
    }
    const bool is_cumulative = self->fabric->numbers.is_switch_cumulative;
    bool is_switches = false;
    const guint slot = slot_of(self, address, &is_switches);

    if (slot == WSE_NO_RING) {
        return; /* nobody uses the color */
    }
    WseRoute *route = &wse_pe_routes(self->pe, &self->fabric->block)[slot];
    WseColor *color = &wse_pe_colors(self->pe, &self->fabric->block)[slot];
    const uint8_t before = color->position;

    if (!is_switches && wse_config_swaps(route, word)) {
        wse_region_fail(self->region, self->number,
                        "%s: the swap of color %u changes, which is modelled only from "
                        "the start on",
                        self->kind->program->name, route->color);
        return;
    }
    if (is_switches) {
        wse_config_set_switches(route, color, word, is_cumulative);
    } else {
        wse_config_set_routes(route, color, word, is_cumulative);
    }
    wse_color_settle(color, route, self->kind);
    if (wse_is_watched(self->region)) {
        wse_watch_mark(self->region, self->number, slot, "reroute", self->now);
        if (color->position != before) {
            wse_watch_switch(self->region, self->number, slot, before, self->now);
        }
    }
    wse_region_wake(self->region, self->number, self->now, self->now + 1, WSE_DUE_ALL);
}
