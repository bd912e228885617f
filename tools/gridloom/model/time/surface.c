/* Time over two sizes of tiles: text, JSON, a table, a picture. */
#include "arch/model/tiling/surface.h"

#include <math.h>
#include <stdio.h>

#include "tools/gridloom/complaint.h"
#include "tools/gridloom/model/time/time.h"
#include "traces/file/quantity.h"
#include "traces/picture/surface.h"
#include "traces/table/grid.h"
#include "traces/table/number_text.h"
#include "traces/table/record.h"

enum {
    COLUMNS = 9, /* of t_T in a page */
};

static const guint sides = 2;

typedef struct {
    const ModelTimeOptions *options;
    GpuTilingSurface surface;
} Study;

static const GpuTileChoice *cell_at(const Study *self, guint place)
{
    return gpu_tiling_surface_cell(&self->surface, place);
}

static JsonObject *parameters(gconstpointer data)
{
    const Study *self = data;
    JsonObject *object = model_time_asked_json(self->options);

    RECORD_ADD(object, VALUE("surface_first", self->options->tile.space[0]));
    return object;
}

static JsonObject *metrics(gconstpointer data)
{
    const Study *self = data;
    const GpuTileChoice *best = cell_at(self, self->surface.best);
    JsonArray *cells = json_array_new();

    for (guint i = 0; i < self->surface.cells->len; i++) {
        if (cell_at(self, i)->tile.resident > 0) {
            json_array_add_object_element(
                cells, model_time_choice_json(cell_at(self, i), &sides));
        }
    }
    return RECORD(VALUE("seconds", best->seconds),
                  VALUE("tile", model_time_tile_json(&best->tile, sides)),
                  VALUE("worst", model_time_choice_json(
                                     cell_at(self, self->surface.worst), &sides)),
                  VALUE("tiles", self->surface.tiles), VALUE("surface", cells));
}

static char *csv(gconstpointer data)
{
    const Study *self = data;
    GString *text = g_string_new("tile,tile_steps,resident,seconds\n");

    for (guint i = 0; i < self->surface.cells->len; i++) {
        const GpuTileChoice *cell = cell_at(self, i);
        g_autofree char *sizes = quantity_sizes(cell->tile.space, sides);

        if (cell->tile.resident > 0) {
            trace_number_text_add(text, "-", "%s,%" G_GUINT64_FORMAT ",%u,%.15g\n",
                                  sizes, cell->tile.steps, cell->tile.resident,
                                  cell->seconds);
        }
    }
    return g_string_free(text, FALSE);
}

static char *svg(gconstpointer data)
{
    const Study *self = data;
    const GpuTilingSurface *surface = &self->surface;
    const ModelTimeOptions *options = self->options;
    const GpuTilingProblem *problem = &options->space.problem;
    const GpuTileChoice *best = cell_at(self, surface->best);
    g_autofree double *values = g_new(double, surface->cells->len);
    g_autofree char *size = quantity_sizes(problem->space, sides);
    g_autofree char *title = g_strdup_printf(
        "T_alg of %s on %s, %s: t_S1 = %" G_GUINT64_FORMAT, options->stencil->title,
        arch_params_name(options->gpu), model_time_form_name(options->space.form),
        options->tile.space[0]);
    g_autofree char *name = model_time_tile_name(&best->tile, sides);
    g_autofree char *mark = g_strdup_printf("least: %s, %.5g s", name, best->seconds);
    g_autofree char *note = g_strdup_printf(
        "%s points, %" G_GUINT64_FORMAT " steps; the best k of each tile. Empty: a "
        "tile takes more than the %" G_GUINT64_FORMAT " bytes of a block.",
        size, problem->steps, options->space.machine.block_shared_bytes);

    for (guint i = 0; i < surface->cells->len; i++) {
        values[i] =
            cell_at(self, i)->tile.resident > 0 ? cell_at(self, i)->seconds : NAN;
    }
    return trace_surface_to_svg(&(TraceSurface){
        .title = title,
        .x = "t_T, steps of a tile",
        .y = "t_S2, points",
        .unit = "T_alg, s",
        .note = note,
        .columns = (const double *) surface->steps->data,
        .column_count = surface->steps->len,
        .rows = (const double *) surface->widths->data,
        .row_count = surface->widths->len,
        .values = values,
        .mark = mark,
        .mark_column = surface->best % surface->steps->len,
        .mark_row = surface->best / surface->steps->len,
    });
}

/* A line of a page: seconds of some of the steps; where `row` is -1 the steps. */
static void add_row(Grid *grid, const GpuTilingSurface *surface, int row)
{
    const guint count = surface->steps->len;
    const guint stride = (count + COLUMNS - 1) / COLUMNS;
    TraceNumberText numbers[COLUMNS + 1];
    const char *texts[COLUMNS + 1] = {"T_S2"};

    if (row >= 0) {
        texts[0] = trace_number_text(numbers[0], "%.0f",
                                     g_array_index(surface->widths, double, row));
    }
    for (guint i = 0; i < COLUMNS; i++) {
        const guint column = i * stride;
        const guint place = (guint) MAX(row, 0) * count + column;

        if (column >= count ||
            (row >= 0 && gpu_tiling_surface_cell(surface, place)->tile.resident == 0)) {
            texts[i + 1] = "-";
        } else if (row < 0) {
            texts[i + 1] = trace_number_text(
                numbers[i + 1], "%.0f", g_array_index(surface->steps, double, column));
        } else {
            texts[i + 1] =
                trace_number_text(numbers[i + 1], "%.5g",
                                  gpu_tiling_surface_cell(surface, place)->seconds);
        }
    }
    grid_add(grid, texts);
}

static void print(gconstpointer data)
{
    const Study *self = data;
    const GpuTileChoice *best = cell_at(self, self->surface.best);
    const GpuTileChoice *worst = cell_at(self, self->surface.worst);
    g_autofree char *best_name = model_time_tile_name(&best->tile, sides);
    g_autofree char *worst_name = model_time_tile_name(&worst->tile, sides);
    g_autoptr(Grid) grid = grid_new(COLUMNS + 1);

    model_time_print_head(self->options);
    printf("  tiles     t_S1 = %" G_GUINT64_FORMAT ", the best k of each\n\n",
           self->options->tile.space[0]);
    printf("T_alg, s, over t_T (columns) and t_S2\n");
    for (int row = -1; row < (int) self->surface.widths->len; row++) {
        add_row(grid, &self->surface, row);
    }
    grid_print(grid, stdout, 2);
    trace_number_text_print("\nOf %u tiles the best is %s: %.6g s\n"
                            "and the worst %s: %.6g s. -o FILE.svg draws all.\n",
                            self->surface.tiles, best_name, best->seconds, worst_name,
                            worst->seconds);
}

int model_time_surface(const ModelTimeOptions *options, gint64 start)
{
    Study study = {.options = options};
    g_autoptr(GError) error = NULL;
    int code;

    if (gpu_tiling_surface_init(&study.surface, &options->space, options->tile.space[0],
                                &error)) {
        code = model_output_write(
            &options->output, &MODEL_PAGE("model time", options->gpu, &study), start);
    } else {
        g_prefix_error(&error, "--surface: ");
        code = complain_of(error);
    }
    gpu_tiling_surface_clear(&study.surface);
    return code;
}
