/* Loops of loads and stores that follow offsets, at the costs of instructions: as clang
 * compiles them for RV32IM with the loads of a turn before their uses. */
#include "arch/memory/gather.h"

#include <string.h>

#include "arch/error.h"
#include "arch/tensix/mover/access.h"
#include "arch/tensix/mover/probe.h"
#include "arch/tensix/race/race.h"
#include "sim/narrow.h"

enum {
    TURN = 4,               /* numbers, as many as loads can be under way */
    PAIR_INSTRUCTIONS = 2,  /* shift and join two numbers of 2 bytes */
    WIDEN_INSTRUCTIONS = 2, /* shift the operands of a product to 4 bytes */
    HALF_BYTES = 2,
    WORD_BYTES = 4,
};

/* Words that hold so many bytes. */
static guint words_of(guint bytes)
{
    return (bytes + WORD_BYTES - 1) / WORD_BYTES;
}

static bool check(const ArchMover *self, const ArchGather *what, GError **error)
{
    return ((what->bytes == HALF_BYTES || what->bytes == WORD_BYTES) ||
            arch_refuse(error, "numbers of %u bytes, expected 2 or 4", what->bytes)) &&
           (what->count <= ARCH_GATHER_MOST ||
            arch_refuse(error, "%u numbers in one call, at most %d", what->count,
                        ARCH_GATHER_MOST)) &&
           (what->offsets % WORD_BYTES == 0 ||
            arch_refuse(error,
                        "address 0x%x is no multiple of 4, as that of offsets must be",
                        what->offsets)) &&
           tensix_l1_check(self->core->l1, what->offsets,
                           (uint64_t) what->count * WORD_BYTES, error);
}

/* The address of number `i`, in L1 with all its bytes. */
static bool find(const ArchMover *self,
                 const ArchGather *what,
                 guint i,
                 uint32_t *address,
                 GError **error)
{
    uint32_t offset = 0;

    memcpy(&offset, tensix_l1_at(self->core->l1, what->offsets + i * WORD_BYTES),
           sizeof offset);
    *address = what->from + offset;
    return tensix_l1_check(self->core->l1, (uint64_t) what->from + offset, what->bytes,
                           error);
}

/* Copies the numbers of a turn. */
static bool copy(ArchMover *self,
                 const ArchGather *what,
                 guint first,
                 guint count,
                 uint32_t to,
                 GError **error)
{
    for (guint i = 0; i < count; i++) {
        uint32_t address = 0;

        if (!find(self, what, first + i, &address, error)) {
            return false;
        }
        memcpy(tensix_l1_at(self->core->l1, to + i * what->bytes),
               tensix_l1_at(self->core->l1, address), what->bytes);
        if (G_UNLIKELY(self->core->owner->races != NULL)) {
            tensix_race_load(self, "gather_numbers", address & ~(uint32_t) 3);
        }
    }
    tensix_mover_blame(self);
    tensix_core_l1_changed(self->core, to, (uint64_t) count * what->bytes);
    if (G_UNLIKELY(self->core->owner->races != NULL)) {
        tensix_race_store(self, "gather_numbers", to, count * what->bytes);
    }
    return true;
}

/* A turn of the loop. Loads of a kind overlap: the first is waited for, the others come
 * while its value is used. Pointers are increased and the branch, which is foreseen, is
 * taken while it waits. */
typedef enum {
    LOAD_OFFSETS, /* and add the first to the address */
    LOAD_NUMBERS, /* and join pairs of 2 bytes */
    STORE,
    PHASES,
} Phase;

/* Numbers lie anywhere: their banks count as taken in turn, so that time does not
 * depend on data. */
static bool take_phase(ArchMover *self,
                       const ArchGather *what,
                       guint turn,
                       Phase phase,
                       uint32_t to,
                       GError **error)
{
    const guint first = turn * TURN;
    const guint count = MIN(TURN, what->count - first);
    const guint words = words_of(count * what->bytes);
    const uint32_t row = first * WORD_BYTES;
    const SimTime joins =
        what->bytes == HALF_BYTES ? (SimTime) (count / 2) * PAIR_INSTRUCTIONS : 0;
    SimTime cycles = 0;

    switch (phase) {
    case LOAD_OFFSETS:
        tensix_mover_meet_bank(self, ARCH_L1_READ, what->offsets + row, count);
        cycles = self->numbers->load_cycles + 1;
        break;
    case LOAD_NUMBERS:
        tensix_mover_meet_bank(self, ARCH_L1_READ, what->from + row, count);
        cycles = self->numbers->load_cycles + joins;
        break;
    case STORE:
        if (self->core->owner->options.is_functional &&
            !copy(self, what, first, count, to + first * what->bytes, error)) {
            return false;
        }
        tensix_mover_meet_bank(self, ARCH_L1_WRITE, to + first * what->bytes, words);
        cycles = sim_ratio_charge(self->numbers->store_cycles, words,
                                  &self->store_remainder);
        break;
    case PHASES:
        break;
    }
    tensix_lane_until(&self->lane, self->lane.at + cycles, TENSIX_LANE_BUSY);
    return true;
}

static bool
check_target(const ArchMover *self, const ArchGather *what, uint32_t to, GError **error)
{
    return (to % WORD_BYTES == 0 ||
            arch_refuse(error, "address 0x%x is no multiple of 4, as a word's must be",
                        to)) &&
           tensix_l1_check(self->core->l1, to, (uint64_t) what->count * what->bytes,
                           error);
}

ArchMoverResult
arch_mover_gather(ArchMover *self, const ArchGather *what, uint32_t to, GError **error)
{
    const uint64_t phases = (uint64_t) (what->count + TURN - 1) / TURN * PHASES;

    if (self->offset == 0 && !self->is_paid) {
        if (!check(self, what, error) || !check_target(self, what, to, error)) {
            return ARCH_MOVER_FAILED;
        }
        if (tensix_mover_is_watched(self)) {
            tensix_mover_probe_call(self, "gather_numbers", "to", to, "count",
                                    what->count);
        }
    }
    while (self->offset < phases) {
        if (!tensix_mover_meets_engine(self)) {
            return ARCH_MOVER_AGAIN;
        }
        if (!take_phase(self, what, sim_u32(self->offset / PHASES),
                        (Phase) (self->offset % PHASES), to, error)) {
            return ARCH_MOVER_FAILED;
        }
        self->offset++;
        self->is_paid = true;
    }
    if (!tensix_mover_meets_engine(self)) {
        return ARCH_MOVER_AGAIN;
    }
    tensix_readings_end(&self->readings, self->lane.at);
    self->offset = 0;
    return tensix_mover_finish_call(self);
}

static float number_at(const ArchMover *self, uint32_t address, guint bytes)
{
    const guint8 *from = tensix_l1_at(self->core->l1, address);
    uint16_t half = 0;
    uint32_t word = 0;
    float value = 0;

    if (bytes == HALF_BYTES) {
        memcpy(&half, from, sizeof half);
        word = half;
        word <<= 16;
    } else {
        memcpy(&word, from, sizeof word);
    }
    memcpy(&value, &word, sizeof value);
    return value;
}

static bool add_products(ArchMover *self,
                         const ArchGather *what,
                         uint32_t values,
                         float *sum,
                         GError **error)
{
    for (guint i = 0; i < what->count; i++) {
        uint32_t address = 0;

        if (!find(self, what, i, &address, error)) {
            return false;
        }
        *sum += number_at(self, values + i * what->bytes, what->bytes) *
                number_at(self, address, what->bytes);
        if (G_UNLIKELY(self->core->owner->races != NULL)) {
            tensix_race_load(self, "gather_dot", address & ~(uint32_t) 3);
        }
    }
    return true;
}

/* A number waits for its offset, beside which its factor is loaded, adds it, and waits
 * for itself; the branch follows the sum. */
static SimTime dot_cycles(const ArchMover *self, const ArchGather *what)
{
    const TensixMoverNumbers *numbers = self->numbers;
    const SimTime widen = what->bytes == HALF_BYTES ? WIDEN_INSTRUCTIONS : 0;

    return what->count *
           (2 * numbers->load_cycles + 1 + widen + numbers->float_cycles + 1);
}

ArchMoverResult arch_mover_gather_dot(ArchMover *self,
                                      const ArchGather *what,
                                      uint32_t values,
                                      float *sum,
                                      GError **error)
{
    if (!self->is_paid) {
        if (!check(self, what, error) ||
            !tensix_l1_check(self->core->l1, values,
                             (uint64_t) what->count * what->bytes, error)) {
            return ARCH_MOVER_FAILED;
        }
        if (!tensix_mover_meets_engine(self)) {
            return ARCH_MOVER_AGAIN;
        }
        if (tensix_mover_is_watched(self)) {
            tensix_mover_probe_call(self, "gather_dot", "values", values, "count",
                                    what->count);
        }
        tensix_lane_until(&self->lane, self->lane.at + dot_cycles(self, what),
                          TENSIX_LANE_BUSY);
        self->is_paid = true;
    }
    if (!tensix_mover_meets_engine(self)) {
        return ARCH_MOVER_AGAIN;
    }
    sim_region_count(sim_process_region(self->process), self->core->owner->flops,
                     (uint64_t) what->count * 2);
    tensix_lane_count(&self->lane, "flops", (uint64_t) what->count * 2);
    if (self->core->owner->options.is_functional &&
        !add_products(self, what, values, sum, error)) {
        return ARCH_MOVER_FAILED;
    }
    tensix_readings_end(&self->readings, self->lane.at);
    return tensix_mover_finish_call(self);
}
