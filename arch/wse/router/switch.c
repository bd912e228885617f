/* Moves the switches of a router. */
#include "arch/wse/router/color.h"
#include "arch/wse/router/visit.h"
#include "arch/wse/watch/watch.h"
#include "sim/narrow.h"

static void advance(const WseRoute *route, WseColor *color)
{
    if (color->position + 1 < route->position_count) {
        color->position++;
    } else if (route->is_ring) {
        color->position = 0;
    }
}

/* The task of teardowns is to run, if there is one. */
static void tell_of_teardown(WseRouterVisit *self, guint color)
{
    const ArchWseProgram *program = self->kind->program;

    if (program->tasks[WSE_TEARDOWN_TASK].start == ARCH_WSE_NONE) {
        return;
    }
    if (program->torn_down != ARCH_WSE_NONE) {
        wse_pe_variables(self->pe, &self->fabric->block)[program->torn_down] |=
            sim_i32(1U << color);
    }
    self->pe->activated |= UINT64_C(1) << WSE_TEARDOWN_TASK;
    wse_region_wake_ce(self->region, self->pe, self->number, self->now, self->now + 1);
}

/* What a control wavelet does to the switch of the color it goes through. */
static void
obey(WseRouterVisit *self, const WseRoute *route, WseColor *color, uint32_t payload)
{
    switch (wse_control_at(payload, 0).command) {
    case ARCH_WSE_NOP:
        break;
    case ARCH_WSE_SWITCH_ADV:
        advance(route, color);
        break;
    case ARCH_WSE_SWITCH_RST:
        color->position = 0;
        break;
    case ARCH_WSE_TEARDOWN:
        color->is_torn_down = true;
        if (wse_is_watched(self->region)) {
            wse_watch_mark(self->region, self->number,
                           self->kind->router->slots[route->color], "teardown",
                           self->now);
        }
        tell_of_teardown(self, route->color);
        break;
    }
}

void wse_switch_move(WseRouterVisit *self, guint slot, const WseToken *token)
{
    const WseRoute *route = &self->routes[slot];
    WseColor *color = &self->colors[slot];
    const uint8_t before = color->position;

    if (token->flags & WSE_TOKEN_CONTROL) {
        obey(self, route, color, token->data);
    }
    if (token->flags & WSE_TOKEN_ADVANCE) {
        advance(route, color);
    }
    wse_color_settle(color, route, self->kind);
    if (wse_is_watched(self->region) && color->position != before) {
        wse_watch_switch(self->region, self->number, slot, before, self->now);
    }
}

uint32_t
wse_switch_popped(const WseRoute *route, const WseColor *color, uint32_t payload)
{
    const bool is_moving =
        route->is_ring || color->position + 1 < route->position_count;
    ArchWseCommand command = wse_control_at(payload, 0).command;
    bool is_popped = false;

    switch ((ArchWsePopMode) route->pop_mode) {
    case ARCH_WSE_NO_POP:
        break;
    case ARCH_WSE_ALWAYS_POP:
        is_popped = true;
        break;
    case ARCH_WSE_POP_ON_ADVANCE:
        is_popped = command == ARCH_WSE_SWITCH_ADV && is_moving;
        break;
    case ARCH_WSE_POP_ON_ADVANCE_NOP:
        is_popped =
            (command == ARCH_WSE_SWITCH_ADV && is_moving) || command == ARCH_WSE_NOP;
        break;
    }
    return is_popped ? wse_control_pop(payload) : payload;
}
