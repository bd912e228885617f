/* gridloom gpu transform: the matrices that a stencil becomes on tensor cores, and
 * whether they give what the stencil gives. */
#include <math.h>
#include <stdio.h>

#include "arch/model/stencil/trial.h"
#include "tools/gridloom/commands.h"
#include "tools/gridloom/complaint.h"
#include "tools/gridloom/model/output.h"
#include "traces/table/grid.h"
#include "traces/table/record.h"
#include "traces/table/rows.h"

enum {
    SIDE_MOST = 4096, /* points a side of the grid */
};

typedef struct {
    GpuTrialSetting setting;
    uint64_t seed;
    ModelOutput output;
} Options;

typedef struct {
    const Options *options;
    GpuTrial trial;
} Study;

static const char *const shapes[] = {[GPU_BOX] = "box", [GPU_STAR] = "star", NULL};

static JsonObject *form_json(const GpuTrial *trial, guint form)
{
    const GpuTrialForm *of = &trial->forms[form];

    return RECORD(VALUE("form", gpu_form_name((GpuForm) form)),
                  VALUE("matrices", of->matrix_count), VALUE("rows", of->row_count),
                  VALUE("columns", of->column_count), VALUE("entries", of->entries),
                  VALUE("nonzeros", of->nonzeros), VALUE("sparsity", of->sparsity),
                  VALUE("multiplications_per_point", of->multiplications),
                  VALUE("max_abs_error", of->largest_error));
}

static JsonArray *forms_json(const GpuTrial *trial)
{
    JsonArray *forms = json_array_new();

    for (guint i = 0; i < GPU_FORM_COUNT; i++) {
        json_array_add_object_element(forms, form_json(trial, i));
    }
    return forms;
}

static JsonObject *parameters(gconstpointer study)
{
    const Options *options = ((const Study *) study)->options;
    const GpuStencil *stencil = &options->setting.stencil;

    return RECORD(VALUE("shape", gpu_shape_name(stencil->shape)),
                  VALUE("dim", stencil->dimension), VALUE("radius", stencil->radius),
                  VALUE("fusion", stencil->fusion),
                  VALUE("size", options->setting.size), VALUE("seed", options->seed),
                  VALUE("check", options->setting.has_check));
}

static JsonObject *metrics(gconstpointer study)
{
    const GpuTrial *trial = &((const Study *) study)->trial;

    return RECORD(
        VALUE("points", gpu_stencil_points(&trial->stencil)),
        VALUE("fused_points", gpu_stencil_fused_points(&trial->stencil, false)),
        VALUE("compared_points", trial->point_count),
        VALUE("tolerance", trial->tolerance), VALUE("forms", forms_json(trial)));
}

static char *csv(gconstpointer study)
{
    return trace_rows_csv(forms_json(&((const Study *) study)->trial),
                          "form,matrices,rows,columns,entries,nonzeros,sparsity,"
                          "multiplications_per_point,max_abs_error",
                          "");
}

static void print(gconstpointer study)
{
    const Study *self = study;
    const GpuTrial *trial = &self->trial;
    const GpuStencil *stencil = &trial->stencil;
    g_autofree char *name = gpu_stencil_name(stencil);
    g_autoptr(Grid) grid = grid_with(
        "FORM|MATRICES|ROWS|COLUMNS|ENTRIES|NONZERO|S|MULTIPLIES/POINT|LARGEST ERROR");

    printf("gpu transform\n");
    printf("  stencil     %s, %u %s in a kernel of %.15g points\n\n", name,
           stencil->fusion, stencil->fusion == 1 ? "step" : "steps",
           gpu_stencil_fused_points(stencil, false));
    for (guint i = 0; i < GPU_FORM_COUNT; i++) {
        const GpuTrialForm *form = &trial->forms[i];

        grid_printf(grid,
                    "%s|%u|%u|%u|%" G_GUINT64_FORMAT "|%" G_GUINT64_FORMAT
                    "|%.4g|%.6g|%.4g",
                    gpu_form_name((GpuForm) i), form->matrix_count, form->row_count,
                    form->column_count, form->entries, form->nonzeros, form->sparsity,
                    form->multiplications, form->largest_error);
    }
    grid_print(grid, stdout, 2);
    if (self->options->setting.has_check) {
        printf("\n  check       %s: %" G_GUINT64_FORMAT
               " points of each form against the stencil, step by step, %s\n",
               gpu_trial_is_equal(trial) ? "pass" : "FAIL", trial->point_count,
               trial->tolerance > 0 ? "within rounding" : "exactly");
    }
}

static bool
check(gpointer options, const OptionTexts *texts G_GNUC_UNUSED, GError **error)
{
    Options *self = options;

    self->setting.seed = (uint32_t) self->seed;
    return model_output_check(&self->output, error);
}

static int run(gpointer data)
{
    const gint64 start = g_get_monotonic_time();
    const Options *options = data;
    Study study = {.options = options};
    ModelPage page = {.name = "gpu transform",
                      .study = &study,
                      .parameters = parameters,
                      .metrics = metrics,
                      .csv = csv,
                      .print = print,
                      .unchecked = "nothing was run: --check runs all forms"};
    g_autoptr(GError) error = NULL;

    if (!gpu_trial_run(&study.trial, &options->setting, &error)) {
        return complain_of(error);
    }
    if (options->setting.has_check) {
        page.reference = "the stencil point by point, one step after the other, on "
                         "whole numbers";
        page.is_wrong = !gpu_trial_is_equal(&study.trial);
    }
    return model_output_write(&options->output, &page, start);
}

static const Option rows[] = {
    {"shape", "NAME", "box or star (default: box)",
     OPTION_WORD(setting.stencil.shape, shapes)},
    {"dim", "N", "dimensions (default: 2)",
     OPTION_SMALL(setting.stencil.dimension, 1, GPU_STENCIL_DIMENSIONS)},
    {"radius", "N", "points to each side (default: 1)",
     OPTION_SMALL(setting.stencil.radius, 1, GPU_STENCIL_RADIUS)},
    {"fusion", "N", "time steps in one kernel (default: 1)",
     OPTION_SMALL(setting.stencil.fusion, 1, GPU_STENCIL_FUSION)},
    {"check", NULL,
     "run every form on numbers, and compare them with the stencil step by step",
     OPTION_FLAG(setting.has_check)},
    {"size", "N", "points a side of the grid of --check (default: a few groups)",
     OPTION_SMALL(setting.size, 1, SIDE_MOST)},
    {"seed", "N", "of weights and numbers, whole ones (default: 1)",
     OPTION_COUNT(seed, 0, G_MAXUINT32)},
    {0},
};

const Command cmd_gpu_transform = {
    .name = "gpu transform",
    .purpose = "the matrices that a stencil becomes on tensor cores, and their zeros",
    .help = "gpu-transform",
    .tables = {{rows, 0}, {model_output_rows, offsetof(Options, output)}},
    COMMAND_OPTIONS(Options,
                    .setting = {.stencil = {.dimension = 2, .radius = 1, .fusion = 1}},
                    .seed = 1),
    .check = check,
    .run = run,
};
