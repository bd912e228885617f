/* Costs: read from the chip file once a kernel. */
#include "arch/tensix/compute/costs.h"

enum {
    FACES = 4, /* of a tile: a bank of Src holds one */
};

static guint number(const ArchParams *params, const char *key)
{
    return (guint) arch_params_uint(params, key);
}

/* Straight-line code, or a small loop whose constants stay in registers. */
static guint
by_size(const ArchParams *params, bool is_large, const char *large, const char *small)
{
    return number(params, is_large ? large : small);
}

static void load_fetch(TensixComputeCosts *self,
                       const ArchParams *params,
                       const ArchComputeKernel *kernel)
{
    static const char *const misses[THREADS] = {
        "riscv.t0_miss_cycles_per_instruction",
        "riscv.t1_miss_cycles_per_instruction",
        "riscv.t2_miss_cycles_per_instruction",
    };
    static const char *const fifos[THREADS] = {
        "riscv.t0_fifo_entries", "riscv.t1_fifo_entries", "riscv.t2_fifo_entries"};
    const SimRatio one = {.num = 1, .den = 1};

    for (guint i = 0; i < THREADS; i++) {
        self->fetch[i] = kernel->is_large ? arch_params_ratio(params, misses[i]) : one;
        self->fifo_entries[i] = number(params, fifos[i]);
    }
    self->sfpu_fetch = kernel->is_unrolled
                           ? arch_params_ratio(params, misses[TENSIX_THREAD_MATH])
                           : one;
}

static void
load_buffers(TensixComputeCosts *self, const ArchParams *params, bool is_large)
{
    const SimRatio fetch = self->fetch[TENSIX_THREAD_UNPACK];

    self->cb_wait = by_size(params, is_large, "circular_buffer.wait_front_cycles",
                            "circular_buffer.wait_front_loop_cycles");
    self->cb_pop = by_size(params, is_large, "circular_buffer.pop_front_cycles",
                           "circular_buffer.pop_front_loop_cycles");
    self->cb_reserve = by_size(params, is_large, "circular_buffer.reserve_back_cycles",
                               "circular_buffer.reserve_back_loop_cycles");
    self->cb_push = by_size(params, is_large, "circular_buffer.push_back_cycles",
                            "circular_buffer.push_back_loop_cycles");
    self->poll_cycles =
        MAX(1, arch_params_uint(params, "riscv.poll_cycles") * fetch.num / fetch.den);
    self->counter_store_cycles = number(params, "circular_buffer.counter_store_cycles");
    self->counter_visible_cycles =
        number(params, "circular_buffer.counter_visible_cycles");
    self->value_load_cycles = number(params, "riscv.l1_load_cycles");
}

static void load_inits(TensixComputeCosts *self, const ArchParams *params)
{
    self->mop_sync_cycles = number(params, "tensix.mop_sync_cycles");
    self->init_binary[TENSIX_THREAD_UNPACK] =
        number(params, "tensix.binary_init_t0_cycles");
    self->init_binary[TENSIX_THREAD_MATH] =
        number(params, "tensix.binary_init_t1_cycles");
    self->init_copy[TENSIX_THREAD_UNPACK] =
        number(params, "tensix.copy_init_t0_cycles");
    self->init_copy[TENSIX_THREAD_MATH] = number(params, "tensix.copy_init_t1_cycles");
    self->init_transpose_fp32 = number(params, "fpu.transpose_fp32_init_cycles");
    self->init_sfpu = number(params, "sfpu.init_cycles");
    self->init_start = number(params, "tensix.kernel_init_cycles");
    self->reconfig[TENSIX_THREAD_UNPACK] = number(params, "tensix.reconfig_t0_cycles");
    self->reconfig[TENSIX_THREAD_MATH] = number(params, "tensix.reconfig_t1_cycles");
    self->reconfig[TENSIX_THREAD_PACK] = number(params, "pack.reconfig_cycles");
}

static void
load_unpack(TensixComputeCosts *self, const ArchParams *params, bool is_large)
{
    self->context_count = number(params, "tensix.config_context_count");
    self->unpack_binary = by_size(params, is_large, "unpack.binary_call_cycles",
                                  "unpack.binary_call_loop_cycles");
    self->unpack_copy = by_size(params, is_large, "unpack.copy_call_cycles",
                                "unpack.copy_call_loop_cycles");
    self->unpack_before_cycles = number(params, "unpack.before_cycles");
    self->unpack_after_cycles = number(params, "unpack.after_cycles");
    self->unpack_two_cycles[ARCH_FORMAT_BF16] =
        number(params, "unpack.two_operand_bf16_cycles_per_tile");
    self->unpack_two_cycles[ARCH_FORMAT_FP32] =
        number(params, "unpack.two_operand_fp32_cycles_per_tile");
    self->unpack_one_cycles[ARCH_FORMAT_BF16] =
        number(params, "unpack.one_operand_bf16_cycles_per_tile");
    self->unpack_one_cycles[ARCH_FORMAT_FP32] =
        number(params, "unpack.one_operand_fp32_cycles_per_tile");
    self->unpack_matmul_cycles[ARCH_FORMAT_BF16] =
        number(params, "fpu.matmul_unpack_cycles_per_tile");
    self->unpack_matmul_cycles[ARCH_FORMAT_FP32] =
        self->unpack_two_cycles[ARCH_FORMAT_FP32];
    self->unpack_dst_cycles = number(params, "unpack.dst_fp32_cycles_per_tile");
    self->unpack_dst_config = number(params, "unpack.fp32_config_cycles");
    self->unpack_dst_restore = number(params, "unpack.fp32_restore_cycles");
    self->unpack_dst_math = number(params, "unpack.fp32_math_cycles");
    self->unpack_dst_mailbox = number(params, "unpack.fp32_mailbox_cycles");
    self->unpack_dst_poll_cycles = number(params, "unpack.fp32_poll_cycles");
    self->src_banks = number(params, "unpack.src_bank_count");
    self->src_banks_matmul = number(params, "unpack.matmul_bank_count");
    /* One unpacks, and those before it that fill all banks wait to be used. */
    self->src_slots =
        MAX((self->src_banks + FACES - 1) / FACES, self->src_banks_matmul) + 1;
}

static void load_math(TensixComputeCosts *self, const ArchParams *params, bool is_large)
{
    enum {
        FACE_ROWS = 16,
    };

    self->math_call =
        by_size(params, is_large, "fpu.call_cycles", "fpu.call_loop_cycles");
    self->math_fidelity_loop = number(params, "fpu.fidelity_loop_cycles");
    self->face_cycles = FACE_ROWS / number(params, "fpu.instruction_rows");
    self->fpu_latency_cycles = number(params, "fpu.latency_cycles");
    self->reduce_cycles = number(params, "fpu.reduce_cycles_per_tile");
    self->matmul_phase_cycles = number(params, "fpu.matmul_cycles_per_phase");
    self->transpose_fp32_cycles = number(params, "fpu.transpose_fp32_cycles_per_tile");
    self->commit =
        by_size(params, is_large, "tensix.commit_cycles", "tensix.commit_loop_cycles");
    self->commit_cycles = number(params, "tensix.commit_stream_cycles");
    self->semaphore_cycles = number(params, "tensix.semaphore_post_cycles");
    self->sfpu_vectors = number(params, "sfpu.vectors_per_tile");
    self->sfpu_face_pushes = number(params, "sfpu.face_extra_slots");
    self->sfpu_sum_pushes = number(params, "sfpu.tile_to_scalar_cycles");
    self->sfpu_start_end_cycles = number(params, "sfpu.start_end_cycles");
}

static void load_pack(TensixComputeCosts *self, const ArchParams *params, bool is_large)
{
    self->pack_call =
        by_size(params, is_large, "pack.call_cycles", "pack.call_loop_cycles");
    self->pack_setup_cycles = number(params, "pack.setup_cycles");
    self->pack_cycles[ARCH_FORMAT_BF16] = number(params, "pack.bf16_cycles_per_tile");
    self->pack_cycles[ARCH_FORMAT_FP32] = number(params, "pack.fp32_cycles_per_tile");
    self->release = by_size(params, is_large, "tensix.release_cycles",
                            "tensix.release_loop_cycles");
    self->release_cycles = number(params, "tensix.release_stream_cycles");
}

/* The key of the SFPU instructions that a vector takes, NULL where there are none. */
static const char *slots_key(ArchComputeOp op, bool is_fp32)
{
    switch ((int) op) {
    case ARCH_COMPUTE_SFPU_ADD:
    case ARCH_COMPUTE_SFPU_SUB:
        return "sfpu.add_slots_per_vector";
    case ARCH_COMPUTE_SFPU_MUL:
        return is_fp32 ? "sfpu.mul_fp32_slots_per_vector"
                       : "sfpu.mul_bf16_slots_per_vector";
    case ARCH_COMPUTE_SFPU_MAD:
        return "sfpu.mad_slots_per_vector";
    case ARCH_COMPUTE_SFPU_RECIP:
        return "sfpu.recip_slots_per_vector";
    case ARCH_COMPUTE_SFPU_SQRT:
        return "sfpu.sqrt_slots_per_vector";
    case ARCH_COMPUTE_SFPU_SCALE:
    case ARCH_COMPUTE_SFPU_OFFSET:
        return "sfpu.scale_slots_per_vector";
    default:
        return NULL;
    }
}

static void load_comparisons(TensixComputeCosts *self, const ArchParams *params)
{
    static const char *const keys[ARCH_COMPARISONS] = {
        [ARCH_COMPARE_EQZ] = "sfpu.compare_equal_slots_per_vector",
        [ARCH_COMPARE_NEZ] = "sfpu.compare_equal_slots_per_vector",
        [ARCH_COMPARE_LTZ] = "sfpu.compare_strict_slots_per_vector",
        [ARCH_COMPARE_GTZ] = "sfpu.compare_strict_slots_per_vector",
        [ARCH_COMPARE_LEZ] = "sfpu.compare_weak_slots_per_vector",
        [ARCH_COMPARE_GEZ] = "sfpu.compare_weak_slots_per_vector",
    };

    for (guint i = 0; i < ARCH_COMPARISONS; i++) {
        self->sfpu_compare_slots[i] = number(params, keys[i]);
    }
}

void tensix_compute_costs_load(TensixComputeCosts *self,
                               const ArchParams *params,
                               const ArchComputeKernel *kernel)
{
    load_fetch(self, params, kernel);
    load_buffers(self, params, kernel->is_large);
    load_inits(self, params);
    load_unpack(self, params, kernel->is_large);
    load_math(self, params, kernel->is_large);
    load_pack(self, params, kernel->is_large);
    for (guint op = 0; op < ARCH_COMPUTE_OPS; op++) {
        const char *key = slots_key((ArchComputeOp) op, kernel->is_dst_fp32);

        self->sfpu_slots[op] = key == NULL ? 0 : number(params, key);
    }
    load_comparisons(self, params);
    self->dst_tiles = number(params, kernel->is_dst_fp32 ? "fpu.dst_fp32_tiles"
                                                         : "fpu.dst_bf16_tiles") /
                      DST_HALVES;
}
