/* The keys of a chip file of a GPU. A number of 0 is not known, or the GPU has no such
 * unit. */
#include "arch/family.h"

#define FLOPS(section, format)                                                         \
    ARCH_REAL(section, format "_flops_per_second", "flops per second", 0, 1e17)
#define BYTES(section, memory)                                                         \
    ARCH_REAL(section, memory "_bytes_per_second", "bytes per second", 0, 1e15)

/* clang-format off */
static const ArchKey keys[] = {
    ARCH_CHOICE("chip", "family", "gpu"),
    ARCH_TEXT("chip", "summary"),
    ARCH_UINT("chip", "clock_hz", "hz", 1, 1e11),
    ARCH_UINT("chip", "base_clock_hz", "hz", 0, 1e11),
    ARCH_UINT("chip", "multiprocessor_count", "count", 1, 1e5),

    FLOPS("cuda", "fp64"),
    FLOPS("cuda", "fp32"),
    FLOPS("cuda", "fp16"),

    FLOPS("tensor", "fp64"),
    FLOPS("tensor", "tf32"),
    FLOPS("tensor", "fp16"),
    FLOPS("tensor", "fp8"),

    FLOPS("sparse", "tf32"),
    FLOPS("sparse", "fp16"),
    FLOPS("sparse", "fp8"),

    BYTES("memory", "dram"),
    ARCH_UINT("memory", "dram_bytes", "bytes", 0, 1e14),
    BYTES("memory", "l2"),
    ARCH_UINT("memory", "l2_bytes", "bytes", 0, 1e12),
    BYTES("memory", "shared"),

    ARCH_REAL("power", "board_watts", "watts", 0, 1e6),

    BYTES("published", "dram"),
    BYTES("published", "shared"),
    FLOPS("published", "fp32"),
};
/* clang-format on */

const ArchFamily arch_family_gpu = {
    .name = "gpu",
    .summary = "GPUs: rates for rooflines and models; no programs run on them",
    .keys = keys,
    .key_count = G_N_ELEMENTS(keys),
    .has_roofs_only = true,
};
