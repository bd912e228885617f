/* Costs of a compute kernel's calls on its three threads and units, from the chip file.
 * They depend on the kernel: small or large, looped or unrolled. */
#pragma once

#include <glib.h>

#include "arch/chipfile/params.h"
#include "arch/tensix/compute/sfpu_functions.h"
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

/* A tile, or two, through Src and the FPU to Dst. */
typedef struct {
    guint unpack_call;
    SimTime unpack_cycles[ARCH_FORMATS];
    guint parts; /* parts in which Src is filled: faces, or the whole tile */
    guint banks; /* banks of Src that the parts use in turn */
    guint math_call;
    SimTime part_cycles;  /* of the FPU, including the return of the bank */
    SimTime after_cycles; /* after the last part */
    SimTime idle_cycles;  /* from the last part on, until the result is in Dst */
} TensixFpuCosts;

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
    guint init_transpose[THREADS];
    guint init_sfpu[THREADS];
    guint init_start[THREADS];
    guint reconfig[THREADS];
    guint context_count;
    SimTime unpack_before_cycles; /* the stream, before and after the unpackers */
    SimTime unpack_after_cycles;
    SimTime unpack_dst_cycles;
    guint unpack_dst_config;
    guint unpack_dst_restore;
    guint unpack_dst_math;
    guint unpack_dst_mailbox;
    SimTime unpack_dst_poll_cycles;
    guint block_banks; /* of Src, that products of a block use in turn */
    guint src_slots;   /* calls whose operands are under way */
    TensixFpuCosts fpu_add;
    TensixFpuCosts fpu_multiply;
    TensixFpuCosts fpu_reduce;
    TensixFpuCosts fpu_reduce_max;
    TensixFpuCosts fpu_matmul;
    TensixFpuCosts fpu_copy;
    TensixFpuCosts fpu_tilize;
    TensixFpuCosts fpu_add_reuse;
    TensixFpuCosts fpu_multiply_reuse;
    SimTime fpu_latency_cycles;
    SimTime transpose_fp32_cycles;
    guint commit;
    SimTime commit_cycles; /* the stream */
    guint sfpu_add;        /* for a tile, like all costs of the SFPU */
    guint sfpu_multiply;
    guint sfpu_mad;
    guint sfpu_recip;
    guint sfpu_sqrt;
    guint sfpu_scale;
    guint sfpu_compare_equal;
    guint sfpu_compare_strict;
    guint sfpu_compare_weak;
    guint sfpu_sum;
    guint sfpu_functions[SFPU_FUNCTIONS][2]; /* the second one approximate */
    guint sfpu_face_slots;                   /* beside its vectors */
    guint sfpu_passes; /* that a vector of a compiled kernel takes */
    SimTime sfpu_start_end_cycles;
    guint pack_call;
    SimTime pack_setup_cycles;
    SimTime pack_cycles[ARCH_FORMATS];
    SimTime pack_add_cycles[ARCH_FORMATS]; /* further ones, to add to L1 */
    guint pack_setting;
    guint release;
    SimTime release_cycles;
    SimTime value_load_cycles; /* of a RISC-V, from L1 */
    guint dst_tiles;           /* in a half */
} TensixComputeCosts;

void tensix_compute_costs_load(TensixComputeCosts *self,
                               const ArchParams *params,
                               const ArchComputeKernel *kernel);
