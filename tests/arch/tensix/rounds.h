/* Rounds of compute kernels for tests: additions, copies, products. A stream goes from
 * the input buffers to the output; a chain round two buffers, each round on the last
 * one's result. */
#pragma once

#include "tests/arch/tensix/kernel.h"

void call_wait(GArray *calls, guint cb, guint pages);
void call_pop(GArray *calls, guint cb, guint pages);
void call_push(GArray *calls, guint cb);
void call_plain(GArray *calls, ArchComputeOp op);

enum {
    ROUND_BLOCK_PRODUCTS = 64,
};

void round_stream_add(GArray *calls, guint round);
void round_stream_copy(GArray *calls, guint round);
void round_stream_vectors(GArray *calls, guint round);
void round_stream_vectors_init(GArray *calls, guint round);
void round_stream_vectors_reconfig(GArray *calls, guint round);
void round_chain_add(GArray *calls, guint round);
void round_chain_add_hoisted(GArray *calls, guint round);
void round_chain_add_reconfig(GArray *calls, guint round);
void round_chain_copy(GArray *calls, guint round);
void round_chain_copy_hoisted(GArray *calls, guint round);
void round_chain_copy_reconfig(GArray *calls, guint round);
void round_chain_transpose(GArray *calls, guint round);
void round_chain_scale(GArray *calls, guint round);
void round_chain_vectors(GArray *calls, guint round);
void round_chain_vectors_reconfig(GArray *calls, guint round);
void round_dot_step(GArray *calls, guint round);
/* Dst 0 summed up, three times in a row. */
void round_sum_lanes(GArray *calls, guint round);
/* Dst 0 compared with zero in each way, and a number added to it. */
void round_compare(GArray *calls, guint round);
void round_batch_add(GArray *calls, guint round);
void round_batch_matmul(GArray *calls, guint round);
/* Sixteen steps of a block of 1 x 4 products, eight of one of 2 x 4. */
void round_block_matmul(GArray *calls, guint round);
void round_pair_matmul(GArray *calls, guint round);
