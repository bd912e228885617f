/* What the calls of a compute kernel cost on its three threads and units, as the chip
 * file says, for one kernel: small or large, looped or unrolled. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/chipfile/params.h"
#include "arch/tensix_compute.h"
#include "sim/ratio.h"

typedef enum {
    TENSIX_THREAD_UNPACK,
    TENSIX_THREAD_MATH,
    TENSIX_THREAD_PACK,
    THREADS,
} TensixThreadIndex;

enum {
    DST_HALVES = 2,
};

/* Instructions unless a name says otherwise; fetching them costs `fetch` cycles each.
 */
typedef struct {
    SimRatio fetch[THREADS];
    SimRatio sfpu_fetch;
    guint fifo_entries[THREADS];
    guint cb_wait;
    guint cb_pop;
    guint cb_reserve;
    guint cb_push;
    SimTime poll_cycles;
    SimTime counter_store_cycles;
    SimTime counter_visible_cycles;
    SimTime semaphore_cycles;
    guint mop_sync_cycles;
    guint init_binary[THREADS];
    guint init_copy[THREADS];
    guint init_transpose_fp32; /* math, more than a copy's */
    guint init_sfpu;
    guint init_start;
    guint reconfig[THREADS];
    guint context_count;
    guint unpack_binary;
    guint unpack_copy;
    SimTime unpack_before_cycles; /* the stream, before and after the unpackers */
    SimTime unpack_after_cycles;
    SimTime unpack_two_cycles[2]; /* by ArchFormat, of a tile each */
    SimTime unpack_one_cycles[2];
    SimTime unpack_matmul_cycles[2];
    SimTime unpack_dst_cycles;
    guint unpack_dst_config;
    guint unpack_dst_restore;
    guint unpack_dst_math;
    guint unpack_dst_mailbox;
    SimTime unpack_dst_poll_cycles;
    guint src_banks;
    guint src_banks_matmul;
    guint src_slots; /* calls whose operands are under way */
    guint math_call;
    guint math_fidelity_loop; /* more, with more than one phase */
    SimTime face_cycles;      /* of one phase, with handing back its bank */
    SimTime fpu_latency_cycles;
    SimTime reduce_cycles; /* of a tile */
    SimTime matmul_phase_cycles;
    SimTime transpose_fp32_cycles;
    guint commit;
    SimTime commit_cycles; /* the stream */
    guint sfpu_vectors;
    guint sfpu_face_pushes;
    guint sfpu_sum_pushes; /* of a tile to one number */
    SimTime sfpu_start_end_cycles;
    guint pack_call;
    SimTime pack_setup_cycles;
    SimTime pack_cycles[2];
    guint release;
    SimTime release_cycles;
    SimTime value_load_cycles;          /* of a RISC-V, from L1 */
    guint sfpu_slots[ARCH_COMPUTE_OPS]; /* instructions for a vector; 0: not SFPU's */
    guint sfpu_compare_slots[ARCH_COMPARISONS];
    guint dst_tiles; /* in a half */
} TensixComputeCosts;

void tensix_compute_costs_load(TensixComputeCosts *self,
                               const ArchParams *params,
                               const ArchComputeKernel *kernel);
