/* A study of a stencil on the roofline of its GPU. */
#include <math.h>

#include "tools/gridloom/gpu/stencil_result.h"
#include "tools/gridloom/quantity.h"
#include "traces/picture/plot.h"

#define TERA 1e12
#define ROOM 4.0 /* the axis goes so many times beyond points and ridges */

enum {
    LINE_POINTS = 2,
};

typedef struct {
    const CmdGpuStencilStudy *study;
    GArray *series; /* of TracePlotSeries; names and points are theirs */
    double low;     /* intensities of points and ridges */
    double high;
} Picture;

static void series_clear(gpointer data)
{
    TracePlotSeries *self = data;

    g_free((gpointer) self->name);
    g_free((gpointer) self->points);
}

static void picture_init(Picture *self, const CmdGpuStencilStudy *study)
{
    *self = (Picture){.study = study,
                      .series = g_array_new(FALSE, TRUE, sizeof(TracePlotSeries)),
                      .low = INFINITY};
    g_array_set_clear_func(self->series, series_clear);
}

static void picture_clear(Picture *self)
{
    g_array_unref(self->series);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Picture, picture_clear)

/* Takes `name`, which may be NULL, and `points`. */
static void add_series(Picture *self,
                       const char *name,
                       TracePlotStyle style,
                       TracePlotPoint *points,
                       gsize count)
{
    const TracePlotSeries series = {
        .name = name, .style = style, .points = points, .point_count = count};

    g_array_append_val(self->series, series);
}

/* The cases that are drawn: those of the sweep, or the one there is. */
static guint case_count(const CmdGpuStencilStudy *study)
{
    return study->sweep != NULL ? study->sweep->len : 1;
}

static const CmdGpuStencilCase *case_at(const CmdGpuStencilStudy *study, guint index)
{
    return study->sweep != NULL ? &g_array_index(study->sweep, CmdGpuStencilCase, index)
                                : &study->now;
}

static void cover(Picture *self, const GpuStencilModel *model)
{
    self->low = fmin(self->low, fmin(model->intensity, model->ridge));
    self->high = fmax(self->high, fmax(model->intensity, model->ridge));
}

static void cover_all(Picture *self)
{
    for (guint i = 0; i < case_count(self->study); i++) {
        const CmdGpuStencilCase *at = case_at(self->study, i);

        cover(self, &cmd_gpu_stencil_study_baseline(self->study, at)->model);
        cover(self, &cmd_gpu_stencil_study_with(self->study, at)->model);
    }
    self->low /= ROOM;
    self->high *= ROOM;
}

static void
add_line(Picture *self, const char *name, TracePlotPoint from, TracePlotPoint to)
{
    TracePlotPoint *points = g_new(TracePlotPoint, LINE_POINTS);

    points[0] = from;
    points[1] = to;
    add_series(self, name, TRACE_PLOT_LINE, points, LINE_POINTS);
}

static void add_ceiling(Picture *self, const CmdGpuStencilRow *row)
{
    const GpuStencilModel *model = &row->model;
    const double peak = model->peak / TERA;
    g_autofree char *rate = quantity_scaled(model->peak);

    add_line(self,
             g_strdup_printf(
                 "%s, %s: %sFLOP/s", gpu_unit_title(row->program->unit),
                 gpu_format_name(row->program->unit, self->study->now.stencil.type),
                 rate),
             (TracePlotPoint){model->ridge, peak}, (TracePlotPoint){self->high, peak});
}

/* The slope goes up to the highest ceiling that is drawn. */
static void add_roofs(Picture *self)
{
    const CmdGpuStencilStudy *study = self->study;
    const CmdGpuStencilRow *baseline =
        cmd_gpu_stencil_study_baseline(study, &study->now);
    const CmdGpuStencilRow *with = cmd_gpu_stencil_study_with(study, &study->now);
    const double ridge = fmax(baseline->model.ridge, with->model.ridge);
    const double bandwidth = with->model.peak / with->model.ridge;
    g_autofree char *rate = quantity_scaled(bandwidth);

    add_line(self, g_strdup_printf("DRAM: %sB/s", rate),
             (TracePlotPoint){self->low, bandwidth * self->low / TERA},
             (TracePlotPoint){ridge, bandwidth * ridge / TERA});
    add_ceiling(self, baseline);
    add_ceiling(self, with);
}

/* Takes `name`. */
static void add_points(
    Picture *self, guint program, bool is_raw, TracePlotStyle style, const char *name)
{
    const guint count = case_count(self->study);
    TracePlotPoint *points = g_new(TracePlotPoint, count);

    for (guint i = 0; i < count; i++) {
        const GpuStencilModel *model = &case_at(self->study, i)->rows[program].model;

        points[i] = (TracePlotPoint){model->intensity,
                                     (is_raw ? model->raw_rate : model->rate) / TERA};
    }
    add_series(self, name, style, points, count);
}

/* Points without useless work are on the roofs; what is useful of the rest is below. */
static void add_programs(Picture *self)
{
    const CmdGpuStencilOptions *options = self->study->options;
    const CmdGpuStencilCase *now = &self->study->now;
    const CmdGpuStencilRow *baseline = cmd_gpu_stencil_study_baseline(self->study, now);
    const CmdGpuStencilRow *with = cmd_gpu_stencil_study_with(self->study, now);
    const char *name = with->program->name;

    if (self->study->sweep != NULL) {
        add_points(self, options->baseline, false, TRACE_PLOT_POINTS,
                   g_strdup(baseline->program->name));
        add_points(self, options->with, true, TRACE_PLOT_POINTS,
                   g_strdup_printf("%s, with useless work", name));
        add_points(self, options->with, false, TRACE_PLOT_BOTH,
                   g_strdup_printf("%s, useful: S / alpha of it", name));
        return;
    }
    add_line(self, NULL,
             (TracePlotPoint){with->model.intensity, with->model.raw_rate / TERA},
             (TracePlotPoint){with->model.intensity, with->model.rate / TERA});
    add_points(self, options->baseline, false, TRACE_PLOT_POINTS,
               g_strdup_printf("%s: %s bound", baseline->program->name,
                               cmd_gpu_stencil_bound(&baseline->model)));
    add_points(self, options->with, true, TRACE_PLOT_POINTS,
               g_strdup_printf("%s: %s bound, with useless work", name,
                               cmd_gpu_stencil_bound(&with->model)));
    add_points(self, options->with, false, TRACE_PLOT_POINTS,
               g_strdup_printf("%s, useful: S / alpha = %.3g of it", name,
                               with->model.sparsity / with->model.redundancy));
}

static char *title_of(const CmdGpuStencilStudy *study)
{
    const CmdGpuStencilOptions *options = study->options;
    const GpuStencil *stencil = &study->now.stencil;
    g_autofree char *name = gpu_stencil_name(stencil);
    const char *type = gpu_type_name(stencil->type);
    const char *gpu = arch_params_name(options->gpu);

    switch (options->sweep) {
    case CMD_GPU_SWEEP_FUSION:
        return g_strdup_printf("%s, %s, %u to %u steps in a pass on %s", name, type,
                               options->sweep_from, options->sweep_to, gpu);
    case CMD_GPU_SWEEP_RADIUS:
        return g_strdup_printf("%s-%uD, radius %u to %u, %s, fusion %u on %s",
                               stencil->shape == GPU_BOX ? "Box" : "Star",
                               stencil->dimension, options->sweep_from,
                               options->sweep_to, type, stencil->fusion, gpu);
    case CMD_GPU_SWEEP_NONE:
        break;
    }
    return g_strdup_printf("%s, %s, fusion %u on %s: scenario %u, %.3gx", name, type,
                           stencil->fusion, gpu, study->now.scenario,
                           study->now.speedup);
}

static char *draw(const CmdGpuStencilStudy *study, char *(*to_text)(const TracePlot *) )
{
    g_auto(Picture) picture = {0};
    g_autofree char *title = title_of(study);

    picture_init(&picture, study);
    cover_all(&picture);
    add_roofs(&picture);
    add_programs(&picture);
    return to_text(&(TracePlot){
        .title = title,
        .x = "operations per byte of DRAM [FLOP/B]",
        .y = "rate [TFLOP/s]",
        .is_log_x = true,
        .is_log_y = true,
        .series = (const TracePlotSeries *) (const void *) picture.series->data,
        .series_count = picture.series->len,
    });
}

char *cmd_gpu_stencil_to_svg(const CmdGpuStencilStudy *self)
{
    return draw(self, trace_plot_to_svg);
}

char *cmd_gpu_stencil_to_letters(const CmdGpuStencilStudy *self)
{
    return draw(self, trace_plot_to_text);
}
