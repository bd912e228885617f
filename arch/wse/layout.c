/* Keeps which PE runs what, and finishes a layout. */
#include "arch/wse/layout.h"

#include <string.h>

#include "arch/error.h"
#include "arch/wse/router/route.h"
#include "arch/wse/router/routing.h"

enum {
    MOST_NAMES = 256,
};

ArchWseLayout *
arch_wse_layout_new(const ArchParams *params, guint columns, guint rows, GError **error)
{
    const guint most_columns =
        (guint) arch_params_uint(params, "fabric.bare_column_count");
    const guint most_rows = (guint) arch_params_uint(params, "fabric.bare_row_count");

    if (columns < 1 || rows < 1 || columns > most_columns || rows > most_rows) {
        g_set_error(error, ARCH_ERROR, ARCH_ERROR_INVALID,
                    "fabric of %u x %u PEs, %s has 1 x 1 to %u x %u", columns, rows,
                    arch_params_name(params), most_columns, most_rows);
        return NULL;
    }

    ArchWseLayout *self = g_new0(ArchWseLayout, 1);
    const gsize count = (gsize) columns * rows;

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
    if (tiles.x1 >= self->columns || tiles.y1 >= self->rows) {
        return arch_refuse(
            error, "pe[%u,%u] is outside the %u x %u fabric, pe[0,0] to pe[%u,%u]",
            tiles.x1, tiles.y1, self->columns, self->rows, self->columns - 1,
            self->rows - 1);
    }
    return true;
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
            row[x] = (uint16_t) number;
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
            *number = (uint16_t) i;
            return true;
        }
    }
    *number = (uint16_t) self->names->len;
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

bool arch_wse_layout_finish(ArchWseLayout *self, GError **error)
{
    g_return_val_if_fail(self->routing != NULL, false);

    self->router_of = g_new(uint16_t, (gsize) self->columns * self->rows);

    const bool is_classified =
        wse_routing_classify(self->routing, self->programs, self->program_of,
                             self->router_of, self->routers);

    g_clear_pointer(&self->routing, wse_routing_free);
    if (!is_classified) {
        return arch_refuse(error, "more than %u kinds of router in the %u x %u fabric",
                           (guint) ARCH_WSE_NONE, self->columns, self->rows);
    }
    return wse_route_check(self, error);
}
