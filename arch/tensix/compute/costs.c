/* Costs: read from the chip file once a kernel. */
#include "arch/tensix/compute/costs.h"

#include "arch/tensix/rates.h"
#include "sim/narrow.h"

enum {
    FACES = 4, /* of a tile: a bank of Src holds one */
};

static guint number(const ArchParams *params, const char *key)
{
    return sim_u32(arch_params_uint(params, key));
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

static void load_inits(TensixComputeCosts *self,
                       const ArchParams *params,
                       const ArchComputeKernel *kernel)
{
    const guint start = number(params, "tensix.kernel_init_cycles");

    self->mop_sync_cycles = number(params, "tensix.mop_sync_cycles");
    self->init_binary[TENSIX_THREAD_UNPACK] =
        number(params, "tensix.binary_init_t0_cycles");
    self->init_binary[TENSIX_THREAD_MATH] =
        number(params, "tensix.binary_init_t1_cycles");
    self->init_copy[TENSIX_THREAD_UNPACK] =
        number(params, "tensix.copy_init_t0_cycles");
    self->init_copy[TENSIX_THREAD_MATH] = number(params, "tensix.copy_init_t1_cycles");
    memcpy(self->init_transpose, self->init_copy, sizeof self->init_copy);
    if (kernel->is_dst_fp32) {
        self->init_transpose[TENSIX_THREAD_MATH] +=
            number(params, "fpu.transpose_fp32_init_cycles");
    }
    self->init_sfpu[TENSIX_THREAD_MATH] = number(params, "sfpu.init_cycles");
    for (guint i = 0; i < THREADS; i++) {
        self->init_start[i] = start;
    }
    self->reconfig[TENSIX_THREAD_UNPACK] = number(params, "tensix.reconfig_t0_cycles");
    self->reconfig[TENSIX_THREAD_MATH] = number(params, "tensix.reconfig_t1_cycles");
    self->reconfig[TENSIX_THREAD_PACK] = number(params, "pack.reconfig_cycles");
}

static void load_unpack(TensixComputeCosts *self, const ArchParams *params)
{
    self->context_count = number(params, "tensix.config_context_count");
    self->unpack_before_cycles = number(params, "unpack.before_cycles");
    self->unpack_after_cycles = number(params, "unpack.after_cycles");
    self->unpack_dst_cycles = tensix_unpack_dst_cycles(params);
    self->unpack_dst_config = number(params, "unpack.fp32_config_cycles");
    self->unpack_dst_restore = number(params, "unpack.fp32_restore_cycles");
    self->unpack_dst_math = number(params, "unpack.fp32_math_cycles");
    self->unpack_dst_mailbox = number(params, "unpack.fp32_mailbox_cycles");
    self->unpack_dst_poll_cycles = number(params, "unpack.fp32_poll_cycles");
}

/* Cycles of formats as wide as BF16 or FP32 are like theirs; the others save what their
 * bytes take less than BF16's. */
static void fill_formats(SimTime *cycles, guint operands, guint bytes_per_cycle)
{
    const guint half_bytes = arch_format_tile_bytes(ARCH_FORMAT_BF16);

    for (guint i = ARCH_FORMAT_FP32 + 1; i < ARCH_FORMATS; i++) {
        const guint bytes = arch_format_tile_bytes((ArchFormat) i);
        const SimTime saved =
            bytes < half_bytes ? operands * (half_bytes - bytes) / bytes_per_cycle : 0;

        cycles[i] = bytes > half_bytes
                        ? cycles[ARCH_FORMAT_FP32]
                        : MAX(cycles[ARCH_FORMAT_BF16], saved + 1) - saved;
    }
}

static SimTime
unpack(const ArchParams *params, const char *key, ArchFormat format, guint operands)
{
    return tensix_unpack_cycles(params, key, operands * arch_format_tile_bytes(format));
}

/* What goes through Src and the FPU, face by face; the four others are like it. */
static TensixFpuCosts
load_addition(const ArchParams *params, bool is_large, SimTime face_cycles)
{
    return (TensixFpuCosts){
        .unpack_call = by_size(params, is_large, "unpack.binary_call_cycles",
                               "unpack.binary_call_loop_cycles"),
        .unpack_cycles = {[ARCH_FORMAT_BF16] =
                              unpack(params, "unpack.two_operand_bf16_cycles_per_tile",
                                     ARCH_FORMAT_BF16, 2),
                          [ARCH_FORMAT_FP32] =
                              unpack(params, "unpack.two_operand_fp32_cycles_per_tile",
                                     ARCH_FORMAT_FP32, 2)},
        .parts = FACES,
        .banks = number(params, "unpack.src_bank_count"),
        .math_call =
            by_size(params, is_large, "fpu.call_cycles", "fpu.call_loop_cycles"),
        .part_cycles = face_cycles + 1,
        .after_cycles = 1,
        .idle_cycles = number(params, "fpu.latency_cycles"),
    };
}

/* What takes its operand from elsewhere: rows of a matrix, which are read one by one,
 * or Dst, which MOVD2A and MOVD2B move four rows at a time. */
static void load_others(TensixComputeCosts *self, SimTime face_rows)
{
    enum {
        MOVED_ROWS = 4,
    };
    const SimTime move_cycles = face_rows / MOVED_ROWS;

    self->fpu_tilize = self->fpu_copy;
    for (guint i = 0; i < ARCH_FORMATS; i++) {
        self->fpu_tilize.unpack_cycles[i] =
            MAX(self->fpu_copy.unpack_cycles[i], FACES * face_rows);
    }
    self->fpu_add_reuse = self->fpu_copy;
    self->fpu_add_reuse.math_call = self->fpu_add.math_call;
    self->fpu_add_reuse.part_cycles = self->fpu_add.part_cycles + move_cycles;
    self->fpu_multiply_reuse = self->fpu_add_reuse;
    self->fpu_multiply_reuse.math_call = self->fpu_multiply.math_call;
    self->fpu_multiply_reuse.part_cycles = self->fpu_multiply.part_cycles + move_cycles;
    self->fpu_reduce_max = self->fpu_reduce;
    self->fpu_reduce_max.part_cycles = 2; /* in one phase */
}

static void load_fpu(TensixComputeCosts *self,
                     const ArchParams *params,
                     const ArchComputeKernel *kernel)
{
    enum {
        FACE_ROWS = 16,
    };
    const guint phases = kernel->fidelity;
    const SimTime face_cycles = FACE_ROWS / number(params, "fpu.instruction_rows");
    const TensixFpuCosts add = load_addition(params, kernel->is_large, face_cycles);

    self->fpu_latency_cycles = number(params, "fpu.latency_cycles");
    self->transpose_fp32_cycles = number(params, "fpu.transpose_fp32_cycles_per_tile");
    self->fpu_add = add;
    self->fpu_multiply = add;
    self->fpu_multiply.math_call +=
        phases > 1 ? number(params, "fpu.fidelity_loop_cycles") : 0;
    self->fpu_multiply.part_cycles = face_cycles * phases + 1;
    self->fpu_reduce = add;
    self->fpu_reduce.part_cycles = phases + 1;
    self->fpu_reduce.after_cycles =
        number(params, "fpu.reduce_cycles_per_tile") - (SimTime) FACES * 2;
    self->fpu_reduce.idle_cycles += self->fpu_reduce.after_cycles;
    self->fpu_matmul = add;
    self->fpu_matmul.unpack_cycles[ARCH_FORMAT_BF16] =
        unpack(params, "fpu.matmul_unpack_cycles_per_tile", ARCH_FORMAT_BF16, 2);
    self->fpu_matmul.parts = 1;
    self->fpu_matmul.banks = number(params, "unpack.matmul_bank_count");
    self->block_banks = add.banks;
    self->fpu_matmul.part_cycles =
        (SimTime) number(params, "fpu.matmul_cycles_per_phase") * phases +
        (SimTime) number(params, "fpu.matmul_phase_gap_cycles") * (phases - 1);
    self->fpu_matmul.after_cycles = 0;
    self->fpu_copy = add;
    self->fpu_copy.unpack_call =
        by_size(params, kernel->is_large, "unpack.copy_call_cycles",
                "unpack.copy_call_loop_cycles");
    self->fpu_copy.unpack_cycles[ARCH_FORMAT_BF16] =
        unpack(params, "unpack.one_operand_bf16_cycles_per_tile", ARCH_FORMAT_BF16, 1);
    self->fpu_copy.unpack_cycles[ARCH_FORMAT_FP32] =
        unpack(params, "unpack.one_operand_fp32_cycles_per_tile", ARCH_FORMAT_FP32, 1);
    const guint rate = number(params, "unpack.l1_bytes_per_cycle");

    fill_formats(self->fpu_add.unpack_cycles, 2, rate);
    fill_formats(self->fpu_multiply.unpack_cycles, 2, rate);
    fill_formats(self->fpu_reduce.unpack_cycles, 2, rate);
    fill_formats(self->fpu_matmul.unpack_cycles, 2, rate);
    fill_formats(self->fpu_copy.unpack_cycles, 1, rate);
    load_others(self, FACE_ROWS);
    /* One unpacks, and those before it that fill all banks wait to be used; tiles of a
     * block are used by two. */
    self->src_slots = MAX(self->block_banks + 3, self->fpu_matmul.banks + 1);
}

/* A loop over the vectors of each face; `key` says what a vector takes. */
static guint vectors(const ArchParams *params, bool is_fp32, const char *key)
{
    return tensix_tile_vectors(params, is_fp32) * number(params, key) +
           FACES * number(params, "sfpu.face_extra_slots");
}

/* The slots of functions come from their programs. */
static void
load_functions(TensixComputeCosts *self, const ArchParams *params, bool is_fp32)
{
    const guint vector_count = tensix_tile_vectors(params, is_fp32);

    self->sfpu_face_slots = number(params, "sfpu.face_extra_slots");
    for (guint i = 0; i < SFPU_FUNCTIONS; i++) {
        for (guint k = 0; k < 2; k++) {
            const SfpuProgram *program = tensix_sfpu_function(
                (SfpuFunction) i, is_fp32 ? TENSIX_DST_32 : TENSIX_DST_16, k == 1);

            self->sfpu_functions[i][k] =
                vector_count * tensix_sfpu_vector_slots(program) +
                FACES * (self->sfpu_face_slots + tensix_sfpu_face_slots(program));
        }
    }
}

static void load_sfpu(TensixComputeCosts *self, const ArchParams *params, bool is_fp32)
{
    self->sfpu_add = vectors(params, is_fp32, "sfpu.add_slots_per_vector");
    self->sfpu_multiply = vectors(params, is_fp32,
                                  is_fp32 ? "sfpu.mul_fp32_slots_per_vector"
                                          : "sfpu.mul_bf16_slots_per_vector");
    self->sfpu_mad = vectors(params, is_fp32, "sfpu.mad_slots_per_vector");
    self->sfpu_recip = vectors(params, is_fp32, "sfpu.recip_slots_per_vector");
    self->sfpu_sqrt = vectors(params, is_fp32, "sfpu.sqrt_slots_per_vector");
    self->sfpu_scale = vectors(params, is_fp32, "sfpu.scale_slots_per_vector");
    self->sfpu_compare_equal =
        vectors(params, is_fp32, "sfpu.compare_equal_slots_per_vector");
    self->sfpu_compare_strict =
        vectors(params, is_fp32, "sfpu.compare_strict_slots_per_vector");
    self->sfpu_compare_weak =
        vectors(params, is_fp32, "sfpu.compare_weak_slots_per_vector");
    self->sfpu_sum = number(params, "sfpu.tile_to_scalar_cycles");
    self->sfpu_start_end_cycles = number(params, "sfpu.start_end_cycles");
    self->sfpu_passes = tensix_vector_passes(params, is_fp32);
    load_functions(self, params, is_fp32);
}

static void load_dst(TensixComputeCosts *self, const ArchParams *params, bool is_large)
{
    self->commit =
        by_size(params, is_large, "tensix.commit_cycles", "tensix.commit_loop_cycles");
    self->commit_cycles = number(params, "tensix.commit_stream_cycles");
    self->semaphore_cycles = number(params, "tensix.semaphore_post_cycles");
    self->release = by_size(params, is_large, "tensix.release_cycles",
                            "tensix.release_loop_cycles");
    self->release_cycles = number(params, "tensix.release_stream_cycles");
}

static void load_pack(TensixComputeCosts *self, const ArchParams *params, bool is_large)
{
    self->pack_call =
        by_size(params, is_large, "pack.call_cycles", "pack.call_loop_cycles");
    self->pack_setup_cycles = number(params, "pack.setup_cycles");
    self->pack_cycles[ARCH_FORMAT_BF16] = tensix_pack_cycles(
        params, "pack.bf16_cycles_per_tile", arch_format_tile_bytes(ARCH_FORMAT_BF16));
    self->pack_cycles[ARCH_FORMAT_FP32] = tensix_pack_cycles(
        params, "pack.fp32_cycles_per_tile", arch_format_tile_bytes(ARCH_FORMAT_FP32));
    const guint rate = number(params, "pack.l1_bytes_per_cycle");
    const guint write_cycles = number(params, "pack.accumulate_cycles_per_write");

    fill_formats(self->pack_cycles, 1, rate);
    for (guint i = 0; i < ARCH_FORMATS; i++) {
        /* All packers write at once, a cycle each time if they do not add. */
        self->pack_add_cycles[i] = (SimTime) (write_cycles - 1) *
                                   (arch_format_tile_bytes((ArchFormat) i) / rate);
    }
    self->pack_setting = number(params, "pack.setting_cycles");
}

void tensix_compute_costs_load(TensixComputeCosts *self,
                               const ArchParams *params,
                               const ArchComputeKernel *kernel)
{
    load_fetch(self, params, kernel);
    load_buffers(self, params, kernel->is_large);
    load_inits(self, params, kernel);
    load_unpack(self, params);
    load_fpu(self, params, kernel);
    load_sfpu(self, params, kernel->is_dst_fp32);
    load_dst(self, params, kernel->is_large);
    load_pack(self, params, kernel->is_large);
    self->dst_tiles = number(params, kernel->is_dst_fp32 ? "fpu.dst_fp32_tiles"
                                                         : "fpu.dst_bf16_tiles") /
                      DST_HALVES;
}
