/* Figure 10: which stencils are memory bound and which compute bound, by fusion. */
#include "tools/gridloom/gpu/figure.h"
#include "traces/picture/ladder.h"

#define BASELINE "ebisu"

enum {
    DEPTH_MOST = 8,
};

/* Those of the paper's text, and between them. */
static const GpuStencil stencils[] = {
    {GPU_STAR, 2, 1, 1, GPU_FLOAT}, {GPU_BOX, 2, 1, 1, GPU_FLOAT},
    {GPU_STAR, 2, 2, 1, GPU_FLOAT}, {GPU_BOX, 2, 2, 1, GPU_FLOAT},
    {GPU_STAR, 2, 3, 1, GPU_FLOAT}, {GPU_BOX, 2, 3, 1, GPU_FLOAT},
    {GPU_STAR, 3, 1, 1, GPU_FLOAT}, {GPU_BOX, 3, 1, 1, GPU_FLOAT},
    {GPU_STAR, 3, 2, 1, GPU_FLOAT}, {GPU_BOX, 3, 2, 1, GPU_FLOAT},
};

enum {
    STENCIL_COUNT = G_N_ELEMENTS(stencils),
};

/* Intensities of a stencil by depth, and from which on it is compute bound; 0: none. */
static bool fill_row(CmdGpuFigure *self,
                     const GpuStencil *base,
                     double *values,
                     guint *transition,
                     double *ridge,
                     GError **error)
{
    GpuStencil stencil = *base;

    *transition = 0;
    for (stencil.fusion = 1; stencil.fusion <= DEPTH_MOST; stencil.fusion++) {
        GpuStencilModel model;

        if (!cmd_gpu_figure_model(self, BASELINE, &stencil, 0, &model, error)) {
            return false;
        }
        cmd_gpu_figure_add(
            self,
            &(CmdGpuFigureRow){
                .implementation = BASELINE,
                .stencil = stencil,
                .condition = model.is_compute_bound ? "compute bound" : "memory bound",
                .quantity = "intensity",
                .unit = "FLOP/B",
                .model = model.intensity,
                .published = cmd_gpu_published_find(self->published, BASELINE, &stencil,
                                                    "intensity")});
        values[stencil.fusion - 1] = model.intensity;
        *ridge = model.ridge;
        if (model.is_compute_bound && *transition == 0) {
            *transition = stencil.fusion;
        }
    }
    return true;
}

static const char *
describe(CmdGpuFigure *self, const GpuStencil *stencil, guint transition)
{
    g_autofree char *name = gpu_stencil_name(stencil);

    return transition > 0
               ? cmd_gpu_figure_text(self, "%s (from %u)", name, transition)
               : cmd_gpu_figure_text(self, "%s (not up to %u)", name, DEPTH_MOST + 0U);
}

bool cmd_gpu_figure_classes(CmdGpuFigure *self, GError **error)
{
    static const char *const notes[] = {
        "The number in a mark is how many time steps are fused; in brackets, from "
        "which "
        "on the stencil is compute bound.",
        NULL};
    TraceLadderRow rows[STENCIL_COUNT];
    double values[STENCIL_COUNT][DEPTH_MOST];
    double ridge = 1;

    for (gsize i = 0; i < STENCIL_COUNT; i++) {
        guint transition;

        if (!fill_row(self, &stencils[i], values[i], &transition, &ridge, error)) {
            return false;
        }
        const char *label = describe(self, &stencils[i], transition);

        rows[i] = (TraceLadderRow){.label = label,
                                   .values = values[i],
                                   .value_count = DEPTH_MOST,
                                   .colour = stencils[i].shape == GPU_BOX ? 0 : 1};
        cmd_gpu_figure_note(self, "%s", label);
    }
    self->svg = trace_ladder_to_svg(&(TraceLadder){
        .title = "Gu et al., Figure 10: stencils on CUDA cores by fusion depth, float",
        .x = "arithmetic intensity [FLOP/B]",
        .limit = ridge,
        .limit_text = cmd_gpu_figure_text(self, "ridge %.2f", ridge),
        .below = "memory bound",
        .above = "compute bound",
        .rows = rows,
        .row_count = STENCIL_COUNT,
        .notes = notes,
    });
    return true;
}
