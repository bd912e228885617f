/* Figure 11: rooflines of fused stencils at the full clock and at that of profiling. */
#include <math.h>

#include "tools/gridloom/gpu/figure.h"
#include "traces/picture/panels.h"

#define BASELINE   "ebisu"
#define TRANSITION "transition"
#define TERA       1e12
#define MEGA       1e6

enum {
    DEPTH_MOST = 8,
    ROOF_POINTS = 3,
    SERIES_COUNT = 4,
    SEARCH_MOST = 64, /* depths until a stencil is compute bound */
};

static const GpuStencil stencils[] = {
    {GPU_BOX, 2, 1, 1, GPU_DOUBLE},
    {GPU_STAR, 2, 1, 1, GPU_DOUBLE},
    {GPU_BOX, 2, 1, 1, GPU_FLOAT},
    {GPU_STAR, 2, 1, 1, GPU_FLOAT},
};

enum {
    PANEL_COUNT = G_N_ELEMENTS(stencils),
};

static const char *const clocks[] = {"full clock", "profiling clock"};

typedef struct {
    TracePlotPoint roofs[2][ROOF_POINTS]; /* full clock, that of profiling */
    TracePlotPoint points[2][DEPTH_MOST];
    TracePanelSeries series[SERIES_COUNT];
} Panel;

/* The intensity of a stencil at a depth; fails as cmd_gpu_figure_model(). */
static bool find_intensity(const CmdGpuFigure *self,
                           const GpuStencil *base,
                           guint fusion,
                           double *intensity,
                           GError **error)
{
    GpuStencil stencil = *base;
    GpuStencilModel model;

    stencil.fusion = fusion;
    if (!cmd_gpu_figure_model(self, BASELINE, &stencil, 0, &model, error)) {
        return false;
    }
    *intensity = model.intensity;
    return true;
}

/* Which parts of the full clock make all published transitions come true. The paper
 * says that it profiled at a lower clock, and not which. */
static bool
find_clocks(const CmdGpuFigure *self, double *least, double *most, GError **error)
{
    *least = 0;
    *most = 1;
    for (guint i = 0; i < cmd_gpu_published_count(self->published); i++) {
        const CmdGpuPublishedRow *row = cmd_gpu_published_row(self->published, i);
        GpuStencil stencil = row->stencil;
        GpuStencilModel model;
        double before;

        if (!g_str_equal(row->quantity, TRANSITION)) {
            continue;
        }
        stencil.fusion = MAX((guint) row->value, 2);
        stencil.type = GPU_DOUBLE;
        if (!cmd_gpu_figure_model(self, BASELINE, &stencil, 0, &model, error) ||
            !find_intensity(self, &stencil, stencil.fusion - 1, &before, error)) {
            return false;
        }
        *least = fmax(*least, before / model.ridge);
        *most = fmin(*most, model.intensity / model.ridge);
    }
    return true;
}

static guint
find_transition(const CmdGpuFigure *self, const GpuStencil *stencil, double clock_hz)
{
    const GpuStencilSetting setting = {.gpu = self->gpu, .clock_hz = clock_hz};

    return gpu_stencil_transition(stencil, gpu_implementation_find(BASELINE), &setting,
                                  SEARCH_MOST);
}

/* Points and roof at one clock; true unless the model fails. */
static bool fill_clock(CmdGpuFigure *self,
                       const GpuStencil *base,
                       bool is_profiled,
                       double clock_hz,
                       Panel *panel,
                       GError **error)
{
    TracePlotPoint *points = panel->points[is_profiled];
    GpuStencil stencil = *base;
    GpuStencilModel model;

    for (stencil.fusion = 1; stencil.fusion <= DEPTH_MOST; stencil.fusion++) {
        if (!cmd_gpu_figure_model(self, BASELINE, &stencil, clock_hz, &model, error)) {
            return false;
        }
        cmd_gpu_figure_add(self, &(CmdGpuFigureRow){.implementation = BASELINE,
                                                    .stencil = stencil,
                                                    .condition = clocks[is_profiled],
                                                    .quantity = "rate",
                                                    .unit = "TFLOP/s",
                                                    .model = model.rate / TERA});
        points[stencil.fusion - 1] =
            (TracePlotPoint){model.intensity, model.rate / TERA};
    }
    const double bandwidth = model.peak / model.ridge / TERA;
    const double from = points[0].x / 1.6;
    const double to = points[DEPTH_MOST - 1].x * 1.6;

    panel->roofs[is_profiled][0] = (TracePlotPoint){from, from * bandwidth};
    panel->roofs[is_profiled][1] = (TracePlotPoint){model.ridge, model.peak / TERA};
    panel->roofs[is_profiled][2] =
        (TracePlotPoint){fmax(to, model.ridge * 1.2), model.peak / TERA};
    return true;
}

/* Points that the lower clock moves, numbered as they are. */
static void
fill_series(CmdGpuFigure *self, Panel *panel, guint transition, double clock_hz)
{
    const guint first =
        transition > 0 ? MIN(transition, DEPTH_MOST + 1) : DEPTH_MOST + 1;
    const char *name = cmd_gpu_figure_text(self, "at %.0f MHz", clock_hz / MEGA);

    panel->series[0] = (TracePanelSeries){.is_line = true,
                                          .colour = 0,
                                          .points = panel->roofs[0],
                                          .point_count = ROOF_POINTS};
    panel->series[1] = (TracePanelSeries){.is_line = true,
                                          .colour = 1,
                                          .points = panel->roofs[1] + 1,
                                          .point_count = ROOF_POINTS - 1};
    panel->series[2] = (TracePanelSeries){.name = "at full clock",
                                          .colour = 0,
                                          .points = panel->points[0],
                                          .point_count = DEPTH_MOST};
    panel->series[3] = (TracePanelSeries){.name = name,
                                          .colour = 1,
                                          .first = first,
                                          .points = panel->points[1] + first - 1,
                                          .point_count = DEPTH_MOST + 1 - first};
}

static bool fill_panel(CmdGpuFigure *self,
                       const GpuStencil *stencil,
                       double clock_hz,
                       Panel *panel,
                       TracePanel *drawn,
                       GError **error)
{
    g_autofree char *name = gpu_stencil_name(stencil);
    const guint full = find_transition(self, stencil, 0);
    const guint profiled = find_transition(self, stencil, clock_hz);

    if (!fill_clock(self, stencil, false, 0, panel, error) ||
        !fill_clock(self, stencil, true, clock_hz, panel, error)) {
        return false;
    }
    fill_series(self, panel, profiled, clock_hz);
    const char *title =
        cmd_gpu_figure_text(self, "%s, %s", name, gpu_type_name(stencil->type));
    const char *note = cmd_gpu_figure_text(
        self, "compute bound from %u steps on at full clock, from %u at %.0f MHz", full,
        profiled, clock_hz / MEGA);

    cmd_gpu_figure_note(self, "%s: %s", title, note);
    *drawn = (TracePanel){.title = title,
                          .x = "arithmetic intensity [FLOP/B]",
                          .y = "attainable [TFLOP/s]",
                          .is_log = true,
                          .note = note,
                          .series = panel->series,
                          .series_count = SERIES_COUNT};
    return true;
}

/* A row for each published transition. */
static void add_transitions(CmdGpuFigure *self, double clock_hz)
{
    for (guint i = 0; i < cmd_gpu_published_count(self->published); i++) {
        const CmdGpuPublishedRow *published = cmd_gpu_published_row(self->published, i);

        if (!g_str_equal(published->quantity, TRANSITION)) {
            continue;
        }
        GpuStencil stencil = published->stencil;

        stencil.type = GPU_DOUBLE;
        for (guint is_profiled = 0; is_profiled <= 1; is_profiled++) {
            const guint found =
                find_transition(self, &stencil, is_profiled ? clock_hz : 0);

            cmd_gpu_figure_add(
                self, &(CmdGpuFigureRow){.implementation = BASELINE,
                                         .stencil = stencil,
                                         .condition = clocks[is_profiled],
                                         .quantity = TRANSITION,
                                         .unit = published->unit,
                                         .model = found > 0 ? (double) found : NAN,
                                         .published = published});
        }
    }
}

bool cmd_gpu_figure_roofs(CmdGpuFigure *self, GError **error)
{
    Panel panels[PANEL_COUNT];
    TracePanel drawn[PANEL_COUNT];
    const double boost = gpu_clock_hz(self->gpu);
    double least;
    double most;

    if (!find_clocks(self, &least, &most, error)) {
        return false;
    }
    const double clock_hz = least < most ? boost * (least + most) / 2 : boost;

    for (gsize i = 0; i < PANEL_COUNT; i++) {
        if (!fill_panel(self, &stencils[i], clock_hz, &panels[i], &drawn[i], error)) {
            return false;
        }
    }
    add_transitions(self, clock_hz);
    const char *window = cmd_gpu_figure_text(
        self,
        "The transitions that the paper found on an A100, at a clock that it does not "
        "print, need %.0f to %.0f %% of the full clock here (%.0f to %.0f MHz); drawn "
        "is "
        "the middle.",
        100 * least, 100 * most, boost * least / MEGA, boost * most / MEGA);
    const char *const notes[] = {
        "The number in a mark is how many time steps are fused; where squares are "
        "missing both clocks give the same.",
        window, NULL};

    cmd_gpu_figure_note(self, "%s", window);
    self->svg = trace_panels_to_svg(&(TracePanels){
        .title = "Gu et al., Figure 11: rooflines of fused stencils on CUDA cores",
        .panels = drawn,
        .panel_count = PANEL_COUNT,
        .column_count = 2,
        .notes = notes,
    });
    return true;
}
