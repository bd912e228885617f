/* A study of a stencil as a page of text. */
#include <stdio.h>

#include "tools/gridloom/gpu/stencil_result.h"
#include "tools/gridloom/grid.h"
#include "tools/gridloom/quantity.h"

#define TERA 1e12
#define GIGA 1e9
#define MEGA 1e6

enum {
    NUMBER_TEXT = 32, /* bytes of one */
};

typedef char CmdNumberText[NUMBER_TEXT];

static const char *number(CmdNumberText text, const char *format, double value)
{
    return g_ascii_formatd(text, NUMBER_TEXT, format, value);
}

static const char *steps(guint count)
{
    return count == 1 ? "step" : "steps";
}

static void print_head(const CmdGpuStencilStudy *self)
{
    const CmdGpuStencilOptions *options = self->options;
    const GpuStencil *stencil = &self->now.stencil;
    const GpuStencilSetting *setting = &options->setting;
    const double boost = gpu_clock_hz(options->gpu);
    const double clock = setting->clock_hz > 0 ? setting->clock_hz : boost;
    const double bandwidth = setting->bandwidth > 0
                                 ? setting->bandwidth
                                 : gpu_bandwidth(options->gpu, GPU_DRAM);
    g_autofree char *name = gpu_stencil_name(stencil);

    printf("gpu stencil on %s\n", arch_params_name(options->gpu));
    printf("  GPU         %s\n", arch_params_summary(options->gpu));
    printf("  stencil     %s, %s, %u %s in a pass\n", name,
           gpu_type_name(stencil->type), stencil->fusion, steps(stencil->fusion));
    printf("  points      K = %.15g; %.15g when %u %s fused into one stencil%s\n",
           gpu_stencil_points(stencil),
           gpu_stencil_fused_points(stencil, setting->is_boxed), stencil->fusion,
           stencil->fusion == 1 ? "step is" : "steps are",
           setting->is_boxed && stencil->shape == GPU_STAR ? ", as a box" : "");
    printf("  DRAM        %.5g GB/s, %u bytes for a point (M)\n", bandwidth / GIGA,
           2 * gpu_type_bytes(stencil->type));
    printf("  clock       %.4g MHz%s\n\n", clock / MEGA,
           clock < boost ? ", which lowers peaks, not the DRAM" : "");
}

static void add_row(Grid *grid, const CmdGpuStencilRow *row, GpuType type)
{
    const GpuStencilModel *model = &row->model;
    const GpuImplementation *program = row->program;
    g_autofree char *unit = g_strdup_printf("%s, %s", gpu_unit_title(program->unit),
                                            gpu_format_name(program->unit, type));
    CmdNumberText depth;
    CmdNumberText flops;
    CmdNumberText alpha;
    CmdNumberText sparsity;
    CmdNumberText intensity;
    CmdNumberText ridge;
    CmdNumberText raw;
    CmdNumberText rate;
    CmdNumberText updates;
    CmdNumberText expected;

    grid_add(grid, (const char *[]){
                       program->name,
                       unit,
                       number(depth, "%.0f", row->fusion),
                       number(alpha, "%.4g", model->redundancy),
                       number(sparsity, "%.4g", model->sparsity),
                       number(flops, "%.6g", model->flops),
                       number(intensity, "%.5g", model->intensity),
                       number(ridge, "%.4g", model->ridge),
                       cmd_gpu_stencil_bound(model),
                       number(raw, "%.4g", model->raw_rate / TERA),
                       number(rate, "%.4g", model->rate / TERA),
                       number(updates, "%.5g", model->updates / GIGA),
                       /* 1 is said of what nobody knows. */
                       program->efficiency == 1
                           ? "-"
                           : number(expected, "%.4g", model->expected_updates / GIGA),
                   });
}

static void print_programs(const CmdGpuStencilStudy *self)
{
    g_autoptr(Grid) grid = grid_new(13);

    grid_add(grid, (const char *[]){"PROGRAM", "UNIT", "STEPS", "ALPHA", "S", "C",
                                    "I=C/M", "RIDGE", "BOUND", "TFLOP/S", "USEFUL",
                                    "GSTENCILS/S", "EXPECTED"});
    for (guint i = 0; i < CMD_GPU_STENCIL_PROGRAMS; i++) {
        if (self->now.rows[i].why == NULL) {
            add_row(grid, &self->now.rows[i], self->now.stencil.type);
        }
    }
    grid_print(grid, stdout, 2);
    for (guint i = 0; i < CMD_GPU_STENCIL_PROGRAMS; i++) {
        if (self->now.rows[i].why != NULL) {
            printf("  %s\n", self->now.rows[i].why);
        }
    }
    printf("\n");
}

static const char *verdict(const CmdGpuStencilCase *at)
{
    switch (at->scenario) {
    case 1:
        return "no gain: both wait for memory";
    case 2:
        return "tensor cores lose, as always here: zeros and repeated points keep them "
               "busy";
    case 3:
        return "tensor cores win, as always here: they are so fast that memory is the "
               "limit";
    default:
        return at->is_sweet ? "tensor cores win: alpha is below S P_TC / P_CU"
                            : "tensor cores lose: alpha is not below S P_TC / P_CU";
    }
}

static void print_verdict(const CmdGpuStencilStudy *self)
{
    const CmdGpuStencilCase *at = &self->now;
    const CmdGpuStencilRow *baseline = cmd_gpu_stencil_study_baseline(self, at);
    const CmdGpuStencilRow *with = cmd_gpu_stencil_study_with(self, at);

    printf("  scenario    %u: %s bound on %s (%s), %s bound on %s (%s)\n", at->scenario,
           cmd_gpu_stencil_bound(&baseline->model),
           gpu_unit_title(baseline->program->unit), baseline->program->name,
           cmd_gpu_stencil_bound(&with->model), gpu_unit_title(with->program->unit),
           with->program->name);
    printf("  verdict     %s\n", verdict(at));
    printf("  speedup     %.4g, %s: %.5g to %.5g GStencils/s; with efficiencies %.4g\n",
           at->speedup, cmd_gpu_stencil_direction(at->speedup),
           baseline->model.updates / GIGA, with->model.updates / GIGA,
           at->expected_speedup);
    printf("  sweet spot  %s: alpha = %.4g, S P_TC / P_CU = %.4g%s\n",
           at->is_sweet ? "yes" : "no", with->model.redundancy, at->limit,
           at->scenario == 4 ? "" : ", which decides scenario 4 only");
}

/* "ebisu 5 steps in a pass, 538.9 GStencils/s, compute bound from 5 on" */
static void print_best(const CmdGpuStencilStudy *self, const CmdGpuStencilRow *row)
{
    GpuStencil stencil = self->now.stencil;
    GpuStencilModel best;

    stencil.fusion = row->best_fusion;
    if (row->best_fusion == 0 ||
        !gpu_stencil_model(&stencil, row->program, &self->options->setting, &best,
                           NULL)) {
        return;
    }
    printf("  best        %s with %u %s in a pass: %.5g GStencils/s; ",
           row->program->name, row->best_fusion, steps(row->best_fusion),
           best.updates / GIGA);
    if (row->transition_fusion > 0) {
        printf("compute bound from %u on\n", row->transition_fusion);
    } else {
        printf("never compute bound\n");
    }
}

static void print_mma(const CmdGpuStencilRow *row)
{
    const CmdGpuStencilMma *mma = &row->mma;
    g_autofree char *padding = quantity_percent(100 * mma->use.padding);

    if (mma->shape == NULL) {
        return;
    }
    printf("  MMA         %s in %s: %u %s of up to %u x %u, %s padding: C = %.6g, "
           "%.5g GStencils/s\n",
           row->program->name, mma->shape->name, mma->use.matrix_count,
           mma->use.matrix_count == 1 ? "matrix" : "matrices", mma->use.row_count,
           mma->use.column_count, padding, mma->use.flops, mma->updates / GIGA);
}

static void print_efficiency(const CmdGpuStencilRow *row)
{
    printf("  efficiency  %s %.4g: %s\n", row->program->name, row->program->efficiency,
           row->program->source);
}

static void print_sweep(const CmdGpuStencilStudy *self)
{
    const char *name = cmd_gpu_stencil_options_sweep_name(self->options);
    const CmdGpuStencilOptions *options = self->options;
    const char *baseline = options->programs[options->baseline].name;
    const char *with = options->programs[options->with].name;
    g_autofree char *title = g_ascii_strup(name, -1);
    g_autofree char *baseline_rate = g_strdup_printf("%s GST/S", baseline);
    g_autofree char *with_rate = g_strdup_printf("%s GST/S", with);
    g_autoptr(Grid) grid = grid_new(10);

    grid_add(grid,
             (const char *[]){title, "I_CU", "BOUND", baseline_rate, "I_TC", "BOUND",
                              with_rate, "SCENARIO", "SPEEDUP", "SWEET"});
    for (guint i = 0; i < self->sweep->len; i++) {
        const CmdGpuStencilCase *at = &g_array_index(self->sweep, CmdGpuStencilCase, i);
        const GpuStencilModel *cuda = &cmd_gpu_stencil_study_baseline(self, at)->model;
        const GpuStencilModel *tensor = &cmd_gpu_stencil_study_with(self, at)->model;
        CmdNumberText texts[7];

        grid_add(grid,
                 (const char *[]){
                     number(texts[0], "%.0f", cmd_gpu_stencil_study_swept(self, at)),
                     number(texts[1], "%.5g", cuda->intensity),
                     cmd_gpu_stencil_bound(cuda),
                     number(texts[2], "%.5g", cuda->updates / GIGA),
                     number(texts[3], "%.5g", tensor->intensity),
                     cmd_gpu_stencil_bound(tensor),
                     number(texts[4], "%.5g", tensor->updates / GIGA),
                     number(texts[5], "%.0f", at->scenario),
                     number(texts[6], "%.4g", at->speedup),
                     at->is_sweet ? "yes" : "no",
                 });
    }
    printf("\n");
    grid_print(grid, stdout, 2);
}

static void print_transition(const CmdGpuStencilStudy *self, guint program)
{
    const CmdGpuStencilOptions *options = self->options;
    const char *name = cmd_gpu_stencil_options_sweep_name(options);
    const guint first = cmd_gpu_stencil_study_transition(self, program);

    if (first > 0) {
        printf("  transition  %s is compute bound from %s %u on\n",
               options->programs[program].name, name, first);
    } else {
        printf("  transition  %s is memory bound up to %s %u\n",
               options->programs[program].name, name, options->sweep_to);
    }
}

void cmd_gpu_stencil_print(const CmdGpuStencilStudy *self)
{
    const CmdGpuStencilRow *baseline = cmd_gpu_stencil_study_baseline(self, &self->now);
    const CmdGpuStencilRow *with = cmd_gpu_stencil_study_with(self, &self->now);

    print_head(self);
    print_programs(self);
    print_verdict(self);
    print_best(self, baseline);
    print_best(self, with);
    print_mma(with);
    print_efficiency(baseline);
    print_efficiency(with);
    if (self->sweep != NULL) {
        print_sweep(self);
        print_transition(self, self->options->baseline);
        print_transition(self, self->options->with);
    }
    g_autofree char *picture = cmd_gpu_stencil_to_letters(self);

    printf("\n%s", picture);
}
