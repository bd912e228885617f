/* Designs of GPUs, and the problems that they are compared with. */
#include "arch/model/codesign/codesign.h"

enum {
    KILOBYTE = 1024,
    PAIR = 2, /* multiprocessors come in pairs, which share what else there is */
    MOST_MULTIPROCESSORS = 32,
    MOST_VECTOR_UNITS = 2048,
    FLAT = 2,
};

static const guint shared_sizes[] = {12,  24,  36,  48,  96,  144, 192,
                                     240, 288, 336, 384, 432, 480};

static int compare_designs(gconstpointer a, gconstpointer b)
{
    const GpuDesign *one = a;
    const GpuDesign *two = b;

    if (one->mm2 != two->mm2) {
        return one->mm2 < two->mm2 ? -1 : 1;
    }
    if (one->multiprocessors != two->multiprocessors) {
        return one->multiprocessors < two->multiprocessors ? -1 : 1;
    }
    if (one->vector_units != two->vector_units) {
        return one->vector_units < two->vector_units ? -1 : 1;
    }
    return (one->shared_kilobytes > two->shared_kilobytes) -
           (one->shared_kilobytes < two->shared_kilobytes);
}

void gpu_design_area(const GpuDesign *design,
                     const GpuAreaCosts *costs,
                     const GpuAreaDesign *gpu,
                     GpuArea *area)
{
    GpuAreaDesign built = *gpu;

    built.multiprocessors = design->multiprocessors;
    built.vector_units = design->vector_units;
    built.shared_bytes = (uint64_t) design->shared_kilobytes * KILOBYTE;
    built.has_caches = false;
    gpu_area(costs, &built, GPU_AREA_WORKING, area);
}

GArray *gpu_designs(const GpuAreaCosts *costs,
                    const GpuAreaDesign *gpu,
                    const GpuAreaRange *range)
{
    GArray *designs = g_array_new(FALSE, FALSE, sizeof(GpuDesign));

    for (guint sm = PAIR; sm <= MOST_MULTIPROCESSORS; sm += PAIR) {
        for (guint v = GPU_TILING_WARP; v <= MOST_VECTOR_UNITS; v += GPU_TILING_WARP) {
            for (guint m = 0; m < G_N_ELEMENTS(shared_sizes); m++) {
                GpuDesign design = {.multiprocessors = sm,
                                    .vector_units = v,
                                    .shared_kilobytes = shared_sizes[m]};
                GpuArea area;

                gpu_design_area(&design, costs, gpu, &area);
                design.mm2 = area.total;
                if (design.mm2 >= range->low && design.mm2 <= range->high) {
                    g_array_append_val(designs, design);
                }
            }
        }
    }
    g_array_sort(designs, compare_designs);
    return designs;
}

void gpu_design_machine(const GpuDesign *design,
                        const GpuCodesignRules *rules,
                        GpuTilingMachine *machine)
{
    const uint64_t shared = (uint64_t) design->shared_kilobytes * KILOBYTE;

    *machine = rules->gpu;
    machine->multiprocessors = design->multiprocessors;
    machine->vector_units = design->vector_units;
    machine->shared_bytes = shared;
    machine->block_shared_bytes = rules->block == GPU_BLOCK_HALF
                                      ? shared / 2
                                      : MIN(shared, rules->gpu.block_shared_bytes);
    if (rules->bandwidth == GPU_BANDWIDTH_SCALED &&
        rules->form == GPU_TILING_CORRECTED) {
        machine->word_seconds *=
            (double) rules->gpu.multiprocessors / design->multiprocessors;
    }
}

guint gpu_design_next_shared(guint kilobytes)
{
    for (guint i = 0; i < G_N_ELEMENTS(shared_sizes); i++) {
        if (shared_sizes[i] > kilobytes) {
            return shared_sizes[i];
        }
    }
    return 0;
}

void gpu_codesign_sizes(guint dimension, bool is_printed, GpuCodesignSizes *sizes)
{
    static const uint64_t spaces[][4] = {{4096, 8192, 12288, 16384}, {384, 512, 640}};
    static const uint64_t steps[][5] = {{1024, 2048, 4096, 8192, 16384},
                                        {128, 256, 384, 512, 640}};
    const uint64_t slip = 12228;
    const guint class = dimension == FLAT ? 0 : 1;

    *sizes = (GpuCodesignSizes){0};
    for (guint i = 0; i < G_N_ELEMENTS(spaces[0]); i++) {
        for (guint j = 0; j < G_N_ELEMENTS(steps[0]); j++) {
            const uint64_t space =
                class == 0 && is_printed && i == 2 ? slip : spaces[class][i];

            if (steps[class][j] <= space) {
                sizes->at[sizes->count].space = space;
                sizes->at[sizes->count++].steps = steps[class][j];
            }
        }
    }
}

char *gpu_design_text(const GpuDesign *design)
{
    return g_strdup_printf("%u x %u, %u kB", design->multiprocessors,
                           design->vector_units, design->shared_kilobytes);
}

char *gpu_codesign_rules_text(const GpuCodesignRules *self)
{
    const char *bandwidth = self->bandwidth == GPU_BANDWIDTH_SCALED
                                ? "grows with multiprocessors"
                                : "is that of the GPU";

    return g_strdup_printf(
        "Equations %s; bandwidth %s; tiles take at most %s.",
        self->form == GPU_TILING_AS_PRINTED ? "as printed" : "corrected",
        self->form == GPU_TILING_AS_PRINTED ? "of each multiprocessor is all there is"
                                            : bandwidth,
        self->block == GPU_BLOCK_HALF ? "half of the shared memory"
                                      : "what the GPU allows");
}
