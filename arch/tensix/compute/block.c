/* The order of the products of a matmul_block, as tt-llk's llk_unpack_AB_matmul.h and
 * llk_math_matmul.h of Wormhole have it. */
#include "arch/tensix/compute/block.h"

#include "sim/narrow.h"

enum {
    HELD = 2, /* tiles that stay in Src at a time, one in each bank */
};

ArchComputeCall tensix_block_product(const ArchComputeCall *call, guint index)
{
    const guint columns = call->dst_b;
    const bool is_by_row = columns >= call->dst_c;
    const guint held_count = is_by_row ? call->dst_c : columns;
    const guint moving_count = is_by_row ? columns : call->dst_c;
    const guint first = index / (HELD * moving_count) * HELD;
    const guint together = MIN(HELD, held_count - first);
    const guint within = index - first * moving_count;
    const guint held = first + within % together;
    const guint moving = within / together;
    const guint row = is_by_row ? held : moving;
    const guint column = is_by_row ? moving : held;
    ArchComputeCall product = *call;
    const bool is_paired = held_count - first >= HELD;
    guint keep = is_paired ? TENSIX_KEEP_PAIRED : TENSIX_KEEP_NONE;

    if (moving == 0) {
        keep |= TENSIX_KEEP_LATER;
    } else {
        keep |= is_by_row ? TENSIX_KEEP_A : TENSIX_KEEP_B;
    }
    if (held != first) {
        keep |= is_by_row ? TENSIX_KEEP_B : TENSIX_KEEP_A;
    }
    product.tile_a = sim_u16(call->tile_a + row * call->count);
    product.tile_b = sim_u16(call->tile_b + column);
    product.dst = sim_u8(call->dst + row * columns + column);
    product.keep = sim_u8(keep);
    product.dst_b = 0;
    product.dst_c = 0;
    product.count = 0;
    return product;
}
