/* A study of a stencil for other programs: JSON and CSV. */
#include <math.h>

#include "arch/roof.h"
#include "tools/gridloom/chip_numbers.h"
#include "tools/gridloom/gpu/stencil_result.h"
#include "tools/gridloom/peak_memory.h"
#include "traces/result/result.h"

#define GIGA 1e9

static const char *const reference =
    "nothing: a model, no data is computed that could be checked";

/* What a program's model has, in the order of a row. */
typedef struct {
    const char *name;
    double value;
} Number;

enum {
    NUMBERS = 12,
};

static void numbers_of(const CmdGpuStencilRow *row, Number numbers[NUMBERS])
{
    const GpuStencilModel *model = &row->model;
    const Number all[NUMBERS] = {
        {"flops_per_point", model->flops},
        {"bytes_per_point", model->bytes},
        {"intensity", model->intensity},
        {"redundancy", model->redundancy},
        {"sparsity", model->sparsity},
        {"peak_flops_per_second", model->peak},
        {"ridge", model->ridge},
        {"raw_flops_per_second", model->raw_rate},
        {"flops_per_second", model->rate},
        {"gstencils_per_second", model->updates / GIGA},
        {"efficiency", row->program->efficiency},
        {"expected_gstencils_per_second", model->expected_updates / GIGA},
    };

    for (guint i = 0; i < NUMBERS; i++) {
        numbers[i] = all[i];
    }
}

/* 0 is none. */
static void set_depth(JsonObject *object, const char *name, guint depth)
{
    if (depth == 0) {
        json_object_set_null_member(object, name);
    } else {
        json_object_set_int_member(object, name, depth);
    }
}

static JsonObject *mma_object(const CmdGpuStencilMma *mma)
{
    const GpuMmaUse *use = &mma->use;
    JsonObject *object = json_object_new();
    GpuMmaFit vector;
    GpuMmaFit used;

    gpu_mma_fit(mma->shape, 1, use->column_count, &vector);
    gpu_mma_fit(mma->shape, use->used_rows, use->column_count, &used);
    json_object_set_string_member(object, "shape", mma->shape->name);
    json_object_set_int_member(object, "matrices", use->matrix_count);
    json_object_set_int_member(object, "rows", use->row_count);
    json_object_set_int_member(object, "used_rows", use->used_rows);
    json_object_set_double_member(object, "used_row_share", used.row_share);
    json_object_set_double_member(object, "vector_share", vector.row_share);
    json_object_set_int_member(object, "columns", use->column_count);
    json_object_set_int_member(object, "instructions", (gint64) use->count);
    json_object_set_double_member(object, "padding", use->padding);
    json_object_set_double_member(object, "nonzero", use->nonzero);
    json_object_set_double_member(object, "flops_per_point", use->flops);
    json_object_set_double_member(object, "gstencils_per_second", mma->updates / GIGA);
    json_object_set_string_member(object, "source", mma->shape->source);
    return object;
}

static JsonObject *row_object(const CmdGpuStencilRow *row, GpuType type)
{
    const GpuImplementation *program = row->program;
    JsonObject *object = json_object_new();
    Number numbers[NUMBERS];

    numbers_of(row, numbers);
    json_object_set_string_member(object, "unit", gpu_unit_name(program->unit));
    json_object_set_string_member(object, "format",
                                  gpu_format_name(program->unit, type));
    for (guint i = 0; i < NUMBERS; i++) {
        json_object_set_double_member(object, numbers[i].name, numbers[i].value);
    }
    json_object_set_int_member(object, "fusion", row->fusion);
    json_object_set_string_member(object, "bound", cmd_gpu_stencil_bound(&row->model));
    json_object_set_string_member(object, "efficiency_source", program->source);
    set_depth(object, "best_fusion", row->best_fusion);
    set_depth(object, "transition_fusion", row->transition_fusion);
    if (row->mma.shape != NULL) {
        json_object_set_object_member(object, "mma", mma_object(&row->mma));
    }
    return object;
}

/* Of a case: all programs by name, null where there is no model, and the verdict. */
static JsonObject *case_object(const CmdGpuStencilStudy *self,
                               const CmdGpuStencilCase *at)
{
    JsonObject *object = json_object_new();

    json_object_set_double_member(object, "points", gpu_stencil_points(&at->stencil));
    json_object_set_double_member(
        object, "fused_points",
        gpu_stencil_fused_points(&at->stencil, self->options->setting.is_boxed));
    for (guint i = 0; i < CMD_GPU_STENCIL_PROGRAMS; i++) {
        const CmdGpuStencilRow *row = &at->rows[i];
        g_autofree char *name = g_strdelimit(g_strdup(row->program->name), "-", '_');

        if (row->why == NULL) {
            json_object_set_object_member(object, name,
                                          row_object(row, at->stencil.type));
        } else {
            json_object_set_null_member(object, name);
        }
    }
    json_object_set_int_member(object, "scenario", at->scenario);
    json_object_set_double_member(object, "speedup", at->speedup);
    json_object_set_string_member(object, "direction",
                                  cmd_gpu_stencil_direction(at->speedup));
    json_object_set_boolean_member(object, "sweet_spot", at->is_sweet);
    json_object_set_double_member(object, "sweet_spot_limit", at->limit);
    json_object_set_double_member(object, "expected_speedup", at->expected_speedup);
    return object;
}

static JsonObject *metrics_object(const CmdGpuStencilStudy *self)
{
    const char *swept = cmd_gpu_stencil_options_sweep_name(self->options);
    JsonObject *metrics = case_object(self, &self->now);
    JsonArray *sweep;

    if (self->sweep == NULL) {
        return metrics;
    }
    sweep = json_array_new();
    for (guint i = 0; i < self->sweep->len; i++) {
        const CmdGpuStencilCase *at = &g_array_index(self->sweep, CmdGpuStencilCase, i);
        JsonObject *object = case_object(self, at);

        json_object_set_int_member(object, swept,
                                   cmd_gpu_stencil_study_swept(self, at));
        json_array_add_object_element(sweep, object);
    }
    json_object_set_array_member(metrics, "sweep", sweep);
    set_depth(metrics, "baseline_transition",
              cmd_gpu_stencil_study_transition(self, self->options->baseline));
    set_depth(metrics, "with_transition",
              cmd_gpu_stencil_study_transition(self, self->options->with));
    return metrics;
}

static JsonObject *parameters_object(const CmdGpuStencilOptions *options)
{
    const GpuStencil *stencil = &options->stencil;
    const GpuStencilSetting *setting = &options->setting;
    const double clock = gpu_clock_hz(options->gpu);
    const double bandwidth = gpu_bandwidth(options->gpu, GPU_DRAM);
    JsonObject *object = json_object_new();

    json_object_set_string_member(object, "shape", gpu_shape_name(stencil->shape));
    json_object_set_int_member(object, "dim", stencil->dimension);
    json_object_set_int_member(object, "radius", stencil->radius);
    json_object_set_int_member(object, "fusion", stencil->fusion);
    json_object_set_string_member(object, "dtype", gpu_type_name(stencil->type));
    json_object_set_int_member(object, "size", (gint64) options->size);
    json_object_set_string_member(object, "baseline",
                                  options->programs[options->baseline].name);
    json_object_set_string_member(object, "with",
                                  options->programs[options->with].name);
    json_object_set_string_member(object, "star",
                                  setting->is_boxed ? "boxed" : "fused");
    json_object_set_double_member(object, "clock_hz",
                                  setting->clock_hz > 0 ? setting->clock_hz : clock);
    json_object_set_double_member(
        object, "bandwidth", setting->bandwidth > 0 ? setting->bandwidth : bandwidth);
    /* Null: what each program's scheme has. */
    json_object_set_double_member(object, "sparsity",
                                  setting->sparsity > 0 ? setting->sparsity : NAN);
    json_object_set_boolean_member(object, "published", options->is_published);
    return object;
}

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

char *cmd_gpu_stencil_to_json(const CmdGpuStencilStudy *self, double wall_seconds)
{
    const ArchParams *gpu = self->options->gpu;
    g_autofree char *digest = arch_params_digest(gpu);
    g_autoptr(JsonObject) parameters = parameters_object(self->options);
    g_autoptr(JsonObject) overrides = chip_numbers_overridden(gpu);
    g_autoptr(JsonObject) metrics = metrics_object(self);
    g_autoptr(JsonArray) ledger = chip_numbers_ledger(gpu);
    gsize roof_count = 0;
    g_autofree TraceRoof *roofs = roofs_of(gpu, &roof_count);

    return trace_result_to_json(&(TraceResult){
        .gridloom = GRIDLOOM_VERSION,
        .workload = "gpu stencil",
        .chip = arch_params_name(gpu),
        .chip_digest = digest,
        .seed = 1,
        .parameters = parameters,
        .overrides = overrides,
        .iterations = 1,
        .metrics = metrics,
        .roofs = roofs,
        .roof_count = roof_count,
        .check_status = "skipped",
        .reference = reference,
        .chip_parameters = ledger,
        .wall_seconds = wall_seconds,
        .peak_rss_bytes = peak_memory_bytes(),
        .threads = 1,
    });
}

static void add_csv_depth(GString *text, guint depth)
{
    g_string_append_c(text, ',');
    if (depth > 0) {
        g_string_append_printf(text, "%u", depth);
    }
}

static void
add_csv_row(GString *text, const CmdGpuStencilCase *at, const CmdGpuStencilRow *row)
{
    const GpuStencil *stencil = &at->stencil;
    Number numbers[NUMBERS];

    numbers_of(row, numbers);
    g_string_append_printf(
        text, "%s,%u,%u,%u,%s,%s,%s,%s", gpu_shape_name(stencil->shape),
        stencil->dimension, stencil->radius, stencil->fusion,
        gpu_type_name(stencil->type), row->program->name,
        gpu_unit_name(row->program->unit), cmd_gpu_stencil_bound(&row->model));
    for (guint i = 0; i < NUMBERS; i++) {
        char number[G_ASCII_DTOSTR_BUF_SIZE];

        g_string_append_printf(
            text, ",%s",
            g_ascii_formatd(number, sizeof number, "%.15g", numbers[i].value));
    }
    g_string_append_printf(text, ",%u", row->fusion);
    add_csv_depth(text, row->best_fusion);
    add_csv_depth(text, row->transition_fusion);
    g_string_append_c(text, '\n');
}

static void add_csv_rows(GString *text, const CmdGpuStencilCase *at)
{
    for (guint i = 0; i < CMD_GPU_STENCIL_PROGRAMS; i++) {
        if (at->rows[i].why == NULL) {
            add_csv_row(text, at, &at->rows[i]);
        }
    }
}

char *cmd_gpu_stencil_to_csv(const CmdGpuStencilStudy *self)
{
    GString *text = g_string_new("shape,dim,radius,fusion,dtype,program,unit,bound");
    Number numbers[NUMBERS];

    numbers_of(&self->now.rows[0], numbers);
    for (guint i = 0; i < NUMBERS; i++) {
        g_string_append_printf(text, ",%s", numbers[i].name);
    }
    g_string_append(text, ",steps_in_a_pass,best_fusion,transition_fusion\n");
    if (self->sweep == NULL) {
        add_csv_rows(text, &self->now);
    }
    for (guint i = 0; self->sweep != NULL && i < self->sweep->len; i++) {
        add_csv_rows(text, &g_array_index(self->sweep, CmdGpuStencilCase, i));
    }
    return g_string_free(text, FALSE);
}
