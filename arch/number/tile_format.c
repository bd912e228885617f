/* Names and sizes of tile formats. */
#include "arch/number/tile_format.h"

#include <stdint.h>

enum {
    BFP_EXPONENTS = ARCH_TILE_ELEMENTS / 16, /* one for 16 numbers */
};

static const char *const names[ARCH_FORMATS + 1] = {
    [ARCH_FORMAT_BF16] = "bf16",     [ARCH_FORMAT_FP32] = "fp32",
    [ARCH_FORMAT_BFP8] = "bfp8",     [ARCH_FORMAT_BFP4] = "bfp4",
    [ARCH_FORMAT_UINT32] = "uint32", [ARCH_FORMAT_INT32] = "int32",
    [ARCH_FORMAT_UINT16] = "uint16", [ARCH_FORMAT_TF32] = "tf32",
};

guint arch_format_tile_bytes(ArchFormat format)
{
    static const guint bytes[ARCH_FORMATS] = {
        [ARCH_FORMAT_BF16] = ARCH_TILE_ELEMENTS * sizeof(uint16_t),
        [ARCH_FORMAT_FP32] = ARCH_TILE_ELEMENTS * sizeof(uint32_t),
        [ARCH_FORMAT_BFP8] = BFP_EXPONENTS + ARCH_TILE_ELEMENTS,
        [ARCH_FORMAT_BFP4] = BFP_EXPONENTS + ARCH_TILE_ELEMENTS / 2,
        [ARCH_FORMAT_UINT32] = ARCH_TILE_ELEMENTS * sizeof(uint32_t),
        [ARCH_FORMAT_INT32] = ARCH_TILE_ELEMENTS * sizeof(uint32_t),
        [ARCH_FORMAT_UINT16] = ARCH_TILE_ELEMENTS * sizeof(uint16_t),
        [ARCH_FORMAT_TF32] = ARCH_TILE_ELEMENTS * sizeof(uint32_t),
    };

    return bytes[format];
}

const char *arch_format_name(ArchFormat format)
{
    return names[format];
}

const char *const *arch_format_names(void)
{
    return names;
}
