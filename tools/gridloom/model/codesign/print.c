/* A search for designs as a page of text. */
#include <math.h>
#include <stdio.h>

#include "tools/gridloom/model/codesign/codesign.h"
#include "traces/file/quantity.h"
#include "traces/table/grid.h"

#define PERCENT   100.0
#define GIGA      1e9
#define NOTHING   5e-4  /* of time: what one digit does not show */
#define SATURATED 0.95  /* used to this part: no slack worth the name */
#define ROUNDED   0.005 /* percent that two digits show as nothing */

enum {
    ENDS = 3, /* of the front that are shown, at either end */
};

static const GpuDesign *design_at(const GpuCodesignClass *class, int design)
{
    return gpu_codesign_design(class->sweep, (guint) design);
}

static void print_head(const ModelCodesign *self)
{
    const ModelCodesignOptions *options = self->options;
    const GpuCodesignRules *rules = &options->rules;
    const bool is_printed = rules->form == GPU_TILING_AS_PRINTED;

    printf("model codesign of %s\n", arch_params_name(options->gpu));
    printf("  designs     %u of %.6g to %.6g mm2, %u with 48 kB or more; without "
           "caches\n",
           self->question.designs->len, options->area.low, options->area.high,
           self->from_48_kilobytes);
    printf("  equations   %s\n",
           is_printed ? "of the thesis, to the letter" : "of the thesis, corrected");
    if (is_printed) {
        printf("  bandwidth   each multiprocessor has all of the GPU's, as the thesis "
               "charges it\n");
    } else {
        printf("  bandwidth   %s\n", rules->bandwidth == GPU_BANDWIDTH_SCALED
                                         ? "of a multiprocessor as on the GPU: more of "
                                           "them, more of it"
                                         : "as on the GPU, whatever the design");
    }
    printf("  tile memory %s\n",
           rules->block == GPU_BLOCK_HALF
               ? "at most half of the shared memory"
               : "at most what the GPU allows, 48 kB if unchanged");
}

static void add_front_row(Grid *grid,
                          const ModelCodesign *self,
                          const GpuCodesignClass *class,
                          guint place)
{
    const guint index = g_array_index(class->front, guint, place);
    const GpuDesign *design = gpu_codesign_design(class->sweep, index);
    g_autofree char *text = gpu_design_text(design);
    double shares[2];

    gpu_codesign_shares(&self->question, design, &shares[0], &shares[1]);
    grid_printf(grid, "%s|%.2f|%.4g|%.1f|%.1f", text, design->mm2,
                class->rates[index] / GIGA, shares[0], shares[1]);
}

static void print_front(const ModelCodesign *self, const GpuCodesignClass *class)
{
    const guint count = class->front->len;
    g_autoptr(Grid) grid = grid_with("FRONT|MM2|GPOINTS/S|VECTOR %|SHARED %");
    g_autofree char *share =
        quantity_percent(PERCENT * count / (double) self->question.designs->len);

    printf("\n%s stencils\n"
           "  front       %u of %u designs, %s (printed: about 1 %%)\n",
           class->title, count, self->question.designs->len, share);
    for (guint i = 0; i < count; i++) {
        if (i < ENDS || i + ENDS >= count) {
            add_front_row(grid, self, class, i);
        } else if (i == ENDS) {
            grid_printf(grid, "...||||");
        }
    }
    grid_print(grid, stdout, 2);
}

static void add_best_row(Grid *grid,
                         const ModelCodesign *self,
                         const GpuCodesignClass *class,
                         guint code)
{
    const int best = class->code_bests[code];
    const GpuDesign *design = design_at(class, best);
    const GpuTilingStencil *stencil =
        gpu_codesign_plan(class->sweep)->codes[code].stencil;
    const GpuCodesignPrinted *row = gpu_codesign_printed(stencil->name);
    const double rate = gpu_codesign_code_rate(class->sweep, (guint) best, code);
    const double flops = self->options->flops[class->first_code + code];
    g_autofree char *text = gpu_design_text(design);
    g_autofree char *printed =
        row == NULL ? g_strdup("-") : gpu_design_text(&row->design);

    grid_printf(
        grid, "%s|%s|%.2f|%.4g|%.4g|%s|%.0f|%.0f|%.1f", stencil->title, text,
        design->mm2, rate / GIGA, flops > 0 ? flops * rate / GIGA : NAN, printed,
        row == NULL ? NAN : row->design.mm2, row == NULL ? NAN : row->gflops,
        row == NULL
            ? NAN
            : PERCENT * gpu_codesign_class_rate(class, &row->design, code) / rate);
}

static void print_bests(const ModelCodesign *self, const GpuCodesignClass *class)
{
    const guint codes = gpu_codesign_plan(class->sweep)->code_count;
    const GpuDesign *design = design_at(class, class->best);
    g_autofree char *text = gpu_design_text(design);
    g_autoptr(Grid) grid =
        grid_with("STENCIL|DESIGN|MM2|GPOINTS/S|GFLOP/S|PRINTED|MM2|GFLOP/S|% OF OURS");

    printf("\n  best design for each in %.6g to %.6g mm2, beside Table C.2\n",
           self->options->at.low, self->options->at.high);
    for (guint code = 0; code < codes; code++) {
        add_best_row(grid, self, class, code);
    }
    grid_print(grid, stdout, 2);
    printf("  for all     %s: %.2f mm2, %.4g GPoints/s\n", text, design->mm2,
           class->rates[class->best] / GIGA);
}

static void print_gains(const GpuCodesignClass *class)
{
    g_autoptr(Grid) grid = grid_with("GPU|MM2|GPOINTS/S|DESIGN|FASTER %|PRINTED %");

    printf("\n  best design of the same area, and how much faster\n");
    for (guint i = 0; i < G_N_ELEMENTS(class->gains); i++) {
        const GpuCodesignGain *gain = &class->gains[i];
        g_autofree char *text = gain->design < 0
                                    ? g_strdup("-")
                                    : gpu_design_text(design_at(class, gain->design));

        grid_printf(grid, "%s|%.2f|%.4g|%s|%.1f|%.4g", gain->title, gain->mm2,
                    gain->rate / GIGA, text, gain->percent, gain->printed);
    }
    grid_print(grid, stdout, 2);
}

static void print_shared(const GpuCodesignClass *class)
{
    const char *before = "";

    printf("\n  shared memory, kB, and what the best design with it reaches of the "
           "best\n   ");
    for (guint i = 0; i < class->shared_count; i++) {
        const GpuCodesignShared *shared = &class->shared[i];

        if (shared->design >= 0) {
            printf("%s %u: %.1f %%", before, shared->kilobytes, PERCENT * shared->part);
            before = ",";
        }
    }
    printf("\n  front       vector units %.0f to %.0f %% of the area, median "
           "%.0f (printed: %s)\n",
           class->vector_share.low, class->vector_share.high,
           class->vector_share.middle, class->dimension == 2 ? "40 to 70" : "60 to 70");
    printf("              shared memory %.1f to %.1f %%, median %.1f "
           "(printed: %s)\n",
           class->shared_share.low, class->shared_share.high,
           class->shared_share.middle,
           class->dimension == 2 ? "less than 5" : "at most 15");
}

static void print_limits(const ModelCodesign *self, const GpuCodesignClass *class)
{
    g_autoptr(Grid) grid = grid_with("RESOURCE|THERE IS|USED %||WITH|FASTER %");
    const double budget = self->options->at.high;
    const double area = design_at(class, class->best)->mm2 / budget;

    grid_printf(grid, "area, mm2|%.6g|%.1f|%s|%.6g|%.2f", budget, PERCENT * area,
                area >= SATURATED ? "saturated" : "slack", budget + class->more_mm2,
                PERCENT * class->area_gain);
    for (GpuLimitKind kind = 0; kind < GPU_LIMITS; kind++) {
        const GpuLimit *limit = &class->bottleneck.limits[kind];
        const bool has_more = limit->relaxed > limit->allowed;
        const double gain = PERCENT * limit->gain;
        g_autofree char *allowed = gpu_limit_text(kind, limit->allowed);
        g_autofree char *relaxed = gpu_limit_text(kind, limit->relaxed);

        grid_printf(grid, "%s|%s|%.1f|%s|%s|%.2f", gpu_limit_title(kind), allowed,
                    PERCENT * limit->use,
                    limit->use >= SATURATED ? "saturated" : "slack",
                    has_more ? relaxed : "-",
                    has_more ? (fabs(gain) < ROUNDED ? 0 : gain) : NAN);
    }
    grid_print(grid, stdout, 2);
    printf("  More of one thing alone, and tiles chosen anew; only area costs area.\n");
}

/* A part of the time in percent; negligible values have no sign. */
static double percent_of(double part)
{
    return fabs(part) < NOTHING ? 0 : PERCENT * part;
}

static void print_bottleneck(const ModelCodesign *self, const GpuCodesignClass *class)
{
    const GpuTimeShares *shares = &class->bottleneck.shares;
    g_autofree char *text = gpu_design_text(design_at(class, class->best));

    printf("\n  what holds %s back\n", text);
    printf("  time        %.1f %% useful, %.1f points in vain, %.1f idle vector units, "
           "%.1f idle\n              multiprocessors, %.1f waiting for memory, %.1f "
           "barriers, %.1f launches\n",
           percent_of(shares->useful), percent_of(shares->covering),
           percent_of(shares->lanes), percent_of(shares->rounds),
           percent_of(shares->memory), percent_of(shares->barriers),
           percent_of(shares->launches));
    if (shares->covering < -NOTHING) {
        printf(
            "              Below 0: tiles as far apart as printed leave points out.\n");
    }
    print_limits(self, class);
}

void model_codesign_print(gconstpointer study)
{
    const ModelCodesign *self = study;

    print_head(self);
    for (guint i = 0; i < self->class_count; i++) {
        const GpuCodesignClass *class = &self->classes[i];

        print_front(self, class);
        print_bests(self, class);
        print_gains(class);
        print_shared(class);
        model_codesign_energy_print(self, class);
        print_bottleneck(self, class);
    }
    printf("\n  The thesis has GFLOP/s, which do not follow from what else it prints: "
           "operations of\n  a point are not in it, and its rates need two to five "
           "times the usual ones. Ratios\n  can be compared.\n");
}
