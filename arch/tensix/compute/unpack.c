/* The unpack thread: waits for pages, configures the unpackers, fills Src or Dst. */
#include <math.h>
#include <string.h>

#include "arch/tensix/compute/block.h"
#include "arch/tensix/compute/compute.h"
#include "arch/tensix/format.h"
#include "arch/tensix/race/race.h"
#include "arch/tensix/tile.h"
#include "arch/tensix/unknown.h"
#include "sim/narrow.h"

enum {
    CALL_ENTRIES = 5, /* SETADCZW, STALLWAIT, MOP, SEMGET, SETC16 */
    POP_ENTRIES = 3,  /* SETDMAREG, STALLWAIT, STOREREG */
};

static int64_t tile_address(const TensixCompute *self, guint cb, guint tile)
{
    return (int64_t) tensix_cb_read_address(&self->core->buffers[cb], tile) +
           self->shifts[cb];
}

/* Where a tile lies, if it lies in the L1 as a whole. */
static const guint8 *tile_bytes(TensixCompute *self, guint cb, guint tile, guint bytes)
{
    int64_t address = tile_address(self, cb, tile);
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

/* A tile out of rows of several, in the order of tiles; NULL: not in the L1 as a whole.
 */
static const guint8 *gather(TensixCompute *self, const ArchComputeCall *call)
{
    const gsize width = call->count;
    const gsize bytes = arch_format_tile_bytes(self->core->buffers[call->cb_a].format);
    const gsize side = bytes / TENSIX_TILE_ELEMENTS * TENSIX_FACE_SIDE;
    const guint first = sim_u32(call->tile_a / width * width);
    const guint8 *rows = tile_bytes(self, call->cb_a, first, sim_u32(width * bytes));

    tensix_works_finish(self->works);
    for (gsize i = 0; rows != NULL && i < bytes / side; i++) {
        const gsize face = i / TENSIX_FACE_SIDE;
        const gsize row = face / 2 * TENSIX_FACE_SIDE + i % TENSIX_FACE_SIDE;
        const gsize column = 2 * (call->tile_a % width) + face % 2;

        memcpy(self->rows + i * side, rows + (2 * row * width + column) * side, side);
    }
    return rows == NULL ? NULL : self->rows;
}

static TensixRegistersTile operand_a(TensixCompute *self, const ArchComputeCall *call)
{
    TensixRegistersTile tile = {0};

    if (call->op != ARCH_COMPUTE_TILIZE) {
        return operand(self, call->cb_a, call->tile_a);
    }
    tile.format = self->core->buffers[call->cb_a].format;
    tile.bytes = gather(self, call);
    return tile;
}

static bool has_b(const ArchComputeCall *call)
{
    return (tensix_operation_of(call)->operands & TENSIX_CB_B) != 0;
}

/* Which operands are in Src already. With one of them, the call is that of a copy. */
static guint kept(const ArchComputeCall *call)
{
    return call->keep & (guint) TENSIX_KEEP_BOTH;
}

static bool brings_a(const ArchComputeCall *call)
{
    return (call->keep & TENSIX_KEEP_A) == 0;
}

static bool brings_b(const ArchComputeCall *call)
{
    return has_b(call) && (call->keep & TENSIX_KEEP_B) == 0;
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
    tensix_lane_count(&self->units[UNIT_UNPACKER], "sram_bytes+unpacked_bytes",
                      buffer_tile_bytes(self, cb));
}

static void bring_operands(TensixCompute *self, const ArchComputeCall *call)
{
    const guint slot = sim_u32(self->operands_in++ % self->costs.src_slots);

    if (brings_a(call)) {
        count_bytes(self, call->cb_a);
    }
    if (call->op == ARCH_COMPUTE_COPY &&
        !arch_format_is_wide(self->core->buffers[call->cb_a].format)) {
        sim_region_count(self->region, self->counters.copied_16_bytes,
                         buffer_tile_bytes(self, call->cb_a));
        tensix_lane_count(&self->units[UNIT_UNPACKER], "copied_16_bytes",
                          buffer_tile_bytes(self, call->cb_a));
    }
    if (brings_b(call)) {
        count_bytes(self, call->cb_b);
    }
    if (self->works == NULL) {
        return;
    }
    TensixWork work = {.kind = TENSIX_WORK_UNPACK,
                       .slot = slot,
                       .has_b = has_b(call),
                       .call = *call,
                       .a = operand_a(self, call)};

    if (work.has_b) {
        work.b = operand(self, call->cb_b, call->tile_b);
    }
    tensix_works_do(self->works, &work);
}

/* Unpacker cycles of a whole call. */
static SimTime tile_cycles(const TensixCompute *self, const ArchComputeCall *call)
{
    const TensixFpuCosts *costs = tensix_operation_cost(call, &self->costs);
    const ArchFormat a = self->core->buffers[call->cb_a].format;

    if (!has_b(call)) {
        return costs->unpack_cycles[a];
    }
    const ArchFormat b = self->core->buffers[call->cb_b].format;

    if (kept(call) != 0) {
        return self->costs.fpu_copy.unpack_cycles[brings_a(call) ? a : b];
    }
    return MAX(costs->unpack_cycles[a], costs->unpack_cycles[b]);
}

static bool is_checked(const TensixCompute *self)
{
    return G_UNLIKELY(self->core->owner->races != NULL);
}

/* For who looks for races: the thread has read a tile, since `begin`. */
static void note_tile(const TensixCompute *self,
                      const TensixThread *thread,
                      guint cb,
                      guint tile,
                      SimTime begin,
                      SimTime end)
{
    const int64_t address = tile_address(self, cb, tile);

    if (address >= 0) {
        tensix_compute_note_tile(self, thread, &self->core->buffers[cb],
                                 (uint64_t) address, begin, end);
    }
}

/* Likewise its operands. */
static void note_operands(const TensixCompute *self,
                          const TensixThread *thread,
                          const ArchComputeCall *call)
{
    if (brings_a(call)) {
        note_tile(self, thread, call->cb_a, call->tile_a, self->unpack_begin,
                  thread->stream);
    }
    if (brings_b(call)) {
        note_tile(self, thread, call->cb_b, call->tile_b, self->unpack_begin,
                  thread->stream);
    }
    tensix_race_hold(self->core->owner->races, self->core, SIM_TIME_NEVER);
}

/* How many parts are in Src at most, with the one that comes. Unpacking of whole tiles
 * and their product do not overlap on a card, except in a block. A tile that two
 * products use may come while the second of the tile before the last one goes on. */
static guint banks_of(const TensixCompute *self, const ArchComputeCall *call)
{
    const TensixFpuCosts *costs = tensix_operation_cost(call, &self->costs);

    if (call->keep == TENSIX_KEEP_NONE) {
        return costs->banks;
    }
    return self->costs.block_banks +
           ((call->keep & (TENSIX_KEEP_PAIRED | TENSIX_KEEP_LATER)) ==
            TENSIX_KEEP_PAIRED);
}

/* Fills the banks of Src, one face after another (a matmul's as a whole), as math
 * gives them back. */
static bool
fill_src(TensixCompute *self, TensixThread *thread, const ArchComputeCall *call)
{
    const TensixFpuCosts *costs = tensix_operation_cost(call, &self->costs);
    const guint parts = costs->parts;
    const guint banks = banks_of(self, call);
    const SimTime cycles = tile_cycles(self, call);
    TensixLane *unit = &self->units[UNIT_UNPACKER];

    for (; thread->step <= parts; thread->step++) {
        const guint part = thread->step - 1;
        const uint64_t bank = self->src_begun;

        if (bank >= banks) {
            if (!tensix_times_has(&self->src_free, bank - banks)) {
                return false;
            }
            const SimTime when = tensix_times_at(&self->src_free, bank - banks);
            const TensixCause cause = tensix_lane_cause(&self->units[UNIT_FPU], when);

            tensix_thread_issue(thread, unit, thread->stream);
            thread->stream = MAX(thread->stream, when);
            tensix_lane_wait(unit, thread->stream, TENSIX_LANE_SRC, cause);
        }
        tensix_thread_issue(thread, unit, thread->stream);
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
        const SimTime when =
            tensix_times_at(&self->contexts, context - self->costs.context_count);

        tensix_thread_wait_for(thread, when, TENSIX_LANE_UNIT, thread->unit, when);
    }
}

/* A product whose operands came with products before it. */
static bool fill_nothing(TensixCompute *self,
                         const TensixThread *thread,
                         const ArchComputeCall *call)
{
    bring_operands(self, call);
    tensix_times_add(&self->src_valid, thread->stream);
    self->src_begun++;
    return true;
}

bool tensix_step_unpack(TensixCompute *self,
                        TensixThread *thread,
                        const ArchComputeCall *call)
{
    const TensixFpuCosts *costs = tensix_operation_cost(call, &self->costs);

    if (kept(call) == TENSIX_KEEP_BOTH) {
        return fill_nothing(self, thread, call);
    }
    if (thread->step == 0) {
        tensix_thread_make_place(thread, CALL_ENTRIES);
        begin_context(self, thread);
        tensix_thread_spend(thread, kept(call) != 0 ? self->costs.fpu_copy.unpack_call
                                                    : costs->unpack_call);
        thread->stream = tensix_thread_reach(thread) + self->costs.unpack_before_cycles;
        bring_operands(self, call);
        thread->step = 1;
        if (is_checked(self)) {
            self->unpack_begin = thread->stream;
            tensix_race_hold(self->core->owner->races, self->core, thread->stream);
        }
    }
    if (!fill_src(self, thread, call)) {
        return false;
    }
    if (is_checked(self)) {
        note_operands(self, thread, call);
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
    const guint half = sim_u32((self->acquired - 1) % DST_HALVES);
    SimTime mail;

    if (thread->step == 0) {
        tensix_thread_make_place(thread, CALL_ENTRIES);
        tensix_thread_spend(thread, self->costs.fpu_copy.unpack_call);
        thread->step = 1;
    }
    if (!tensix_times_has(&self->mails, self->mails_taken)) {
        return false;
    }
    mail = tensix_times_at(&self->mails, self->mails_taken);
    tensix_thread_wait_for(thread, mail, TENSIX_LANE_SEMAPHORE,
                           &self->threads[TENSIX_THREAD_MATH].lane, mail);
    self->mails_taken++;
    tensix_thread_spend(thread, self->costs.unpack_dst_config);
    tensix_thread_issue(thread, unit, tensix_thread_reach(thread));
    thread->stream += self->costs.unpack_dst_cycles;
    tensix_lane_until(unit, thread->stream, TENSIX_LANE_BUSY);
    if (is_checked(self)) {
        note_tile(self, thread, call->cb_a, call->tile_a,
                  thread->stream - self->costs.unpack_dst_cycles, thread->stream);
    }
    self->unpack_idle = thread->stream;
    tensix_times_add(&self->dst_unpacked, thread->stream);
    count_bytes(self, call->cb_a);
    sim_region_count(self->region, self->counters.copied_32_bytes,
                     buffer_tile_bytes(self, call->cb_a));
    tensix_lane_count(unit, "copied_32_bytes", buffer_tile_bytes(self, call->cb_a));
    if (self->works != NULL) {
        tensix_works_do(self->works, &(TensixWork){.kind = TENSIX_WORK_UNPACK_DST,
                                                   .half = half,
                                                   .call = *call,
                                                   .a = operand_a(self, call)});
    }
    thread->stream += self->costs.unpack_dst_restore;
    thread->mop = thread->stream;
    tensix_thread_spend(thread, self->costs.unpack_dst_restore);
    tensix_thread_pushed(thread, CALL_ENTRIES);
    return true;
}

bool tensix_step_unpack_copy(TensixCompute *self,
                             TensixThread *thread,
                             const ArchComputeCall *call)
{
    return tensix_compute_is_dst_copy(self, call)
               ? unpack_dst(self, thread, call)
               : tensix_step_unpack(self, thread, call);
}

bool tensix_step_cb_wait(TensixCompute *self,
                         TensixThread *thread,
                         const ArchComputeCall *call)
{
    return tensix_compute_poll(self, thread, &self->units[UNIT_UNPACKER], call);
}

bool tensix_step_cb_pop(TensixCompute *self,
                        TensixThread *thread,
                        const ArchComputeCall *call)
{
    tensix_thread_make_place(thread, POP_ENTRIES);
    tensix_thread_spend(thread, self->costs.cb_pop);
    if (SIM_PROBES && G_UNLIKELY(self->probes != NULL)) {
        self->core->buffers[call->cb_a].movers[TENSIX_CB_COMPUTE] =
            tensix_thread_doer(thread, thread->unit, self->unpack_idle);
    }
    thread->stream = MAX(tensix_thread_reach(thread) + 1, self->unpack_idle) +
                     self->costs.counter_store_cycles;
    tensix_thread_pushed(thread, POP_ENTRIES);
    tensix_cb_pop(&self->core->buffers[call->cb_a], TENSIX_CB_COMPUTE, call->count,
                  thread->stream + self->costs.counter_visible_cycles);
    return true;
}

bool tensix_step_cb_shift(TensixCompute *self,
                          TensixThread *thread,
                          const ArchComputeCall *call)
{
    tensix_thread_spend(thread, 1);
    self->shifts[call->cb_a] = call->value;
    return true;
}

bool tensix_step_unpack_reconfig(TensixCompute *self,
                                 TensixThread *thread,
                                 const ArchComputeCall *call)
{
    tensix_thread_spend(thread,
                        call->count * self->costs.reconfig[TENSIX_THREAD_UNPACK]);
    thread->stream = MAX(tensix_thread_reach(thread), self->unpack_idle);
    return true;
}

static double value_of(TensixCompute *self, const ArchComputeCall *call)
{
    tensix_works_finish(self->works);

    const ArchFormat format = self->core->buffers[call->cb_a].format;
    const guint index = sim_u32(call->value);
    const guint8 *bytes =
        tile_bytes(self, call->cb_a, call->tile_a,
                   call->mode == 0 ? arch_format_tile_bytes(format) : 4 * (index + 1));
    uint32_t word = 0;

    if (bytes == NULL ||
        (self->works == NULL && !self->core->owner->options.moves_data)) {
        return 0;
    }
    if (call->mode == 0) {
        return tensix_format_number(bytes, format, index);
    }
    memcpy(&word, bytes + (gsize) 4 * index, sizeof word);
    return self->works == NULL && word == TENSIX_UNKNOWN_WORD ? (double) NAN : word;
}

bool tensix_step_read_value(TensixCompute *self,
                            TensixThread *thread,
                            const ArchComputeCall *call)
{
    tensix_thread_wait(thread, thread->risc + self->costs.value_load_cycles,
                       TENSIX_LANE_BUSY);
    if (is_checked(self)) {
        note_tile(self, thread, call->cb_a, call->tile_a, thread->risc, thread->risc);
    }
    self->read[self->values.count % TENSIX_TIMES] = value_of(self, call);
    tensix_times_add(&self->values, thread->risc + self->costs.semaphore_cycles);
    self->values_seen[TENSIX_THREAD_UNPACK]++;
    return true;
}
