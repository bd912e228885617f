/* The silicon area of a GPU as the sum of its parts. After appendix C of the thesis
 * "Analytical Cost Metrics: Days of Future Past", whose equations are named: a model of
 * chips in one process, fitted to the die of a GTX 980. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/chipfile/params.h"

/* The area of a memory: mm2 per kilobyte (1024 bytes), plus a constant. */
typedef struct {
    double kilobyte_mm2;
    double mm2;
} GpuAreaMemory;

/* The coefficients of a process and of a way to build GPUs. */
typedef struct {
    double vector_unit_mm2;
    GpuAreaMemory registers; /* of a vector unit */
    GpuAreaMemory shared;    /* of a multiprocessor */
    GpuAreaMemory l1;        /* of a pair of multiprocessors */
    GpuAreaMemory l2;        /* of a multiprocessor's slice */
    double overhead_mm2;     /* of a multiprocessor */
} GpuAreaCosts;

/* n_SM, n_V, R_VU, M_SM, L1 of a pair, L2 of a multiprocessor. */
typedef struct {
    guint multiprocessors;
    guint vector_units;
    uint64_t register_bytes;
    uint64_t shared_bytes;
    uint64_t l1_pair_bytes;
    uint64_t l2_bytes;
    bool has_caches; /* without caches their parts are 0, constants included */
} GpuAreaDesign;

/* Part by part. */
bool gpu_area_design_is_same(const GpuAreaDesign *self, const GpuAreaDesign *other);

typedef enum {
    GPU_AREA_WORKING,    /* the constant of L2 counts once per multiprocessor */
    GPU_AREA_AS_PRINTED, /* (C.6) as printed: once per chip, which contradicts the
                          * thesis's own numbers */
} GpuAreaForm;

/* mm2 */
typedef struct {
    double vector_units;
    double registers;
    double shared;
    double l1;
    double l2;
    double overhead;
    double total;
} GpuArea;

/* Reads both from a chip file. Shared memory and vector units come from its section
 * tiling. Fails with ARCH_ERROR_UNDOCUMENTED if the file has no section area. */
bool gpu_area_read(const ArchParams *gpu,
                   GpuAreaCosts *costs,
                   GpuAreaDesign *design,
                   GError **error);

void gpu_area(const GpuAreaCosts *costs,
              const GpuAreaDesign *design,
              GpuAreaForm form,
              GpuArea *area);

/* (C.7), whose coefficients are those of a GTX 980 rounded to few digits, independent
 * of the chip file. The design has caches: their constants are in the overhead. */
double gpu_area_rounded(const GpuAreaDesign *design);
