/* The keys of a chip file of a processor: what its roofs are made of, and its caches.
 */
#include "arch/chipfile/keys.h"

/* clang-format off */
static const ArchKey keys[] = {
    ARCH_CHOICE("chip", "family", "cpu"),
    ARCH_TEXT("chip", "summary"),
    ARCH_UINT("chip", "clock_hz", "hz", 1, 1e11),
    ARCH_UINT("chip", "core_count", "count", 1, 1e4),

    ARCH_REAL("core", "fp64_flops_per_cycle", "flops per cycle", 0, 1e4),
    ARCH_REAL("core", "fp32_flops_per_cycle", "flops per cycle", 0, 1e4),

    ARCH_UINT("dram", "channel_count", "count", 1, 256),
    ARCH_UINT("dram", "channel_bytes_per_second", "bytes per second", 1, 1e13),

    ARCH_UINT(ARCH_INFORMATION, "core_threads", "threads", 1, 64),
    ARCH_UINT(ARCH_INFORMATION, "l1_bytes", "bytes", 0, 1e9),
    ARCH_UINT(ARCH_INFORMATION, "l2_bytes", "bytes", 0, 1e10),
    ARCH_UINT(ARCH_INFORMATION, "l3_bytes", "bytes", 0, 1e11),
    ARCH_UINT(ARCH_INFORMATION, "dram_bytes", "bytes", 1, 1e14),
};
/* clang-format on */

const ArchKeys arch_keys_cpu = {
    .items = keys,
    .count = G_N_ELEMENTS(keys),
};
