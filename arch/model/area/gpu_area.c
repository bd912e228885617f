/* The area of a GPU. */
#include "arch/model/area/gpu_area.h"

#include "arch/error.h"
#include "arch/gpu.h"
#include "sim/narrow.h"

#define KILOBYTE 1024.0

/* The coefficients of (C.7), as printed. */
#define ROUNDED_VECTOR_UNIT 0.0447
#define ROUNDED_REGISTER_KB 0.0043
#define ROUNDED_SHARED_KB   0.015
#define ROUNDED_L1_KB       0.08 /* of a pair, for each of its two multiprocessors */
#define ROUNDED_L2_KB       0.041
#define ROUNDED_OVERHEAD    7.317

static GpuAreaMemory read_memory(const ArchParams *gpu, const char *part)
{
    g_autofree char *slope = g_strdup_printf("area.%s_mm2_per_kilobyte", part);
    g_autofree char *constant = g_strdup_printf("area.%s_mm2", part);

    return (GpuAreaMemory){.kilobyte_mm2 = arch_params_real(gpu, slope),
                           .mm2 = arch_params_real(gpu, constant)};
}

bool gpu_area_read(const ArchParams *gpu,
                   GpuAreaCosts *costs,
                   GpuAreaDesign *design,
                   GError **error)
{
    if (!gpu_is(gpu) || !arch_params_has(gpu, "area.die_mm2") ||
        !arch_params_has(gpu, "tiling.shared_bytes")) {
        return sim_fail(
            error, ARCH_ERROR, ARCH_ERROR_UNDOCUMENTED,
            "%s: nobody has measured what its parts take of the die: its file "
            "lacks a section [area] or [tiling]",
            arch_params_name(gpu));
    }
    *costs = (GpuAreaCosts){
        .vector_unit_mm2 = arch_params_real(gpu, "area.vector_unit_mm2"),
        .registers = read_memory(gpu, "register"),
        .shared = read_memory(gpu, "shared"),
        .l1 = read_memory(gpu, "l1"),
        .l2 = read_memory(gpu, "l2"),
        .overhead_mm2 = arch_params_real(gpu, "area.overhead_mm2"),
    };
    *design = (GpuAreaDesign){
        .multiprocessors = sim_u32(arch_params_uint(gpu, "chip.multiprocessor_count")),
        .vector_units = sim_u32(arch_params_uint(gpu, "tiling.vector_unit_count")),
        .register_bytes = arch_params_uint(gpu, "area.register_bytes"),
        .shared_bytes = arch_params_uint(gpu, "tiling.shared_bytes"),
        .l1_pair_bytes = arch_params_uint(gpu, "area.l1_pair_bytes"),
        .l2_bytes = arch_params_uint(gpu, "area.l2_bytes"),
        .has_caches = true,
    };
    return true;
}

static double memory_mm2(const GpuAreaMemory *memory, uint64_t bytes)
{
    return memory->kilobyte_mm2 * ((double) bytes / KILOBYTE) + memory->mm2;
}

static double
l2_mm2(const GpuAreaCosts *costs, const GpuAreaDesign *design, GpuAreaForm form)
{
    const double slices = design->multiprocessors;

    if (form == GPU_AREA_AS_PRINTED) {
        return slices * costs->l2.kilobyte_mm2 *
                   ((double) design->l2_bytes / KILOBYTE) +
               costs->l2.mm2;
    }
    return slices * memory_mm2(&costs->l2, design->l2_bytes);
}

void gpu_area(const GpuAreaCosts *costs,
              const GpuAreaDesign *design,
              GpuAreaForm form,
              GpuArea *area)
{
    const double multiprocessors = design->multiprocessors;
    const double vector_units = multiprocessors * design->vector_units;

    *area = (GpuArea){
        .vector_units = vector_units * costs->vector_unit_mm2,
        .registers =
            vector_units * memory_mm2(&costs->registers, design->register_bytes),
        .shared = multiprocessors * memory_mm2(&costs->shared, design->shared_bytes),
        .overhead = multiprocessors * costs->overhead_mm2,
    };
    if (design->has_caches) {
        area->l1 = multiprocessors / 2 * memory_mm2(&costs->l1, design->l1_pair_bytes);
        area->l2 = l2_mm2(costs, design, form);
    }
    area->total = area->vector_units + area->registers + area->shared + area->l1 +
                  area->l2 + area->overhead;
}

double gpu_area_rounded(const GpuAreaDesign *design)
{
    const double multiprocessors = design->multiprocessors;
    const double vector_units = multiprocessors * design->vector_units;

    return ROUNDED_VECTOR_UNIT * vector_units +
           ROUNDED_REGISTER_KB * ((double) design->register_bytes / KILOBYTE) *
               vector_units +
           ROUNDED_SHARED_KB * ((double) design->shared_bytes / KILOBYTE) *
               multiprocessors +
           ROUNDED_L1_KB * ((double) design->l1_pair_bytes / KILOBYTE) *
               multiprocessors +
           ROUNDED_L2_KB * ((double) design->l2_bytes / KILOBYTE) * multiprocessors +
           ROUNDED_OVERHEAD * multiprocessors;
}

bool gpu_area_design_is_same(const GpuAreaDesign *self, const GpuAreaDesign *other)
{
    return self->multiprocessors == other->multiprocessors &&
           self->vector_units == other->vector_units &&
           self->register_bytes == other->register_bytes &&
           self->shared_bytes == other->shared_bytes &&
           self->l1_pair_bytes == other->l1_pair_bytes &&
           self->l2_bytes == other->l2_bytes && self->has_caches == other->has_caches;
}
