/* Formats of the numbers in a tile of a Tensix core's L1. */
#pragma once

#include <stdbool.h>

#include <glib.h>

typedef enum {
    ARCH_FORMAT_BF16,
    ARCH_FORMAT_FP32,
    ARCH_FORMAT_BFP8,   /* 64 exponents, one for 16 numbers, then a byte for each */
    ARCH_FORMAT_BFP4,   /* likewise, then four bits for each, the first in the lower */
    ARCH_FORMAT_UINT32, /* integers, two's complement where they have a sign */
    ARCH_FORMAT_INT32,
    ARCH_FORMAT_UINT16,
    ARCH_FORMAT_TF32, /* 32 bits in L1, the lower 13 zero */
    ARCH_FORMATS,
} ArchFormat;

enum {
    ARCH_TILE_ELEMENTS = 1024,
};

guint arch_format_tile_bytes(ArchFormat format);
const char *arch_format_name(ArchFormat format);
const char *const *arch_format_names(void); /* by ArchFormat, then NULL */

static inline bool arch_format_is_integer(ArchFormat format)
{
    return format >= ARCH_FORMAT_UINT32 && format <= ARCH_FORMAT_UINT16;
}

/* Whether a number has 32 bits in L1. */
static inline bool arch_format_is_wide(ArchFormat format)
{
    return arch_format_tile_bytes(format) == ARCH_TILE_ELEMENTS * sizeof(guint32);
}
