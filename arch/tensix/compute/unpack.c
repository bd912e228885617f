/* The unpack thread: waits for pages, configures the unpackers, fills Src or Dst. */
#include "arch/tensix/compute/compute.h"

enum {
    FACES = 4,
    CALL_ENTRIES = 5, /* SETADCZW, STALLWAIT, MOP, SEMGET, SETC16 */
    POP_ENTRIES = 3,  /* SETDMAREG, STALLWAIT, STOREREG */
};

/* Where a tile lies, if it lies in the L1 as a whole. */
static const guint8 *tile_bytes(TensixCompute *self, guint cb, guint tile, guint bytes)
{
    const CircularBuffer *buffer = &self->core->buffers[cb];
    int64_t address = (int64_t) tensix_cb_read_address(buffer, tile) + self->shifts[cb];
    g_autoptr(GError) error = NULL;

    if (address < 0 || !tensix_l1_check(tensix_core_l1(self->core), (uint64_t) address,
                                        bytes, &error)) {
        return NULL;
    }
    return tensix_l1_at(tensix_core_l1(self->core), (uint64_t) address);
}

static TensixRegistersTile operand(TensixCompute *self, guint cb, guint tile)
{
    ArchFormat format = self->core->buffers[cb].format;

    return (TensixRegistersTile){
        .format = format,
        .bytes = tile_bytes(self, cb, tile, arch_format_tile_bytes(format))};
}

static bool has_two_operands(const ArchComputeCall *call)
{
    return call->op != ARCH_COMPUTE_COPY && call->op != ARCH_COMPUTE_TRANSPOSE;
}

static guint buffer_tile_bytes(const TensixCompute *self, guint cb)
{
    return arch_format_tile_bytes(self->core->buffers[cb].format);
}

static void count_bytes(TensixCompute *self, guint cb)
{
    sim_region_count(self->region, self->counters.sram_bytes,
                     buffer_tile_bytes(self, cb));
    sim_region_count(self->region, self->counters.unpacked_bytes,
                     buffer_tile_bytes(self, cb));
}

static void bring_operands(TensixCompute *self, const ArchComputeCall *call)
{
    const guint slot = (guint) (self->operands_in++ % self->costs.src_slots);
    const bool has_b = has_two_operands(call);

    if (call->mode != ARCH_KEEP_A || call->op != ARCH_COMPUTE_MATMUL) {
        count_bytes(self, call->cb_a);
    }
    if (call->op == ARCH_COMPUTE_COPY &&
        self->core->buffers[call->cb_a].format != ARCH_FORMAT_FP32) {
        sim_region_count(self->region, self->counters.copied_16_bytes,
                         buffer_tile_bytes(self, call->cb_a));
    }
    if (has_b && (call->mode != ARCH_KEEP_B || call->op != ARCH_COMPUTE_MATMUL)) {
        count_bytes(self, call->cb_b);
    }
    if (self->registers == NULL) {
        return;
    }
    TensixRegistersTile a = operand(self, call->cb_a, call->tile_a);
    TensixRegistersTile b = {0};

    if (has_b) {
        b = operand(self, call->cb_b, call->tile_b);
    }
    tensix_registers_unpack(self->registers, slot, call, &a, has_b ? &b : NULL);
}

/* Unpacker cycles of a whole call. */
static SimTime tile_cycles(const TensixCompute *self, const ArchComputeCall *call)
{
    const TensixComputeCosts *costs = &self->costs;
    const ArchFormat a = self->core->buffers[call->cb_a].format;

    if (!has_two_operands(call)) {
        return costs->unpack_one_cycles[a];
    }
    const ArchFormat b = self->core->buffers[call->cb_b].format;

    if (call->op == ARCH_COMPUTE_MATMUL) {
        switch ((ArchKeep) call->mode) {
        case ARCH_KEEP_A:
            return costs->unpack_one_cycles[b];
        case ARCH_KEEP_B:
            return costs->unpack_one_cycles[a];
        case ARCH_KEEP_NONE:
            return costs->unpack_matmul_cycles[MAX(a, b)];
        }
    }
    return costs->unpack_two_cycles[MAX(a, b)];
}

/* Fills the banks of Src, one face after another (a matmul's as a whole), as math
 * gives them back. */
static bool
fill_src(TensixCompute *self, TensixThread *thread, const ArchComputeCall *call)
{
    const bool is_matmul = call->op == ARCH_COMPUTE_MATMUL;
    const guint parts = is_matmul ? 1 : FACES;
    const guint banks =
        is_matmul ? self->costs.src_banks_matmul : self->costs.src_banks;
    const SimTime cycles = tile_cycles(self, call);
    TensixLane *unit = &self->units[UNIT_UNPACKER];

    for (; thread->step <= parts; thread->step++) {
        const guint part = thread->step - 1;
        const uint64_t bank = self->src_begun;

        if (bank >= banks) {
            if (!tensix_times_has(&self->src_free, bank - banks)) {
                return false;
            }
            tensix_lane_until(unit, thread->stream, TENSIX_LANE_ISSUE);
            thread->stream =
                MAX(thread->stream, tensix_times_at(&self->src_free, bank - banks));
            tensix_lane_until(unit, thread->stream, TENSIX_LANE_SRC);
        }
        tensix_lane_until(unit, thread->stream, TENSIX_LANE_ISSUE);
        thread->stream += cycles * (part + 1) / parts - cycles * part / parts;
        tensix_lane_until(unit, thread->stream, TENSIX_LANE_BUSY);
        tensix_times_add(&self->src_valid, thread->stream);
        self->src_begun++;
    }
    return true;
}

/* There are few configuration contexts: the RISC-V may be that many calls ahead. */
static void begin_context(TensixCompute *self, TensixThread *thread)
{
    const uint64_t context = self->contexts_begun++;

    if (context >= self->costs.context_count) {
        tensix_thread_wait(
            thread,
            tensix_times_at(&self->contexts, context - self->costs.context_count),
            TENSIX_LANE_UNIT);
    }
}

static bool
unpack_src(TensixCompute *self, TensixThread *thread, const ArchComputeCall *call)
{
    if (thread->step == 0) {
        tensix_thread_make_place(thread, CALL_ENTRIES);
        begin_context(self, thread);
        tensix_thread_spend(thread, has_two_operands(call) ? self->costs.unpack_binary
                                                           : self->costs.unpack_copy);
        thread->stream = tensix_thread_reach(thread) + self->costs.unpack_before_cycles;
        bring_operands(self, call);
        thread->step = 1;
    }
    if (!fill_src(self, thread, call)) {
        return false;
    }
    self->unpack_idle = thread->stream;
    thread->mop = thread->stream;
    thread->stream += self->costs.unpack_after_cycles;
    tensix_times_add(&self->contexts, thread->stream);
    tensix_thread_pushed(thread, CALL_ENTRIES);
    return true;
}

/* 32-bit numbers go into Dst, once math has made way for them. */
static bool
unpack_dst(TensixCompute *self, TensixThread *thread, const ArchComputeCall *call)
{
    TensixLane *unit = &self->units[UNIT_UNPACKER];
    const guint half = (guint) ((self->acquired - 1) % DST_HALVES);

    if (thread->step == 0) {
        tensix_thread_make_place(thread, CALL_ENTRIES);
        tensix_thread_spend(thread, self->costs.unpack_copy);
        thread->step = 1;
    }
    if (!tensix_times_has(&self->mails, self->mails_taken)) {
        return false;
    }
    tensix_thread_wait(thread, tensix_times_at(&self->mails, self->mails_taken),
                       TENSIX_LANE_SEMAPHORE);
    self->mails_taken++;
    tensix_thread_spend(thread, self->costs.unpack_dst_config);
    tensix_lane_until(unit, tensix_thread_reach(thread), TENSIX_LANE_ISSUE);
    thread->stream += self->costs.unpack_dst_cycles;
    tensix_lane_until(unit, thread->stream, TENSIX_LANE_BUSY);
    self->unpack_idle = thread->stream;
    tensix_times_add(&self->dst_unpacked, thread->stream);
    count_bytes(self, call->cb_a);
    sim_region_count(self->region, self->counters.copied_32_bytes,
                     buffer_tile_bytes(self, call->cb_a));
    if (self->registers != NULL) {
        TensixRegistersTile tile = operand(self, call->cb_a, call->tile_a);

        tensix_registers_unpack_dst(self->registers, half, call->dst, tile.bytes);
    }
    thread->stream += self->costs.unpack_dst_restore;
    thread->mop = thread->stream;
    tensix_thread_spend(thread, self->costs.unpack_dst_restore);
    tensix_thread_pushed(thread, CALL_ENTRIES);
    return true;
}

static void pop(TensixCompute *self, TensixThread *thread, const ArchComputeCall *call)
{
    tensix_thread_make_place(thread, POP_ENTRIES);
    tensix_thread_spend(thread, self->costs.cb_pop);
    thread->stream = MAX(tensix_thread_reach(thread) + 1, self->unpack_idle) +
                     self->costs.counter_store_cycles;
    tensix_thread_pushed(thread, POP_ENTRIES);
    tensix_cb_pop(&self->core->buffers[call->cb_a], TENSIX_CB_COMPUTE, call->count,
                  thread->stream + self->costs.counter_visible_cycles);
}

static void reconfigure(TensixCompute *self, TensixThread *thread, guint operands)
{
    tensix_thread_spend(thread, operands * self->costs.reconfig[TENSIX_THREAD_UNPACK]);
    thread->stream = MAX(tensix_thread_reach(thread), self->unpack_idle);
}

static double value_of(TensixCompute *self, const ArchComputeCall *call)
{
    const ArchFormat format = self->core->buffers[call->cb_a].format;
    const guint size = arch_format_tile_bytes(format) / ARCH_TILE_ELEMENTS;
    const guint8 *bytes =
        tile_bytes(self, call->cb_a, call->tile_a, arch_format_tile_bytes(format));
    guint32 bits = 0;
    float value;

    if (self->registers == NULL || bytes == NULL) {
        return 0;
    }
    memcpy((guint8 *) &bits + (sizeof bits - size), bytes + (gsize) call->value * size,
           size);
    bits = GUINT32_FROM_LE(bits);
    memcpy(&value, &bits, sizeof value);
    return (double) value;
}

static void
read_value(TensixCompute *self, TensixThread *thread, const ArchComputeCall *call)
{
    tensix_thread_wait(thread, thread->risc + self->costs.value_load_cycles,
                       TENSIX_LANE_BUSY);
    self->value = value_of(self, call);
    tensix_times_add(&self->values, thread->risc + self->costs.semaphore_cycles);
    self->values_seen[TENSIX_THREAD_UNPACK]++;
}

bool tensix_compute_unpack(TensixCompute *self,
                           TensixThread *thread,
                           const ArchComputeCall *call)
{
    switch ((int) call->op) {
    case ARCH_COMPUTE_CB_WAIT:
        return tensix_compute_poll(self, thread, &self->units[UNIT_UNPACKER], call);
    case ARCH_COMPUTE_CB_POP:
        pop(self, thread, call);
        return true;
    case ARCH_COMPUTE_CB_SHIFT:
        tensix_thread_spend(thread, 1);
        self->shifts[call->cb_a] = call->value;
        return true;
    case ARCH_COMPUTE_START_INIT:
        tensix_thread_spend(thread, self->costs.init_start);
        return true;
    case ARCH_COMPUTE_BINARY_INIT:
    case ARCH_COMPUTE_REDUCE_INIT:
    case ARCH_COMPUTE_MATMUL_INIT:
        tensix_compute_program_mop(self, thread,
                                   self->costs.init_binary[TENSIX_THREAD_UNPACK]);
        return true;
    case ARCH_COMPUTE_COPY_INIT:
    case ARCH_COMPUTE_TRANSPOSE_INIT:
        tensix_compute_program_mop(self, thread,
                                   self->costs.init_copy[TENSIX_THREAD_UNPACK]);
        return true;
    case ARCH_COMPUTE_RECONFIG:
        reconfigure(self, thread, call->count);
        return true;
    case ARCH_COMPUTE_COPY:
    case ARCH_COMPUTE_TRANSPOSE:
        return tensix_compute_is_dst_copy(self, call) ? unpack_dst(self, thread, call)
                                                      : unpack_src(self, thread, call);
    case ARCH_COMPUTE_ADD:
    case ARCH_COMPUTE_SUB:
    case ARCH_COMPUTE_MUL:
    case ARCH_COMPUTE_REDUCE:
    case ARCH_COMPUTE_MATMUL:
        return unpack_src(self, thread, call);
    case ARCH_COMPUTE_READ_VALUE:
        read_value(self, thread, call);
        return true;
    default:
        return true;
    }
}
