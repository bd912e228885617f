/* The keys of a chip file of a GPU. A number of 0 is not known, or the GPU has no such
 * unit. */
#include "arch/chipfile/keys.h"

#define FLOPS(section, format)                                                         \
    ARCH_REAL(section, format "_flops_per_second", "flops per second", 0, 1e17)
#define BYTES(section, memory)                                                         \
    ARCH_REAL(section, memory "_bytes_per_second", "bytes per second", 0, 1e15)

#define SECONDS(what) ARCH_REAL("tiling", what "_seconds", "seconds", 0, 1e6)
#define MM2(part)     ARCH_REAL("area", part "_mm2", "mm2", 0, 1e6)
#define MM2_PER_KILOBYTE(part)                                                         \
    ARCH_REAL("area", part "_mm2_per_kilobyte", "mm2 per kilobyte", 0, 1e6)
#define JOULES_PER_OPERATION(section, what)                                            \
    ARCH_REAL(section, what "_joules_per_operation", "joules per operation", 0, 1)
#define JOULES(section)                                                                \
    ARCH_REAL(section, "static_watts", "watts", 0, 1e6),                               \
        ARCH_REAL(section, "global_joules_per_word", "joules per word", 0, 1),         \
        ARCH_REAL(section, "shared_joules_per_word", "joules per word", 0, 1),         \
        JOULES_PER_OPERATION(section, "add"),                                          \
        JOULES_PER_OPERATION(section, "multiply"),                                     \
        JOULES_PER_OPERATION(section, "integer_add"),                                  \
        JOULES_PER_OPERATION(section, "integer_max")

/* clang-format off */
static const ArchKey keys[] = {
    ARCH_CHOICE("chip", "family", "gpu"),
    ARCH_TEXT("chip", "summary"),
    ARCH_UINT("chip", "clock_hz", "hz", 1, 1e11),
    ARCH_UINT("chip", "multiprocessor_count", "count", 1, 1e5),

    FLOPS("cuda", "fp64"),
    FLOPS("cuda", "fp32"),
    FLOPS("cuda", "fp16"),

    FLOPS("tensor", "fp64"),
    FLOPS("tensor", "tf32"),
    FLOPS("tensor", "fp16"),

    FLOPS("sparse", "tf32"),
    FLOPS("sparse", "fp16"),

    BYTES("memory", "dram"),
    BYTES("memory", "l2"),
    BYTES("memory", "shared"),

    ARCH_REAL("power", "board_watts", "watts", 0, 1e6),

    BYTES("published", "dram"),
    BYTES("published", "shared"),
    FLOPS("published", "fp32"),

    /* What a model of tiled programs wants to know; of one multiprocessor. */
    ARCH_UINT("tiling", "vector_unit_count", "count", 1, 1e5),
    ARCH_UINT("tiling", "shared_bytes", "bytes", 1, 1e12),
    ARCH_UINT("tiling", "block_shared_bytes", "bytes", 1, 1e12),
    ARCH_UINT("tiling", "block_count", "count", 1, 1e5),
    ARCH_REAL("tiling", "global_seconds_per_byte", "seconds per byte", 0, 1),
    SECONDS("barrier"),
    SECONDS("launch"),
    SECONDS("jacobi2d"),
    SECONDS("heat2d"),
    SECONDS("laplacian2d"),
    SECONDS("gradient2d"),
    SECONDS("heat3d"),
    SECONDS("laplacian3d"),

    /* Silicon: parts of one multiprocessor, kilobytes of 1024 bytes. */
    ARCH_REAL("area", "die_mm2", "mm2", 0, 1e6),
    MM2("vector_unit"),
    MM2_PER_KILOBYTE("register"),
    MM2("register"),
    MM2_PER_KILOBYTE("shared"),
    MM2("shared"),
    MM2_PER_KILOBYTE("l1"),
    MM2("l1"),
    MM2_PER_KILOBYTE("l2"),
    MM2("l2"),
    MM2("overhead"),
    ARCH_UINT("area", "register_bytes", "bytes", 0, 1e9),
    ARCH_UINT("area", "l1_pair_bytes", "bytes", 0, 1e9),
    ARCH_UINT("area", "l2_bytes", "bytes", 0, 1e9),

    /* What moving and computing cost, found out in two ways. */
    JOULES("energy_microbenchmark"),
    JOULES("energy_regression"),

    ARCH_UINT(ARCH_INFORMATION, "base_clock_hz", "hz", 0, 1e11),
    ARCH_UINT(ARCH_INFORMATION, "dram_bytes", "bytes", 0, 1e14),
    ARCH_UINT(ARCH_INFORMATION, "l2_bytes", "bytes", 0, 1e12),
    FLOPS(ARCH_INFORMATION, "tensor_fp8"),
    FLOPS(ARCH_INFORMATION, "sparse_fp8"),
};
/* clang-format on */

static const char *const optional[] = {"tiling", "area", "energy_microbenchmark",
                                       "energy_regression", NULL};

const ArchKeys arch_keys_gpu = {
    .items = keys,
    .count = G_N_ELEMENTS(keys),
    .optional = optional,
};
