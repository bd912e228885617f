/* Writes a comparison with measured times: text, JSON, a table, Figure A.4. */
#include <stdio.h>

#include "tools/gridloom/grid.h"
#include "tools/gridloom/model/time/measured.h"
#include "tools/gridloom/model/time/text.h"
#include "tools/gridloom/number_text.h"
#include "tools/gridloom/quantity.h"
#include "traces/picture/plot.h"

#define PERCENT 100.0
#define RATIO   10.0 /* of times from which on axes are logarithmic */

enum {
    SHOWN = 20, /* experiments of a page */
};

static const GpuTilingSample *sample_at(const ModelTimeMeasured *self, guint place)
{
    return &g_array_index(self->samples, GpuTilingSample, place);
}

static const ModelTimeBench *bench_of(const ModelTimeMeasured *self, guint row)
{
    return &g_array_index(self->benches, ModelTimeBench,
                          sample_at(self, row)->experiment);
}

/* What an experiment is summed up by. */
typedef struct {
    guint samples;
    gssize best;   /* row of the least measured time */
    gssize chosen; /* row of the least predicted time */
} Summary;

static Summary *summaries_of(const ModelTimeMeasured *self)
{
    Summary *all = g_new(Summary, self->benches->len);

    for (guint i = 0; i < self->benches->len; i++) {
        all[i] = (Summary){0, -1, -1};
    }
    for (guint row = 0; row < self->samples->len; row++) {
        const GpuTilingSample *sample = sample_at(self, row);
        Summary *summary = &all[sample->experiment];

        summary->samples++;
        if (summary->best < 0 ||
            sample->measured < sample_at(self, (guint) summary->best)->measured) {
            summary->best = row;
        }
        if (summary->chosen < 0 ||
            sample->predicted < sample_at(self, (guint) summary->chosen)->predicted) {
            summary->chosen = row;
        }
    }
    return all;
}

JsonObject *model_time_measured_parameters(gconstpointer measured)
{
    const ModelTimeMeasured *self = measured;
    JsonObject *object = json_object_new();

    json_object_set_string_member(object, "measured", self->options->measured);
    json_object_set_boolean_member(object, "as_printed",
                                   self->options->space.form == GPU_TILING_AS_PRINTED);
    json_object_set_double_member(object, "within_percent",
                                  PERCENT * self->options->within);
    return object;
}

JsonObject *model_time_measured_metrics(gconstpointer measured)
{
    const ModelTimeMeasured *self = measured;
    const GpuTilingErrors *errors = &self->errors;
    JsonObject *object = json_object_new();

    json_object_set_int_member(object, "experiments", errors->experiments);
    json_object_set_int_member(object, "samples", errors->samples);
    json_object_set_int_member(object, "near_samples", errors->near_samples);
    json_object_set_double_member(object, "rmse_percent", PERCENT * errors->rmse);
    json_object_set_double_member(object, "near_rmse_percent",
                                  PERCENT * errors->near_rmse);
    json_object_set_double_member(object, "err_max", errors->err_max);
    json_object_set_double_member(object, "err_sign", errors->err_sign);
    return object;
}

char *model_time_measured_csv(gconstpointer measured)
{
    const ModelTimeMeasured *self = measured;
    GString *text = g_string_new("experiment,tile,tile_steps,resident,measured_seconds,"
                                 "predicted_seconds,error_percent\n");

    for (guint row = 0; row < self->samples->len; row++) {
        const GpuTilingSample *sample = sample_at(self, row);
        const GpuTile *tile = &g_array_index(self->tiles, GpuTile, row);
        const ModelTimeBench *bench = bench_of(self, row);
        g_autofree char *sizes =
            quantity_sizes(tile->space, bench->space.problem.dimension);
        CmdNumberText numbers[3];

        g_string_append_printf(
            text, "%s,%s,%" G_GUINT64_FORMAT ",%u,%s,%s,%s\n", bench->name, sizes,
            tile->steps, tile->resident,
            cmd_number_text(numbers[0], "%.15g", sample->measured),
            cmd_number_text(numbers[1], "%.15g", sample->predicted),
            cmd_number_text(numbers[2], "%.6f",
                            PERCENT * (sample->predicted - sample->measured) /
                                sample->measured));
    }
    return g_string_free(text, FALSE);
}

/* The points of one kind, near their experiment's best or not. */
static gsize take_points(const ModelTimeMeasured *self,
                         const Summary *summaries,
                         bool is_near,
                         TracePlotPoint *points)
{
    gsize count = 0;

    for (guint row = 0; row < self->samples->len; row++) {
        const GpuTilingSample *sample = sample_at(self, row);
        const Summary *summary = &summaries[sample->experiment];
        const double best = sample_at(self, (guint) summary->best)->measured;

        if ((sample->measured <= best * (1 + self->options->within)) == is_near) {
            points[count++] = (TracePlotPoint){sample->measured, sample->predicted};
        }
    }
    return count;
}

char *model_time_measured_svg(gconstpointer measured)
{
    const ModelTimeMeasured *self = measured;
    g_autofree Summary *summaries = summaries_of(self);
    g_autofree TracePlotPoint *near = g_new(TracePlotPoint, self->samples->len);
    g_autofree TracePlotPoint *far = g_new(TracePlotPoint, self->samples->len);
    const gsize near_count = take_points(self, summaries, true, near);
    const gsize far_count = take_points(self, summaries, false, far);
    TracePlotPoint ends[] = {{G_MAXDOUBLE, 0}, {0, 0}};
    g_autofree char *name =
        g_strdup_printf("within %.0f %% of the best", PERCENT * self->options->within);
    g_autofree char *note =
        g_strdup_printf("RMSE %.1f %% of all %u, %.1f %% of the %u close to the best",
                        PERCENT * self->errors.rmse, self->errors.samples,
                        PERCENT * self->errors.near_rmse, self->errors.near_samples);
    const TracePlotSeries series[] = {
        {name, TRACE_PLOT_POINTS, near, near_count, NULL},
        {"others", TRACE_PLOT_POINTS, far, far_count, NULL},
        {"equal", TRACE_PLOT_LINE, ends, G_N_ELEMENTS(ends), NULL},
    };

    for (guint row = 0; row < self->samples->len; row++) {
        const GpuTilingSample *sample = sample_at(self, row);

        ends[0].x = MIN(ends[0].x, MIN(sample->measured, sample->predicted));
        ends[1].x = MAX(ends[1].x, MAX(sample->measured, sample->predicted));
    }
    ends[0].y = ends[0].x;
    ends[1].y = ends[1].x;
    return trace_plot_to_svg(&(TracePlot){
        .title = "Predicted and measured times of tiled stencils",
        .x = "measured, s",
        .y = "predicted, s",
        .is_log_x = ends[1].x > RATIO * ends[0].x,
        .is_log_y = ends[1].x > RATIO * ends[0].x,
        .note = note,
        .series = series,
        .series_count = G_N_ELEMENTS(series),
    });
}

static void print_experiments(const ModelTimeMeasured *self)
{
    g_autofree Summary *summaries = summaries_of(self);
    g_autoptr(Grid) grid = grid_new(5);

    grid_add(grid, (const char *[]){"EXPERIMENT", "TILES", "BEST MEASURED, S",
                                    "MODEL SAYS, S", "MODEL'S CHOICE TOOK, S"});
    for (guint i = 0; i < MIN(self->benches->len, SHOWN); i++) {
        const GpuTilingSample *best = sample_at(self, (guint) summaries[i].best);
        const GpuTilingSample *chosen = sample_at(self, (guint) summaries[i].chosen);
        CmdNumberText numbers[4];

        grid_add(grid, (const char *[]){
                           g_array_index(self->benches, ModelTimeBench, i).name,
                           cmd_number_text(numbers[0], "%.0f", summaries[i].samples),
                           cmd_number_text(numbers[1], "%.5g", best->measured),
                           cmd_number_text(numbers[2], "%.5g", best->predicted),
                           cmd_number_text(numbers[3], "%.5g", chosen->measured)});
    }
    grid_print(grid, stdout, 2);
    if (self->benches->len > SHOWN) {
        printf("  and %u more\n", self->benches->len - SHOWN);
    }
}

void model_time_measured_print(gconstpointer measured)
{
    const ModelTimeMeasured *self = measured;
    const GpuTilingErrors *errors = &self->errors;
    CmdNumberText numbers[2];

    printf("model time: %s against measured times, %s\n", self->options->measured,
           model_time_form_name(self->options->space.form));
    printf("  RMSE      %s %% of all %u, %s %% of the %u within %.0f %% of the best\n",
           cmd_number_text(numbers[0], "%.2f", PERCENT * errors->rmse), errors->samples,
           cmd_number_text(numbers[1], "%.2f", PERCENT * errors->near_rmse),
           errors->near_samples, PERCENT * self->options->within);
    printf("  Err_max   %s s, Err_sign %s s, over %u experiment%s (A.6.2)\n\n",
           cmd_number_text(numbers[0], "%.6g", errors->err_max),
           cmd_number_text(numbers[1], "%.6g", errors->err_sign), errors->experiments,
           errors->experiments == 1 ? "" : "s");
    print_experiments(self);
}
