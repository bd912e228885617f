/* Records routers: links, the ramp, switches, and arriving streams. */
#include "arch/wse/watch/watch.h"
#include "sim/narrow.h"

enum {
    LINKS = (1 << WSE_LINKS) - 1,
};

#define FLOW_TIME ((UINT64_C(1) << WSE_FLOW_SHIFT) - 1)

static const char ramp_name[] = "in";

/* Where the trail of a slot is; NULL where there are none. */
static WseTrail *trail_at(const WseRegion *region, uint32_t pe, const WseToken *slot)
{
    const WseWatch *self = region->watch;
    const WseToken *slots =
        wse_pe_slots(wse_region_pe(region, pe), &region->fabric->block);

    return self->trails == NULL
               ? NULL
               : &self->trails[(gsize) pe * self->slot_count + (gsize) (slot - slots)];
}

WseTrail wse_watch_trail(const WseRegion *region, uint32_t pe, const WseToken *slot)
{
    const WseTrail *trail = trail_at(region, pe, slot);

    if (trail == NULL) {
        return (WseTrail){0};
    }
    return *trail;
}

void wse_watch_set_trail(const WseRegion *region,
                         uint32_t pe,
                         const WseToken *slot,
                         WseTrail trail)
{
    WseTrail *at = trail_at(region, pe, slot);

    if (at != NULL) {
        *at = trail;
    }
}

static guint color_of(const WseRegion *region, uint32_t pe, guint slot)
{
    return wse_region_kind(region, wse_region_pe(region, pe))
        ->router->routes[slot]
        .color;
}

/* The beginning of a stream has come to where it goes: on the way, or in the end. */
static void arrive(const WseRouterVisit *visit,
                   const WseRouted *routed,
                   const char *name,
                   bool is_end)
{
    const WseWatch *watch = visit->region->watch;
    const guint columns = visit->fabric->layout->columns;
    const guint from =
        (sim_u32(routed->trail.flow >> WSE_FLOW_SHIFT) - watch->first) / WSE_UNITS;
    const SimProbeDetail detail = {
        .flow = routed->trail.flow,
        .is_flow_end = is_end,
        .flow_since = routed->trail.flow & FLOW_TIME,
        .argument_count = 3,
        .arguments = {{"color", color_of(visit->region, visit->number, routed->slot)},
                      {"x", from % columns},
                      {"y", from / columns}},
    };

    sim_region_mark(visit->region->sim,
                    watch->seen[visit->number].lane + WSE_UNIT_ROUTER, name,
                    wse_watch_time(visit->region, visit->now), &detail);
}

/* A multicast is followed along one way, and its own echo is not. */
static void follow(const WseRouterVisit *visit,
                   const WseRouted *routed,
                   guint output,
                   uint32_t pe,
                   const WseToken *to)
{
    const guint links = routed->targets & LINKS;
    const bool is_echo = routed->origin == ARCH_WSE_RAMP && links != 0;

    const bool is_followed =
        output != ARCH_WSE_RAMP && output == (guint) __builtin_ctz(links);

    wse_watch_set_trail(visit->region, pe, to,
                        (WseTrail){.flow = is_followed ? routed->trail.flow : 0,
                                   .origin = routed->trail.origin});
    if (output == ARCH_WSE_RAMP && routed->trail.flow != 0 && !is_echo) {
        arrive(visit, routed, "arrive", links == 0);
    }
}

/* A slice has whole cycles; the next one begins a cycle later where parts add up. */
static uint32_t whole_cycles(SimRatio interval, const WseRouted *routed)
{
    return sim_u32(routed->count * interval.num / interval.den);
}

static void take_ramp(const WseRouterVisit *visit, const WseRouted *routed)
{
    const WseSeen *seen = &visit->region->watch->seen[visit->number];
    const uint32_t cycles = whole_cycles(visit->fabric->numbers.ramp_interval, routed);
    const SimLane lane = seen->lane + WSE_UNIT_RAMP;

    if (seen->spans == NULL) {
        const SimTime begin = wse_watch_time(visit->region, visit->now);

        sim_region_slice(visit->region->sim, lane, ramp_name, begin, begin + cycles,
                         NULL);
        return;
    }
    const WseSpan added = {
        .name = ramp_name,
        .begin = visit->now,
        .end = visit->now + cycles,
        .color = color_of(visit->region, visit->number, routed->slot),
    };

    wse_span_add(visit->region, lane, &seen->spans->ramp, &added);
}

static void take_link(const WseRouterVisit *visit, const WseRouted *routed, guint link)
{
    const SimTime begin = wse_watch_time(visit->region, visit->now);
    const SimProbeDetail detail = {
        .argument_count = 2,
        .arguments = {{"color", color_of(visit->region, visit->number, routed->slot)},
                      {"wavelets", routed->count}},
    };

    sim_region_slice(
        visit->region->sim,
        visit->region->watch->seen[visit->number].lane + WSE_UNIT_LINK + link,
        "wavelets", begin,
        begin + whole_cycles(visit->fabric->numbers.link_interval, routed), &detail);
}

void wse_watch_drop(const WseRouterVisit *visit, const WseRouted *routed)
{
    if (routed->trail.flow != 0) {
        arrive(visit, routed, "drop", true);
    }
}

void wse_watch_send(const WseRouterVisit *visit,
                    const WseRouted *routed,
                    guint output,
                    uint32_t pe,
                    const WseToken *to)
{
    if (visit->region->watch->trails != NULL) {
        follow(visit, routed, output, pe, to);
    }
    if (output == ARCH_WSE_RAMP) {
        take_ramp(visit, routed);
    } else {
        take_link(visit, routed, output);
    }
}

static const char *
position_name(const WseFabric *fabric, const WseRoute *route, guint position)
{
    const char *name =
        g_array_index(fabric->layout->names, WseNames, route->names).names[position];

    if (name != NULL) {
        return name;
    }
    g_autofree char *number =
        g_strdup_printf("color %u: position %u", route->color, position);

    return g_intern_string(number);
}

static const WseRoute *route_of(const WseRegion *region, uint32_t pe, guint slot)
{
    return &wse_region_kind(region, wse_region_pe(region, pe))->router->routes[slot];
}

static SimProbeDetail detail_of(const WseRoute *route, guint position)
{
    return (SimProbeDetail){
        .argument_count = 2,
        .arguments = {{"color", route->color}, {"position", position}},
    };
}

/* The position that a switch has had comes to its end. */
static void
leave_position(WseRegion *region, uint32_t pe, guint slot, guint position, uint32_t end)
{
    const WseSeen *seen = &region->watch->seen[pe];
    const WseRoute *route = route_of(region, pe, slot);
    const guint number = region->watch->switches[route->color];
    uint32_t *since = &seen->spans->switch_since[number];
    const SimProbeDetail detail = detail_of(route, position);

    if (*since < end) {
        sim_region_slice(region->sim, seen->lane + WSE_UNIT_SWITCH + number,
                         position_name(region->fabric, route, position),
                         wse_watch_time(region, *since), wse_watch_time(region, end),
                         &detail);
    }
    *since = end;
}

void wse_watch_switch(
    WseRegion *region, uint32_t pe, guint slot, guint before, uint32_t now)
{
    const WseSeen *seen = &region->watch->seen[pe];
    const WseRoute *route = route_of(region, pe, slot);
    const WseColor *color =
        &wse_pe_colors(wse_region_pe(region, pe), &region->fabric->block)[slot];

    if (seen->spans == NULL) {
        return;
    }
    if (region->watch->switches[route->color] < WSE_SWITCHES) {
        /* What comes in the next cycle finds the new position. */
        leave_position(region, pe, slot, before, now + 1);
        return;
    }
    const SimProbeDetail detail = detail_of(route, color->position);

    sim_region_mark(region->sim, seen->lane + WSE_UNIT_ROUTER,
                    position_name(region->fabric, route, color->position),
                    wse_watch_time(region, now), &detail);
}

void wse_watch_mark(
    WseRegion *region, uint32_t pe, guint slot, const char *name, uint32_t now)
{
    const SimProbeDetail detail = {
        .argument_count = 1,
        .arguments = {{"color", color_of(region, pe, slot)}},
    };

    sim_region_mark(region->sim, region->watch->seen[pe].lane + WSE_UNIT_ROUTER, name,
                    wse_watch_time(region, now), &detail);
}

void wse_watch_end_router(WseRegion *region, uint32_t pe, uint32_t when)
{
    const WseSeen *seen = &region->watch->seen[pe];
    WsePe *block = wse_region_pe(region, pe);
    const WseRouter *router = wse_region_kind(region, block)->router;
    const WseColor *colors = wse_pe_colors(block, &region->fabric->block);

    wse_span_end(region, seen->lane + WSE_UNIT_RAMP, &seen->spans->ramp);
    for (guint slot = 0; slot < router->route_count; slot++) {
        const WseRoute *route = &router->routes[slot];

        if (route->position_count > 1 &&
            region->watch->switches[route->color] < WSE_SWITCHES) {
            leave_position(region, pe, slot, colors[slot].position, when);
        }
    }
}
