/* Energy and the product of energy and time as goals of a codesign. */
#include <stdio.h>

#include "arch/error.h"
#include "tools/gridloom/model/codesign/codesign.h"
#include "tools/gridloom/option_value.h"
#include "traces/table/grid.h"
#include "traces/table/number_text.h"
#include "traces/table/record.h"
#include "workloads/chip_file.h"

#define PERCENT 100.0

/* The one GPU whose prices are known. */
#define PRICED "k20c"

enum {
    RANGES = 2, /* all that is searched, and where one looks */
};

static bool has_stencil(const ModelCodesignOptions *self)
{
    for (guint i = 0; i < self->code_count; i++) {
        if (g_str_equal(self->codes[i].stencil->name, "jacobi2d")) {
            return true;
        }
    }
    return false;
}

bool model_codesign_energy_read(ModelCodesignOptions *self,
                                const char *text,
                                GError **error)
{
    static const char *const words[] = {"scaled", "fixed", NULL};
    guint word = 0;

    if (text == NULL) {
        return true;
    }
    if (!option_word(text, "--energy", words, &word, error)) {
        return false;
    }
    if (!has_stencil(self)) {
        g_set_error(
            error, ARCH_ERROR, ARCH_ERROR_UNMODELLED,
            "--energy: only that of jacobi2d is modelled, which is not among the "
            "stencils that are asked for");
        return false;
    }
    g_autoptr(ArchParams) priced = wl_chip_load_gpu(PRICED, error);

    if (priced == NULL || !gpu_energy_costs(priced, GPU_ENERGY_MICROBENCHMARK,
                                            &self->prices.costs, error)) {
        return false;
    }
    if (word == 0) {
        GpuArea area;

        gpu_area(&self->costs, &self->built, GPU_AREA_WORKING, &area);
        self->prices.static_mm2 = area.total;
    }
    self->has_energy = true;
    return true;
}

static const GpuAreaRange *range_at(const ModelCodesign *self, guint index)
{
    return index == 0 ? &self->options->area : &self->options->at;
}

void model_codesign_energy_print(const ModelCodesign *self,
                                 const GpuCodesignClass *class)
{
    const GpuCodesignPrices *prices = &self->options->prices;

    if (!self->options->has_energy || gpu_codesign_energy_code(class->sweep) < 0) {
        return;
    }
    trace_number_text_print(
        "\n  energy of Jacobi 2D over all sizes at the prices of a K20c, with the "
        "fastest tiles\n  static      %.4g W",
        prices->costs.of[GPU_ENERGY_STATIC]);
    if (prices->static_mm2 > 0) {
        trace_number_text_print(
            " at the GPU's %.2f mm2, of designs by their area: assumed\n",
            prices->static_mm2);
    } else {
        printf(" of every design: assumed\n");
    }
    for (guint i = 0; i < RANGES; i++) {
        const GpuAreaRange *range = range_at(self, i);
        g_autoptr(Grid) grid =
            grid_with("LEAST|DESIGN|MM2|SECONDS|JOULES|STATIC %|J S");

        printf("  in %.6g to %.6g mm2\n", range->low, range->high);
        for (guint goal = 0; goal < GPU_CODESIGN_GOALS; goal++) {
            const GpuCodesignLeast least = gpu_codesign_find_least(
                class->sweep, range, prices, (GpuCodesignGoal) goal);

            if (least.design >= 0) {
                const GpuDesign *design =
                    gpu_codesign_design(class->sweep, (guint) least.design);
                g_autofree char *text = gpu_design_text(design);

                grid_printf(grid, "%s|%s|%.2f|%.5g|%.5g|%.1f|%.5g",
                            gpu_codesign_goal_title((GpuCodesignGoal) goal), text,
                            design->mm2, least.energy.seconds, least.energy.joules,
                            PERCENT * least.energy.static_joules / least.energy.joules,
                            least.energy.product);
            }
        }
        grid_print(grid, stdout, 2);
    }
}

static JsonObject *least_json(const GpuCodesignClass *class,
                              const GpuCodesignLeast *least)
{
    JsonObject *object = model_codesign_design_json(
        gpu_codesign_design(class->sweep, (guint) least->design));

    RECORD_ADD(object, VALUE("seconds", least->energy.seconds),
               VALUE("static_joules", least->energy.static_joules),
               VALUE("joules", least->energy.joules),
               VALUE("joule_seconds", least->energy.product));
    return object;
}

JsonObject *model_codesign_energy_json(const ModelCodesign *self,
                                       const GpuCodesignClass *class)
{
    static const char *const ranges[RANGES] = {"in_area", "in_at"};
    JsonObject *object;

    if (!self->options->has_energy || gpu_codesign_energy_code(class->sweep) < 0) {
        return NULL;
    }
    object = json_object_new();
    for (guint i = 0; i < RANGES; i++) {
        JsonObject *member = json_object_new();

        for (guint goal = 0; goal < GPU_CODESIGN_GOALS; goal++) {
            const GpuCodesignLeast least =
                gpu_codesign_find_least(class->sweep, range_at(self, i),
                                        &self->options->prices, (GpuCodesignGoal) goal);

            if (least.design >= 0) {
                json_object_set_object_member(
                    member, gpu_codesign_goal_name((GpuCodesignGoal) goal),
                    least_json(class, &least));
            }
        }
        json_object_set_object_member(object, ranges[i], member);
    }
    return object;
}
