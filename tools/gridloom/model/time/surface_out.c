/* Writes a surface: text, JSON, a table, a picture. */
#include <math.h>
#include <stdio.h>

#include "tools/gridloom/grid.h"
#include "tools/gridloom/model/time/surface.h"
#include "tools/gridloom/model/time/text.h"
#include "tools/gridloom/number_text.h"
#include "tools/gridloom/quantity.h"
#include "traces/picture/surface.h"

enum {
    SIDES = 2,
    COLUMNS = 9, /* of t_T in a page */
};

static const GpuTileChoice *cell_at(const ModelTimeSurface *self, guint place)
{
    return &g_array_index(self->cells, GpuTileChoice, place);
}

JsonObject *model_time_surface_parameters(gconstpointer surface)
{
    const ModelTimeSurface *self = surface;
    JsonObject *object = model_time_asked_json(self->options);

    json_object_set_int_member(object, "surface_first",
                               (gint64) self->options->tile.space[0]);
    return object;
}

JsonObject *model_time_surface_metrics(gconstpointer surface)
{
    const ModelTimeSurface *self = surface;
    JsonObject *object = json_object_new();
    JsonArray *cells = json_array_new();

    for (guint i = 0; i < self->cells->len; i++) {
        if (cell_at(self, i)->tile.resident > 0) {
            json_array_add_object_element(
                cells, model_time_choice_json(cell_at(self, i), SIDES));
        }
    }
    json_object_set_double_member(object, "seconds",
                                  cell_at(self, self->best)->seconds);
    json_object_set_object_member(
        object, "tile", model_time_tile_json(&cell_at(self, self->best)->tile, SIDES));
    json_object_set_object_member(
        object, "worst", model_time_choice_json(cell_at(self, self->worst), SIDES));
    json_object_set_int_member(object, "tiles", self->tiles);
    json_object_set_array_member(object, "surface", cells);
    return object;
}

char *model_time_surface_csv(gconstpointer surface)
{
    const ModelTimeSurface *self = surface;
    GString *text = g_string_new("tile,tile_steps,resident,seconds\n");

    for (guint i = 0; i < self->cells->len; i++) {
        const GpuTileChoice *cell = cell_at(self, i);

        if (cell->tile.resident > 0) {
            CmdNumberText number;
            g_autofree char *sizes = quantity_sizes(cell->tile.space, SIDES);

            g_string_append_printf(text, "%s,%" G_GUINT64_FORMAT ",%u,%s\n", sizes,
                                   cell->tile.steps, cell->tile.resident,
                                   cmd_number_text(number, "%.15g", cell->seconds));
        }
    }
    return g_string_free(text, FALSE);
}

char *model_time_surface_svg(gconstpointer surface)
{
    const ModelTimeSurface *self = surface;
    const ModelTimeOptions *options = self->options;
    const GpuTilingProblem *problem = &options->space.problem;
    const GpuTileChoice *best = cell_at(self, self->best);
    g_autofree double *values = g_new(double, self->cells->len);
    g_autofree char *size = quantity_sizes(problem->space, SIDES);
    g_autofree char *title = g_strdup_printf(
        "T_alg of %s on %s, %s: t_S1 = %" G_GUINT64_FORMAT, options->stencil->title,
        arch_params_name(options->gpu), model_time_form_name(options->space.form),
        options->tile.space[0]);
    g_autofree char *name = model_time_tile_name(&best->tile, SIDES);
    CmdNumberText seconds;
    g_autofree char *mark = g_strdup_printf(
        "least: %s, %s s", name, cmd_number_text(seconds, "%.5g", best->seconds));
    g_autofree char *note = g_strdup_printf(
        "%s points, %" G_GUINT64_FORMAT " steps; the best k of each tile. Empty: a "
        "tile takes more than the %" G_GUINT64_FORMAT " bytes of a block.",
        size, problem->steps, options->space.machine.block_shared_bytes);

    for (guint i = 0; i < self->cells->len; i++) {
        values[i] =
            cell_at(self, i)->tile.resident > 0 ? cell_at(self, i)->seconds : NAN;
    }
    return trace_surface_to_svg(&(TraceSurface){
        .title = title,
        .x = "t_T, steps of a tile",
        .y = "t_S2, points",
        .unit = "T_alg, s",
        .note = note,
        .columns = (const double *) self->steps->data,
        .column_count = self->steps->len,
        .rows = (const double *) self->widths->data,
        .row_count = self->widths->len,
        .values = values,
        .mark = mark,
        .mark_column = self->best % self->steps->len,
        .mark_row = self->best / self->steps->len,
    });
}

/* A line of a page: seconds of some of the steps. */
static void add_row(Grid *grid, const ModelTimeSurface *self, guint row, guint stride)
{
    g_autofree char *name =
        g_strdup_printf("%.0f", g_array_index(self->widths, double, row));
    const char *texts[COLUMNS + 1] = {name};
    CmdNumberText numbers[COLUMNS];

    for (guint i = 0; i < COLUMNS; i++) {
        const guint column = i * stride;
        const GpuTileChoice *cell = column < self->steps->len
                                        ? cell_at(self, row * self->steps->len + column)
                                        : NULL;

        texts[i + 1] = cell == NULL || cell->tile.resident == 0
                           ? "-"
                           : cmd_number_text(numbers[i], "%.5g", cell->seconds);
    }
    grid_add(grid, texts);
}

void model_time_surface_print(gconstpointer surface)
{
    const ModelTimeSurface *self = surface;
    const guint stride = (self->steps->len + COLUMNS - 1) / COLUMNS;
    const char *texts[COLUMNS + 1] = {"T_S2"};
    CmdNumberText numbers[COLUMNS];
    g_autofree char *best =
        model_time_tile_name(&cell_at(self, self->best)->tile, SIDES);
    g_autofree char *worst =
        model_time_tile_name(&cell_at(self, self->worst)->tile, SIDES);
    CmdNumberText seconds;
    g_autoptr(Grid) grid = grid_new(COLUMNS + 1);

    model_time_print_head(self->options,
                          model_time_form_name(self->options->space.form));
    printf("  tiles     t_S1 = %" G_GUINT64_FORMAT ", the best k of each\n\n",
           self->options->tile.space[0]);
    printf("T_alg, s, over t_T (columns) and t_S2\n");
    for (guint i = 0; i < COLUMNS; i++) {
        const guint column = i * stride;

        texts[i + 1] = column < self->steps->len
                           ? cmd_number_text(numbers[i], "%.0f",
                                             g_array_index(self->steps, double, column))
                           : "-";
    }
    grid_add(grid, texts);
    for (guint row = 0; row < self->widths->len; row++) {
        add_row(grid, self, row, stride);
    }
    grid_print(grid, stdout, 2);
    printf("\nOf %u tiles the best is %s: %s s\n", self->tiles, best,
           cmd_number_text(seconds, "%.6g", cell_at(self, self->best)->seconds));
    printf("and the worst %s: %s s. -o FILE.svg draws all.\n", worst,
           cmd_number_text(seconds, "%.6g", cell_at(self, self->worst)->seconds));
}
