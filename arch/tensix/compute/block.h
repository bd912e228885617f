/* A matmul_block: one step of the inner dimension for rows x columns tiles of the
 * result, as products of tiles. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/tensix_compute.h"

/* Which operands of a product of a block are in Src already, and more. */
typedef enum {
    TENSIX_KEEP_NONE = 0,
    TENSIX_KEEP_A = 1 << 0,
    TENSIX_KEEP_B = 1 << 1,
    TENSIX_KEEP_BOTH = TENSIX_KEEP_A | TENSIX_KEEP_B,
    TENSIX_KEEP_LATER = 1 << 2, /* an operand comes that later products keep */
    TENSIX_KEEP_PAIRED =
        1 << 3, /* two tiles stay, one in each bank, and share others */
} TensixKeep;

/* Whether a call of ARCH_COMPUTE_MATMUL is one of several products, and of how many. */
static inline bool tensix_block_is(const ArchComputeCall *call)
{
    return call->dst_b > 1 || call->dst_c > 1;
}

static inline guint tensix_block_products(const ArchComputeCall *call)
{
    guint columns = call->dst_b;

    return columns * call->dst_c;
}

/* One of them, in tt-llk's order: the operand of the shorter side stays in Src, two of
 * its tiles at a time, and every tile of the other operand that comes meets both. */
ArchComputeCall tensix_block_product(const ArchComputeCall *call, guint index);
