/* A study of a stencil as a page of text. */
#include <math.h>
#include <stdio.h>

#include "tools/gridloom/gpu/stencil.h"
#include "traces/file/quantity.h"
#include "traces/table/grid.h"

#define TERA 1e12
#define GIGA 1e9
#define MEGA 1e6

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

static void print_programs(const CmdGpuStencilStudy *self)
{
    g_autoptr(Grid) grid =
        grid_with("PROGRAM|UNIT|STEPS|ALPHA|S|C|I=C/M|RIDGE|BOUND|TFLOP/S|USEFUL|"
                  "GSTENCILS/S|EXPECTED");

    for (guint i = 0; i < GPU_COMPARISON_PROGRAMS; i++) {
        const GpuComparisonRow *row = &self->now.rows[i];
        const GpuStencilModel *model = &row->model;
        const GpuImplementation *program = row->program;

        if (row->why == NULL) {
            grid_printf(
                grid, "%s|%s, %s|%u|%.4g|%.4g|%.6g|%.5g|%.4g|%s|%.4g|%.4g|%.5g|%.4g",
                program->name, gpu_unit_title(program->unit),
                gpu_format_name(program->unit, self->now.stencil.type), row->fusion,
                model->redundancy, model->sparsity, model->flops, model->intensity,
                model->ridge, gpu_stencil_bound(model), model->raw_rate / TERA,
                model->rate / TERA, model->updates / GIGA,
                /* An efficiency of 1 means unknown. */
                program->efficiency == 1 ? NAN : model->expected_updates / GIGA);
        }
    }
    grid_print(grid, stdout, 2);
    for (guint i = 0; i < GPU_COMPARISON_PROGRAMS; i++) {
        if (self->now.rows[i].why != NULL) {
            printf("  %s\n", self->now.rows[i].why);
        }
    }
    printf("\n");
}

static void print_verdict(const CmdGpuStencilStudy *self)
{
    const GpuComparison *at = &self->now;
    const GpuComparisonRow *baseline = gpu_comparison_baseline(at);
    const GpuComparisonRow *with = gpu_comparison_with(at);

    printf("  scenario    %u: %s bound on %s (%s), %s bound on %s (%s)\n", at->scenario,
           gpu_stencil_bound(&baseline->model), gpu_unit_title(baseline->program->unit),
           baseline->program->name, gpu_stencil_bound(&with->model),
           gpu_unit_title(with->program->unit), with->program->name);
    printf("  verdict     %s\n", gpu_comparison_verdict(at));
    printf("  speedup     %.4g, %s: %.5g to %.5g GStencils/s; with efficiencies %.4g\n",
           at->speedup, gpu_comparison_direction(at), baseline->model.updates / GIGA,
           with->model.updates / GIGA, at->expected_speedup);
    printf("  sweet spot  %s: alpha = %.4g, S P_TC / P_CU = %.4g%s\n",
           at->is_sweet ? "yes" : "no", with->model.redundancy, at->limit,
           at->scenario == 4 ? "" : ", which decides scenario 4 only");
}

/* "ebisu 5 steps in a pass, 538.9 GStencils/s, compute bound from 5 on" */
static void print_best(const CmdGpuStencilStudy *self, const GpuComparisonRow *row)
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

static void print_mma(const GpuComparisonRow *row)
{
    const GpuPadding *mma = &row->padding;
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

/* What a profiler would count, where the program's tiles are known. */
static void print_profile(const GpuComparisonRow *row)
{
    const GpuProfile *profile = &row->profile;

    if (profile->flops > 0) {
        printf(
            "  profile     %s: C = %.6g with the rims of tiles, M = %.5g with what L2 "
            "keeps",
            row->program->name, profile->flops, profile->bytes);
        if (profile->updates > 0) {
            printf(": %.5g GStencils/s", profile->updates / GIGA);
        }
        printf("\n");
    }
}

static void print_efficiency(const GpuComparisonRow *row)
{
    printf("  efficiency  %s %.4g: %s\n", row->program->name, row->program->efficiency,
           row->program->source);
}

static void print_sweep(const CmdGpuStencilStudy *self)
{
    const CmdGpuStencilOptions *options = self->options;
    g_autofree char *title =
        g_ascii_strup(cmd_gpu_stencil_options_sweep_name(options), -1);
    g_autofree char *headings = g_strdup_printf(
        "%s|I_CU|BOUND|%s GST/S|I_TC|BOUND|%s GST/S|SCENARIO|SPEEDUP|SWEET", title,
        options->programs[options->baseline].name,
        options->programs[options->with].name);
    g_autoptr(Grid) grid = grid_with(headings);

    for (guint i = 0; i < self->sweep->len; i++) {
        const GpuComparison *at = &g_array_index(self->sweep, GpuComparison, i);
        const GpuStencilModel *cuda = &gpu_comparison_baseline(at)->model;
        const GpuStencilModel *tensor = &gpu_comparison_with(at)->model;

        grid_printf(grid, "%u|%.5g|%s|%.5g|%.5g|%s|%.5g|%u|%.4g|%s",
                    gpu_comparison_swept(at, self->options->sweep), cuda->intensity,
                    gpu_stencil_bound(cuda), cuda->updates / GIGA, tensor->intensity,
                    gpu_stencil_bound(tensor), tensor->updates / GIGA, at->scenario,
                    at->speedup, at->is_sweet ? "yes" : "no");
    }
    printf("\n");
    grid_print(grid, stdout, 2);
}

static void print_transition(const CmdGpuStencilStudy *self, guint program)
{
    const CmdGpuStencilOptions *options = self->options;
    const char *name = cmd_gpu_stencil_options_sweep_name(options);
    const guint first =
        gpu_comparisons_transition(self->sweep, options->sweep, program);

    if (first > 0) {
        printf("  transition  %s is compute bound from %s %u on\n",
               options->programs[program].name, name, first);
    } else {
        printf("  transition  %s is memory bound up to %s %u\n",
               options->programs[program].name, name, options->sweep_to);
    }
}

void cmd_gpu_stencil_print(gconstpointer study)
{
    const CmdGpuStencilStudy *self = study;
    const GpuComparisonRow *baseline = gpu_comparison_baseline(&self->now);
    const GpuComparisonRow *with = gpu_comparison_with(&self->now);

    print_head(self);
    print_programs(self);
    print_verdict(self);
    print_best(self, baseline);
    print_best(self, with);
    print_mma(with);
    print_profile(baseline);
    print_profile(with);
    print_efficiency(baseline);
    print_efficiency(with);
    if (self->sweep != NULL) {
        print_sweep(self);
        print_transition(self, self->options->baseline);
        print_transition(self, self->options->with);
    }
    g_autofree char *picture = cmd_gpu_stencil_draw(self, trace_plot_to_text);

    printf("\n%s", picture);
}
