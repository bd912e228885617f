/* One problem in tiles of every shape: text, JSON, a table, bars. */
#include "arch/model/tiling/shapes.h"

#include <math.h>
#include <stdio.h>

#include "tools/gridloom/model/time/time.h"
#include "traces/file/quantity.h"
#include "traces/picture/bar_list.h"
#include "traces/table/record.h"
#include "traces/table/rows.h"

typedef struct {
    const ModelTimeOptions *options;
    bool is_there[GPU_SHAPES];
    GpuShapeTime times[GPU_SHAPES];
    char *why[GPU_SHAPES]; /* not; NULL where it is there */
} Study;

static JsonObject *parameters(gconstpointer data)
{
    const Study *self = data;
    JsonObject *object = model_time_asked_json(self->options);

    RECORD_ADD(object,
               VALUE("tile", model_time_tile_json(&self->options->tile,
                                                  self->options->stencil->dimension)));
    return object;
}

static JsonObject *row_of(const Study *self, GpuShape shape)
{
    const guint dimension = self->options->stencil->dimension;
    const GpuShapeTime *time = &self->times[shape];
    JsonObject *row = RECORD(VALUE("shape", gpu_shape_time_name(shape)));

    if (!self->is_there[shape]) {
        RECORD_ADD(row, VALUE("note", self->why[shape]));
        return row;
    }
    g_autofree char *name = quantity_sizes(time->tile.space, dimension);

    RECORD_ADD(row, VALUE("seconds", time->seconds), VALUE("tile", name),
               VALUE("tile_steps", time->tile.steps),
               VALUE("resident", time->tile.resident), VALUE("tile_bytes", time->bytes),
               VALUE("wavefronts", time->wavefronts), VALUE("rounds", time->rounds),
               VALUE("strips", time->strips), VALUE("tile_points", time->points),
               VALUE("passes", time->passes), VALUE("moved_words", time->moved_words),
               VALUE("redundancy", time->redundancy), VALUE("words", time->words));
    return row;
}

static JsonArray *rows(const Study *self)
{
    JsonArray *array = json_array_new();

    for (guint shape = 0; shape < GPU_SHAPES; shape++) {
        json_array_add_object_element(array, row_of(self, (GpuShape) shape));
    }
    return array;
}

static JsonObject *metrics(gconstpointer data)
{
    return RECORD(VALUE("shapes", rows(data)));
}

static char *csv(gconstpointer data)
{
    return trace_rows_csv(rows(data),
                          "shape,tile,tile_steps,resident,tile_bytes,wavefronts,rounds,"
                          "strips,tile_points,passes,moved_words,redundancy,words,"
                          "seconds",
                          "");
}

static char *svg(gconstpointer data)
{
    const Study *self = data;
    g_autoptr(TraceBarList) bars = trace_bar_list_new(
        "%s on %s in tiles of several shapes", self->options->stencil->title,
        arch_params_name(self->options->gpu));

    trace_bar_list_panel(bars, "time, s");
    for (guint i = 0; i < GPU_SHAPES; i++) {
        if (self->is_there[i]) {
            trace_bar_list_add(bars, gpu_shape_time_name((GpuShape) i),
                               self->times[i].seconds, NAN, "%.4g s",
                               self->times[i].seconds);
        }
    }
    return trace_bar_list_to_svg(bars);
}

static void print(gconstpointer data)
{
    const Study *self = data;

    model_time_print_head(self->options);
    printf("\n");
    trace_rows_print(rows(self),
                     "SHAPE=shape|TILE=tile|T_T=tile_steps:%.0f|K=resident:%.0f|"
                     "BYTES=tile_bytes:%.0f|WAVEFRONTS=wavefronts:%.0f|"
                     "ROUNDS=rounds:%.0f|COMPUTED=redundancy:%.3f|"
                     "WORDS=words:%.4g|SECONDS=seconds:%.5g");
    for (guint i = 0; i < GPU_SHAPES; i++) {
        if (!self->is_there[i]) {
            printf("  %s: %s\n", gpu_shape_time_name((GpuShape) i), self->why[i]);
        }
    }
    printf("  COMPUTED: points computed, of those there are; WORDS: between global "
           "and shared memory\n");
}

int model_time_shapes(const ModelTimeOptions *options, gint64 start)
{
    Study study = {.options = options};

    for (guint i = 0; i < GPU_SHAPES; i++) {
        g_autoptr(GError) error = NULL;

        study.is_there[i] =
            gpu_shape_time((GpuShape) i, &options->space.problem, &options->tile,
                           &options->space.machine, &study.times[i], &error);
        study.why[i] = study.is_there[i] ? NULL : g_strdup(error->message);
    }
    const int code = model_output_write(
        &options->output, &MODEL_PAGE("model time", options->gpu, &study), start);

    for (guint i = 0; i < GPU_SHAPES; i++) {
        g_free(study.why[i]);
    }
    return code;
}
