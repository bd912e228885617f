/* Keeps which PE runs what, and finishes a layout. */
#include "arch/wse/layout.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <glib.h>

#include "arch/error.h"
#include "arch/wse/router/direction.h"
#include "arch/wse/router/route.h"
#include "arch/wse/wheel.h"
#include "sim/narrow.h"

typedef struct WseRouting WseRouting;

enum {
    NO_ROUTE = 0xffff,
    CLASS_LIMIT = 0xffff, /* that many, numbered 0..0xfffe */
    NO_SLOT = 0xff,
};

struct WseRouting {
    guint columns;
    guint pe_count;
    GPtrArray *routes;              /* of WseRoute, each once */
    GHashTable *numbers;            /* of WseRoute: its number + 1 */
    uint16_t *route_of[WSE_COLORS]; /* by PE; NULL before the color is used */
};

static WseRouting *wse_routing_new(guint columns, guint rows)
{
    WseRouting *self = g_new0(WseRouting, 1);

    self->columns = columns;
    self->pe_count = columns * rows;
    self->routes = g_ptr_array_new_with_free_func(g_free);
    self->numbers = g_hash_table_new(wse_route_hash, wse_route_equal);
    return self;
}

static void wse_routing_free(WseRouting *self)
{
    if (self != NULL) {
        for (guint i = 0; i < WSE_COLORS; i++) {
            g_free(self->route_of[i]);
        }
        g_hash_table_unref(self->numbers);
        g_ptr_array_unref(self->routes);
        g_free(self);
    }
}

static bool number_of(WseRouting *self, const WseRoute *route, uint16_t *number)
{
    const guint known = GPOINTER_TO_UINT(g_hash_table_lookup(self->numbers, route));

    if (known != 0) {
        *number = sim_u16(known - 1);
        return true;
    }
    if (self->routes->len == NO_ROUTE) {
        return false;
    }
    *number = sim_u16(self->routes->len);

    WseRoute *copy = g_new(WseRoute, 1);

    *copy = *route;
    g_ptr_array_add(self->routes, copy);
    g_hash_table_insert(self->numbers, copy, GUINT_TO_POINTER(self->routes->len));
    return true;
}

/* Gives every PE of `tiles`, which lie in the rectangle, this route of its color in
 * place of what it had. False when there are too many different ones. */
static bool wse_routing_set(WseRouting *self, ArchWseTiles tiles, const WseRoute *route)
{
    uint16_t **route_of = &self->route_of[route->color];
    uint16_t number = 0;

    if (!number_of(self, route, &number)) {
        return false;
    }
    if (*route_of == NULL) {
        *route_of = g_new(uint16_t, self->pe_count);
        memset(*route_of, 0xff, self->pe_count * sizeof **route_of);
    }
    for (gsize y = tiles.y0; y <= tiles.y1; y += tiles.dy) {
        uint16_t *row = &(*route_of)[y * self->columns];

        for (gsize x = tiles.x0; x <= tiles.x1; x += tiles.dx) {
            row[x] = number;
        }
    }
    return true;
}

/* Splits the classes so far by one more number that each PE has. */
static bool
refine(const WseRouting *self, uint16_t *class_of, const uint16_t *number_of)
{
    g_autoptr(GHashTable) classes = g_hash_table_new(NULL, NULL);
    guint last_key = 0;
    guint last_class = 0; /* + 1 */

    for (guint i = 0; i < self->pe_count; i++) {
        const guint key = sim_u32(class_of[i]) << 16 | number_of[i];

        if (key != last_key || last_class == 0) {
            last_key = key;
            last_class =
                GPOINTER_TO_UINT(g_hash_table_lookup(classes, GUINT_TO_POINTER(key)));
            if (last_class == 0) {
                last_class = g_hash_table_size(classes) + 1;
                if (last_class > CLASS_LIMIT) {
                    return false;
                }
                g_hash_table_insert(classes, GUINT_TO_POINTER(key),
                                    GUINT_TO_POINTER(last_class));
            }
        }
        class_of[i] = sim_u16(last_class - 1);
    }
    return true;
}

/* Where the program's own changes of routes may let wavelets in, by color. */
static void find_changes(const ArchWseProgram *program, uint8_t sources[WSE_COLORS])
{
    const bool is_all = program != NULL && program->is_config_mapped;

    memset(sources, is_all ? WSE_ALL_DIRECTIONS : 0, WSE_COLORS);
    for (guint i = 0; program != NULL && i < program->instructions->len; i++) {
        const WseInstruction *instruction =
            &g_array_index(program->instructions, WseInstruction, i);
        const guint color = sim_u32(instruction->first & (WSE_CONFIG_SPACING - 1));

        if (instruction->code == WSE_ROUTE) {
            sources[instruction->color] |= sim_u8(1 << instruction->rx);
        } else if (instruction->code == WSE_SET_CONFIG &&
                   instruction->is_first_variable) {
            memset(sources, WSE_ALL_DIRECTIONS, WSE_COLORS);
        } else if (instruction->code == WSE_SET_CONFIG && color < WSE_COLORS) {
            sources[color] = WSE_ALL_DIRECTIONS;
        }
    }
}

/* Colors that have a route or a stream somewhere, as bits. */
static uint32_t used_colors(const WseRouting *self, const GPtrArray *programs)
{
    uint32_t used = 0;

    for (guint i = 0; i < programs->len; i++) {
        used |= wse_program_colors(g_ptr_array_index(programs, i));
    }
    for (guint color = 0; color < WSE_COLORS; color++) {
        used |= (self->route_of[color] != NULL ? 1U : 0U) << color;
    }
    return used;
}

static bool changes_routes(const ArchWseProgram *program)
{
    uint8_t sources[WSE_COLORS];
    uint8_t all = 0;

    find_changes(program, sources);
    for (guint color = 0; color < WSE_COLORS; color++) {
        all |= sources[color];
    }
    return all != 0;
}

/* Splits by program where that makes a difference. */
static bool refine_by_program(const WseRouting *self,
                              const GPtrArray *programs,
                              const uint16_t *program_of,
                              uint16_t *class_of)
{
    g_autofree uint16_t *kinds = g_new(uint16_t, programs->len);
    bool is_split = false;

    for (guint i = 0; i < programs->len; i++) {
        const bool is_own = changes_routes(g_ptr_array_index(programs, i));

        kinds[i] = is_own ? sim_u16(i) : ARCH_WSE_NONE;
        is_split = is_split || is_own;
    }
    if (!is_split) {
        return true;
    }

    g_autofree uint16_t *kind_of = g_new(uint16_t, self->pe_count);

    for (guint i = 0; i < self->pe_count; i++) {
        kind_of[i] =
            program_of[i] == ARCH_WSE_NONE ? ARCH_WSE_NONE : kinds[program_of[i]];
    }
    return refine(self, class_of, kind_of);
}

static void make_router(const WseRouting *self,
                        guint pe,
                        const ArchWseProgram *program,
                        uint32_t used,
                        WseRouter *router)
{
    uint8_t changes[WSE_COLORS];

    find_changes(program, changes);
    for (guint color = 0; color < WSE_COLORS; color++) {
        const uint16_t *route_of = self->route_of[color];
        const bool is_routed = route_of != NULL && route_of[pe] != NO_ROUTE;
        const uint8_t changed = changes[color];
        WseRoute *route = &router->routes[router->route_count];

        router->slots[color] = NO_SLOT;
        if (!is_routed && (changed == 0 || (used >> color & 1) == 0)) {
            continue;
        }
        /* Without a route its wavelets wait until the program makes one. */
        *route = (WseRoute){.color = sim_u8(color), .position_count = 1};
        if (is_routed) {
            *route = *(const WseRoute *) g_ptr_array_index(self->routes, route_of[pe]);
        }
        route->sources |= changed;
        router->slots[color] = sim_u8(router->route_count);
        router->route_count++;
    }
    for (guint color = 0; color < WSE_COLORS; color++) {
        const uint8_t slot = router->slots[color];
        const guint arrival =
            slot == NO_SLOT ? color
                            : wse_route_arrival(&router->routes[slot], ARCH_WSE_RAMP);

        router->sends[color] = router->slots[arrival];
    }
}

/* Which class of routers each PE has, `router_of`, and what that does, `routers`.
 * Classes are numbered in the order in which they appear, row by row. PEs of different
 * programs that change a route as they run have different ones. False when there are
 * too many. */
static bool wse_routing_classify(const WseRouting *self,
                                 const GPtrArray *programs,
                                 const uint16_t *program_of,
                                 uint16_t *router_of,
                                 GArray *routers)
{
    const uint32_t used = used_colors(self, programs);

    memset(router_of, 0, self->pe_count * sizeof *router_of);
    for (guint color = 0; color < WSE_COLORS; color++) {
        if (self->route_of[color] != NULL &&
            !refine(self, router_of, self->route_of[color])) {
            return false;
        }
    }
    if (!refine_by_program(self, programs, program_of, router_of)) {
        return false;
    }
    for (guint i = 0; i < self->pe_count; i++) {
        if (router_of[i] == routers->len) {
            const ArchWseProgram *program =
                program_of[i] == ARCH_WSE_NONE
                    ? NULL
                    : g_ptr_array_index(programs, program_of[i]);
            WseRouter router = {0};

            make_router(self, i, program, used, &router);
            g_array_append_val(routers, router);
        }
    }
    return true;
}

enum {
    MOST_NAMES = 256,
};

ArchWseLayout *
arch_wse_layout_new(const ArchParams *params, guint columns, guint rows, GError **error)
{
    const guint most_columns =
        sim_u32(arch_params_uint(params, "fabric.bare_column_count"));
    const guint most_rows = sim_u32(arch_params_uint(params, "fabric.bare_row_count"));
    const gsize count = (gsize) columns * rows;

    if (columns < 1 || rows < 1 || columns > most_columns || rows > most_rows) {
        g_set_error(error, ARCH_ERROR, ARCH_ERROR_INVALID,
                    "fabric of %u x %u PEs, %s has 1 x 1 to %u x %u", columns, rows,
                    arch_params_name(params), most_columns, most_rows);
        return NULL;
    }
    if (count > WSE_WHEEL_NUMBER) {
        g_set_error(error, ARCH_ERROR, ARCH_ERROR_INVALID,
                    "fabric of %u x %u PEs, at most %u are allowed", columns, rows,
                    WSE_WHEEL_NUMBER);
        return NULL;
    }

    ArchWseLayout *self = g_new0(ArchWseLayout, 1);

    self->params = params;
    self->columns = columns;
    self->rows = rows;
    self->programs =
        g_ptr_array_new_with_free_func((GDestroyNotify) arch_wse_program_free);
    self->routers = g_array_new(FALSE, FALSE, sizeof(WseRouter));
    self->names = g_array_new(FALSE, TRUE, sizeof(WseNames));
    g_array_set_size(self->names, 1);
    self->program_of = g_new(uint16_t, count);
    memset(self->program_of, 0xff, count * sizeof *self->program_of);
    self->routing = wse_routing_new(columns, rows);
    return self;
}

void arch_wse_layout_free(ArchWseLayout *self)
{
    if (self != NULL) {
        g_ptr_array_unref(self->programs);
        g_array_unref(self->routers);
        g_array_unref(self->names);
        g_free(self->program_of);
        g_free(self->router_of);
        wse_routing_free(self->routing);
        g_free(self);
    }
}

static bool check_tiles(const ArchWseLayout *self, ArchWseTiles tiles, GError **error)
{
    if (tiles.dx < 1 || tiles.dy < 1) {
        return arch_refuse(
            error, "pe[%u,%u] to pe[%u,%u] in steps of %u and %u, each at least 1",
            tiles.x0, tiles.y0, tiles.x1, tiles.y1, tiles.dx, tiles.dy);
    }
    return (tiles.x1 < self->columns && tiles.y1 < self->rows) ||
           arch_refuse(error,
                       "pe[%u,%u] is outside the %u x %u fabric, pe[0,0] to pe[%u,%u]",
                       tiles.x1, tiles.y1, self->columns, self->rows, self->columns - 1,
                       self->rows - 1);
}

/* Takes the program, if it is not there already, and finishes it. */
static bool
add_program(ArchWseLayout *self, ArchWseProgram *program, guint *number, GError **error)
{
    if (g_ptr_array_find(self->programs, program, number)) {
        return true;
    }
    *number = self->programs->len;
    g_ptr_array_add(self->programs, program);
    if (*number >= ARCH_WSE_NONE) {
        return arch_refuse(error, "program %s: more than %u programs",
                           arch_wse_program_name(program), (guint) ARCH_WSE_NONE);
    }
    return arch_wse_program_finish(program, error);
}

bool arch_wse_layout_set_tile_code(ArchWseLayout *self,
                                   ArchWseTiles tiles,
                                   ArchWseProgram *program,
                                   GError **error)
{
    g_return_val_if_fail(self->routing != NULL, false);

    guint number = 0;

    if (!add_program(self, program, &number, error) ||
        !check_tiles(self, tiles, error)) {
        return false;
    }
    for (gsize y = tiles.y0; y <= tiles.y1; y += tiles.dy) {
        uint16_t *row = &self->program_of[y * self->columns];

        for (gsize x = tiles.x0; x <= tiles.x1; x += tiles.dx) {
            row[x] = sim_u16(number);
        }
    }
    return true;
}

/* Equal ones have one number. False when there are too many. */
static bool
number_names(ArchWseLayout *self, const ArchWseColorConfig *config, uint16_t *number)
{
    WseNames added = {{NULL}};

    for (guint i = 0; i < config->position_count; i++) {
        added.names[i] = g_intern_string(config->names[i]);
    }
    for (guint i = 0; i < self->names->len; i++) {
        const WseNames *known = &g_array_index(self->names, WseNames, i);

        if (memcmp(known, &added, sizeof added) == 0) {
            *number = sim_u16(i);
            return true;
        }
    }
    *number = sim_u16(self->names->len);
    g_array_append_val(self->names, added);
    return *number < MOST_NAMES;
}

bool arch_wse_layout_set_color_config(ArchWseLayout *self,
                                      ArchWseTiles tiles,
                                      guint color,
                                      const ArchWseColorConfig *config,
                                      GError **error)
{
    g_return_val_if_fail(self->routing != NULL, false);

    g_autoptr(GError) why = NULL;
    WseRoute route;

    if (!check_tiles(self, tiles, error)) {
        return false;
    }
    if (!wse_route_make(self->params, color, config, &route, &why)) {
        return arch_refuse(error, "pe[%u,%u] color %u: %s", tiles.x0, tiles.y0, color,
                           why->message);
    }
    if (!number_names(self, config, &route.names)) {
        return arch_refuse(error,
                           "pe[%u,%u] color %u: more than %u different lists of names",
                           tiles.x0, tiles.y0, color, (guint) MOST_NAMES);
    }
    return wse_routing_set(self->routing, tiles, &route) ||
           arch_refuse(error, "pe[%u,%u] color %u: more than %u different routes",
                       tiles.x0, tiles.y0, color, (guint) ARCH_WSE_NONE);
}

void arch_wse_layout_allow_loose_ends(ArchWseLayout *self)
{
    self->has_loose_ends = true;
}

bool arch_wse_layout_finish(ArchWseLayout *self, GError **error)
{
    g_return_val_if_fail(self->routing != NULL, false);

    self->router_of = g_new(uint16_t, (gsize) self->columns * self->rows);

    const bool is_classified =
        wse_routing_classify(self->routing, self->programs, self->program_of,
                             self->router_of, self->routers);

    g_clear_pointer(&self->routing, wse_routing_free);
    return (is_classified ||
            arch_refuse(error, "more than %u kinds of router in the %u x %u fabric",
                        (guint) ARCH_WSE_NONE, self->columns, self->rows)) &&
           wse_route_check(self, error);
}
