/* Finds where routers, their neighbours and programs do not fit, as sets of colors. */
#include "arch/error.h"
#include "arch/wse/layout.h"
#include "arch/wse/router/direction.h"
#include "arch/wse/router/route.h"
#include "sim/narrow.h"

/* Sets of colors as bits. */
typedef struct {
    uint32_t taken[ARCH_WSE_DIRECTIONS]; /* from there in some position */
    uint32_t given[ARCH_WSE_DIRECTIONS]; /* to there */
    uint32_t mixed; /* even ones with a route that do not swap as the next one does */
} RouterColors;

typedef struct {
    uint32_t queued; /* bound to an input queue */
    uint32_t sent;
} ProgramColors;

typedef struct {
    const ArchWseLayout *layout;
    RouterColors *routers;
    ProgramColors *programs;
} Check;

static RouterColors router_colors(const WseRouter *router)
{
    RouterColors colors = {0};

    for (guint i = 0; i < router->route_count; i++) {
        const WseRoute *route = &router->routes[i];
        const uint8_t outputs =
            route->host == ARCH_WSE_HOST_TAKES ? 0 : wse_route_outputs(route);

        for (guint side = 0; side < ARCH_WSE_DIRECTIONS; side++) {
            const uint32_t taken = route->sources >> side & 1;
            const uint32_t given = outputs >> side & 1;

            colors.taken[side] |= taken << wse_route_arrival(route, side);
            colors.given[side] |= given << route->color;
        }
        if (i > 0 && route->color % 2 == 1 && route[-1].color == route->color - 1 &&
            route[-1].swaps != route->swaps) {
            colors.mixed |= UINT32_C(1) << route[-1].color;
        }
    }
    return colors;
}

static ProgramColors program_colors(const ArchWseProgram *program)
{
    ProgramColors colors = {0};

    for (guint i = 0; i < WSE_COLORS; i++) {
        const uint32_t is_queued = program->color_inputs[i] != 0xff;

        colors.queued |= is_queued << i;
    }
    for (guint i = 0; i < program->dsds->len; i++) {
        const WseDsd *dsd = &g_array_index(program->dsds, WseDsd, i);

        if (dsd->kind == WSE_FABRIC_OUT && dsd->color < WSE_COLORS) {
            colors.sent |= (uint32_t) 1 << dsd->color;
        }
    }
    return colors;
}

/* False at the edge. */
static bool neighbour_of(const ArchWseLayout *layout,
                         guint x,
                         guint y,
                         guint direction,
                         guint *nx,
                         guint *ny)
{
    *nx = x + (direction == ARCH_WSE_EAST);
    *ny = y + (direction == ARCH_WSE_SOUTH);
    *nx -= direction == ARCH_WSE_WEST; /* beyond 0 it is very large */
    *ny -= direction == ARCH_WSE_NORTH;
    return *nx < layout->columns && *ny < layout->rows;
}

static const RouterColors *router_at(const Check *self, guint x, guint y)
{
    return &self->routers[self->layout->router_of[wse_layout_pe(self->layout, x, y)]];
}

/* Colors sent to `direction`, where nobody takes them. */
static uint32_t lost(const Check *self, guint x, guint y, guint direction)
{
    const uint32_t given = router_at(self, x, y)->given[direction];
    guint nx = 0;
    guint ny = 0;

    if (given == 0 || !neighbour_of(self->layout, x, y, direction, &nx, &ny)) {
        return given;
    }
    return given & ~router_at(self, nx, ny)
                        ->taken[wse_direction_opposite((ArchWseDirection) direction)];
}

static const WseRoute *
route_at(const ArchWseLayout *layout, guint x, guint y, guint color)
{
    const WseRouter *router = &g_array_index(
        layout->routers, WseRouter, layout->router_of[wse_layout_pe(layout, x, y)]);

    return router->slots[color] == 0xff ? NULL : &router->routes[router->slots[color]];
}

static void explain_lost(
    const Check *self, guint x, guint y, guint color, guint direction, GError **error)
{
    const ArchWseLayout *layout = self->layout;
    const char *name = arch_wse_direction_name((ArchWseDirection) direction);
    guint nx = 0;
    guint ny = 0;

    if (!neighbour_of(layout, x, y, direction, &nx, &ny)) {
        g_set_error(error, ARCH_ERROR, ARCH_ERROR_INVALID,
                    "pe[%u,%u] color %u: tx %s leads off the %u x %u fabric", x, y,
                    color, name, layout->columns, layout->rows);
        return;
    }

    const WseRoute *route = route_at(layout, nx, ny, color);

    if (route == NULL) {
        g_set_error(error, ARCH_ERROR, ARCH_ERROR_INVALID,
                    "pe[%u,%u] color %u: tx %s leads nowhere, pe[%u,%u] has no route "
                    "for it",
                    x, y, color, name, nx, ny);
        return;
    }

    g_autofree char *rx = wse_directions_text(route->sources);

    g_set_error(error, ARCH_ERROR, ARCH_ERROR_INVALID,
                "pe[%u,%u] color %u: tx %s leads nowhere, pe[%u,%u] takes it only from "
                "%s",
                x, y, color, name, nx, ny, rx);
}

static void explain(const Check *self,
                    guint x,
                    guint y,
                    guint color,
                    const ArchWseProgram *program,
                    GError **error)
{
    const uint32_t bit = (uint32_t) 1 << color;

    for (guint direction = 0; direction < ARCH_WSE_RAMP; direction++) {
        if ((lost(self, x, y, direction) & bit) != 0) {
            explain_lost(self, x, y, color, direction, error);
            return;
        }
    }
    if ((router_at(self, x, y)->given[ARCH_WSE_RAMP] & bit) != 0 &&
        program->color_inputs[color] == 0xff) {
        g_set_error(
            error, ARCH_ERROR, ARCH_ERROR_INVALID,
            "pe[%u,%u] color %u: tx RAMP, but program %s has no input queue for "
            "it",
            x, y, color, program->name);
        return;
    }

    const WseRoute *route = route_at(self->layout, x, y, color);
    g_autofree char *rx = wse_directions_text(route == NULL ? 0 : route->sources);

    g_set_error(error, ARCH_ERROR, ARCH_ERROR_INVALID,
                "pe[%u,%u] color %u: program %s sends it, but no route takes it from "
                "RAMP (rx %s)",
                x, y, color, program->name, rx);
}

static bool check_pe(const Check *self, guint x, guint y, GError **error)
{
    const ArchWseLayout *layout = self->layout;
    const uint16_t number = layout->program_of[wse_layout_pe(layout, x, y)];

    if (router_at(self, x, y)->mixed != 0) {
        const guint color = (guint) g_bit_nth_lsf(router_at(self, x, y)->mixed, -1);

        g_set_error(
            error, ARCH_ERROR, ARCH_ERROR_UNMODELLED,
            "pe[%u,%u] color %u: it swaps in another way than color %u, modelled "
            "is a swap of both",
            x, y, color, color + 1);
        return false;
    }

    if (number == ARCH_WSE_NONE) {
        return arch_refuse(error, "pe[%u,%u]: no program", x, y);
    }

    if (layout->has_loose_ends) {
        return true;
    }
    const ProgramColors *program = &self->programs[number];
    const RouterColors *router = router_at(self, x, y);
    uint32_t wrong = (router->given[ARCH_WSE_RAMP] & ~program->queued) |
                     (program->sent & ~router->taken[ARCH_WSE_RAMP]);

    for (guint direction = 0; direction < ARCH_WSE_RAMP; direction++) {
        wrong |= lost(self, x, y, direction);
    }
    if (wrong != 0) {
        explain(self, x, y, (guint) g_bit_nth_lsf(wrong, -1),
                g_ptr_array_index(layout->programs, number), error);
        return false;
    }
    return true;
}

bool wse_route_check(const ArchWseLayout *layout, GError **error)
{
    g_autofree RouterColors *routers = g_new(RouterColors, layout->routers->len);
    g_autofree ProgramColors *programs = g_new(ProgramColors, layout->programs->len);
    const Check check = {.layout = layout, .routers = routers, .programs = programs};

    for (guint i = 0; i < layout->routers->len; i++) {
        routers[i] = router_colors(&g_array_index(layout->routers, WseRouter, i));
    }
    for (guint i = 0; i < layout->programs->len; i++) {
        programs[i] = program_colors(g_ptr_array_index(layout->programs, i));
    }
    for (guint y = 0; y < layout->rows; y++) {
        for (guint x = 0; x < layout->columns; x++) {
            if (!check_pe(&check, x, y, error)) {
                return false;
            }
        }
    }
    return true;
}
