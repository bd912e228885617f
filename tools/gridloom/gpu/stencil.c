/* gridloom gpu stencil: the enhanced roofline of stencils on GPUs. */
#include "tools/gridloom/gpu/stencil.h"

#include <math.h>

#include "arch/roof.h"
#include "tools/gridloom/complaint.h"
#include "tools/gridloom/model/output.h"
#include "traces/table/record.h"
#include "traces/table/rows.h"

#define GIGA 1e9

/* 0 is none. */
static void set_depth(JsonObject *object, const char *name, guint depth)
{
    if (depth == 0) {
        json_object_set_null_member(object, name);
    } else {
        json_object_set_int_member(object, name, depth);
    }
}

static JsonObject *padding_json(const GpuPadding *padding)
{
    const GpuMmaUse *use = &padding->use;
    GpuMmaFit vector;
    GpuMmaFit used;

    gpu_mma_fit(padding->shape, 1, use->column_count, &vector);
    gpu_mma_fit(padding->shape, use->used_rows, use->column_count, &used);
    return RECORD(
        VALUE("shape", padding->shape->name), VALUE("matrices", use->matrix_count),
        VALUE("rows", use->row_count), VALUE("used_rows", use->used_rows),
        VALUE("used_row_share", used.row_share),
        VALUE("vector_share", vector.row_share), VALUE("columns", use->column_count),
        VALUE("instructions", use->count), VALUE("padding", use->padding),
        VALUE("nonzero", use->nonzero), VALUE("flops_per_point", use->flops),
        VALUE("gstencils_per_second", padding->updates / GIGA),
        VALUE("source", padding->shape->source));
}

/* 0 is not known, which is null. */
static double known(double value)
{
    return value > 0 ? value : NAN;
}

static JsonObject *profile_json(const GpuProfile *profile)
{
    return RECORD(VALUE("flops_per_point", known(profile->flops)),
                  VALUE("bytes_per_point", profile->bytes),
                  VALUE("intensity", known(profile->flops / profile->bytes)),
                  VALUE("gstencils_per_second", known(profile->updates / GIGA)));
}

static JsonObject *row_json(const GpuComparisonRow *row, GpuType type)
{
    const GpuImplementation *program = row->program;
    JsonObject *object = RECORD(
        VALUE("unit", gpu_unit_name(program->unit)),
        VALUE("format", gpu_format_name(program->unit, type)),
        VALUE("flops_per_point", row->model.flops),
        VALUE("bytes_per_point", row->model.bytes),
        VALUE("intensity", row->model.intensity),
        VALUE("redundancy", row->model.redundancy),
        VALUE("sparsity", row->model.sparsity),
        VALUE("peak_flops_per_second", row->model.peak),
        VALUE("ridge", row->model.ridge),
        VALUE("raw_flops_per_second", row->model.raw_rate),
        VALUE("flops_per_second", row->model.rate),
        VALUE("gstencils_per_second", row->model.updates / GIGA),
        VALUE("efficiency", row->program->efficiency),
        VALUE("expected_gstencils_per_second", row->model.expected_updates / GIGA),
        VALUE("fusion", row->fusion), VALUE("bound", gpu_stencil_bound(&row->model)),
        VALUE("efficiency_source", program->source));

    set_depth(object, "best_fusion", row->best_fusion);
    set_depth(object, "transition_fusion", row->transition_fusion);
    if (row->padding.shape != NULL) {
        json_object_set_object_member(object, "mma", padding_json(&row->padding));
    }
    RECORD_ADD(object, VALUE("profile", profile_json(&row->profile)));
    return object;
}

/* The JSON of a case: all programs by name, null without a model, and the verdict. */
static JsonObject *case_json(const CmdGpuStencilStudy *self, const GpuComparison *at)
{
    JsonObject *object = RECORD(
        VALUE("points", gpu_stencil_points(&at->stencil)),
        VALUE("fused_points",
              gpu_stencil_fused_points(&at->stencil, self->options->setting.is_boxed)));

    for (guint i = 0; i < GPU_COMPARISON_PROGRAMS; i++) {
        const GpuComparisonRow *row = &at->rows[i];
        g_autofree char *name = g_strdelimit(g_strdup(row->program->name), "-", '_');

        RECORD_ADD(
            object,
            VALUE(name, row->why == NULL ? row_json(row, at->stencil.type) : NULL));
    }
    RECORD_ADD(object, VALUE("scenario", at->scenario), VALUE("speedup", at->speedup),
               VALUE("direction", gpu_comparison_direction(at)),
               VALUE("sweet_spot", at->is_sweet), VALUE("sweet_spot_limit", at->limit),
               VALUE("expected_speedup", at->expected_speedup));
    return object;
}

static JsonObject *metrics(gconstpointer study)
{
    const CmdGpuStencilStudy *self = study;
    const char *swept = cmd_gpu_stencil_options_sweep_name(self->options);
    JsonObject *object = case_json(self, &self->now);
    JsonArray *sweep;

    if (self->sweep == NULL) {
        return object;
    }
    sweep = json_array_new();
    for (guint i = 0; i < self->sweep->len; i++) {
        const GpuComparison *at = &g_array_index(self->sweep, GpuComparison, i);
        JsonObject *member = case_json(self, at);

        RECORD_ADD(member,
                   VALUE(swept, gpu_comparison_swept(at, self->options->sweep)));
        json_array_add_object_element(sweep, member);
    }
    json_object_set_array_member(object, "sweep", sweep);
    set_depth(object, "baseline_transition",
              gpu_comparisons_transition(self->sweep, self->options->sweep,
                                         self->options->baseline));
    set_depth(object, "with_transition",
              gpu_comparisons_transition(self->sweep, self->options->sweep,
                                         self->options->with));
    return object;
}

static JsonObject *parameters(gconstpointer study)
{
    const CmdGpuStencilOptions *options = ((const CmdGpuStencilStudy *) study)->options;
    const GpuStencil *stencil = &options->stencil;
    const GpuStencilSetting *setting = &options->setting;

    return RECORD(VALUE("shape", gpu_shape_name(stencil->shape)),
                  VALUE("dim", stencil->dimension), VALUE("radius", stencil->radius),
                  VALUE("fusion", stencil->fusion),
                  VALUE("dtype", gpu_type_name(stencil->type)),
                  VALUE("size", options->size),
                  VALUE("baseline", options->programs[options->baseline].name),
                  VALUE("with", options->programs[options->with].name),
                  VALUE("star", setting->is_boxed ? "boxed" : "fused"),
                  VALUE("clock_hz", setting->clock_hz > 0 ? setting->clock_hz
                                                          : gpu_clock_hz(options->gpu)),
                  VALUE("bandwidth", setting->bandwidth > 0
                                         ? setting->bandwidth
                                         : gpu_bandwidth(options->gpu, GPU_DRAM)),
                  /* Null: what each program's scheme has. */
                  VALUE("sparsity", setting->sparsity > 0 ? setting->sparsity : NAN),
                  VALUE("published", (bool) options->is_published));
}

static void add_rows(JsonArray *rows, const GpuComparison *at)
{
    const GpuStencil *stencil = &at->stencil;

    for (guint i = 0; i < GPU_COMPARISON_PROGRAMS; i++) {
        const GpuComparisonRow *row = &at->rows[i];

        if (row->why == NULL) {
            JsonObject *object = row_json(row, stencil->type);

            RECORD_ADD(object, VALUE("shape", gpu_shape_name(stencil->shape)),
                       VALUE("dim", stencil->dimension),
                       VALUE("radius", stencil->radius),
                       VALUE("depth", stencil->fusion),
                       VALUE("dtype", gpu_type_name(stencil->type)),
                       VALUE("program", row->program->name));
            json_array_add_object_element(rows, object);
        }
    }
}

static char *csv(gconstpointer study)
{
    const CmdGpuStencilStudy *self = study;
    JsonArray *rows = json_array_new();

    if (self->sweep == NULL) {
        add_rows(rows, &self->now);
    }
    for (guint i = 0; self->sweep != NULL && i < self->sweep->len; i++) {
        add_rows(rows, &g_array_index(self->sweep, GpuComparison, i));
    }
    return trace_rows_csv(
        rows,
        "shape,dim,radius,fusion=depth,dtype,program,unit,bound,"
        "flops_per_point,bytes_per_point,intensity,redundancy,sparsity,peak_flops_per_"
        "second,ridge,raw_flops_per_second,flops_per_second,gstencils_per_second,"
        "efficiency,expected_gstencils_per_second,"
        "steps_in_a_pass=fusion,best_fusion,transition_fusion",
        "");
}

static bool study_init(CmdGpuStencilStudy *self, GError **error)
{
    const CmdGpuStencilOptions *options = self->options;
    const GpuComparisonSetting setting = {&options->setting, options->programs,
                                          options->baseline, options->with,
                                          options->size};

    if (!gpu_comparison_init(&self->now, &options->stencil, &setting, error)) {
        return false;
    }
    gpu_comparison_pad(&self->now, &options->setting, options->mma);
    if (options->sweep == GPU_SWEEP_NONE) {
        return true;
    }
    self->sweep = gpu_comparisons(&options->stencil, &setting, options->sweep,
                                  options->sweep_from, options->sweep_to, error);
    return self->sweep != NULL;
}

static void study_clear(CmdGpuStencilStudy *self)
{
    gpu_comparison_clear(&self->now);
    g_clear_pointer(&self->sweep, g_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(CmdGpuStencilStudy, study_clear)

static void (*const print)(gconstpointer study) = cmd_gpu_stencil_print;

static char *svg(gconstpointer study)
{
    return cmd_gpu_stencil_draw(study, trace_plot_to_svg);
}

/* The caller frees them. */
static TraceRoof *roofs_of(const ArchParams *gpu, gsize *count)
{
    g_autoptr(GArray) roofs = arch_roofs(gpu, 1);
    TraceRoof *all = g_new(TraceRoof, roofs->len);

    for (guint i = 0; i < roofs->len; i++) {
        const ArchRoof *roof = &g_array_index(roofs, ArchRoof, i);

        all[i] = (TraceRoof){.name = roof->name,
                             .unit = roof->unit,
                             .value = roof->value,
                             .achieved = NAN,
                             .source = roof->source};
    }
    *count = roofs->len;
    return all;
}

static int write_study(const CmdGpuStencilStudy *study, gint64 start)
{
    const CmdGpuStencilOptions *options = study->options;
    const ModelOutput output = {options->outputs, options->json, options->is_quiet};
    ModelPage page = MODEL_PAGE("gpu stencil", options->gpu, study);
    g_autofree TraceRoof *roofs = roofs_of(options->gpu, &page.roof_count);

    page.unchecked = "nothing: a model, no data is computed that could be checked";
    page.roofs = roofs;
    return model_output_write(&output, &page, start);
}

int cmd_gpu_stencil_run(gpointer data)
{
    const gint64 start = g_get_monotonic_time();
    const CmdGpuStencilOptions *options = data;
    g_auto(CmdGpuStencilStudy) study = {.options = options};
    g_autoptr(GError) error = NULL;

    return study_init(&study, &error) ? write_study(&study, start) : complain_of(error);
}
