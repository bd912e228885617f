/* Lets a mover access the L1 of its core: semaphores, loads and stores, and the banks
 * that they share with the networks. */
#include "arch/error.h"
#include "arch/tensix/mover/access.h"
#include "arch/tensix/mover/probe.h"
#include "arch/tensix/race/race.h"
#include "sim/narrow.h"

static bool
check_words(const ArchMover *self, uint32_t address, guint count, GError **error)
{
    return (address % sizeof(uint32_t) == 0 ||
            arch_refuse(error, "address 0x%x is no multiple of 4, as a word's must be",
                        address)) &&
           tensix_l1_check(self->core->l1, address, (uint64_t) count * sizeof(uint32_t),
                           error);
}

static uint32_t load_word(const ArchMover *self, uint32_t address)
{
    uint32_t value;

    memcpy(&value, tensix_l1_at(self->core->l1, address), sizeof value);
    return value;
}

/* The kernel has seen the word at `address`. */
static void
note_word(ArchMover *self, const char *call, uint32_t address, uint32_t value)
{
    tensix_readings_add(&self->readings, call, address,
                        sim_polls_repeat(&self->readings.polls, address, value));
}

/* A poll sees the value from before its cycle. */
static void poll_after(ArchMover *self, SimTime when)
{
    const SimTime period = self->numbers->semaphore_poll_cycles;
    const SimTime polls = (when - self->lane.at) / period + 1;

    tensix_lane_wait(&self->lane, self->lane.at + polls * period, TENSIX_LANE_SEMAPHORE,
                     self->probe.cause);
}

ArchMoverResult arch_mover_semaphore_wait(
    ArchMover *self, uint32_t address, uint32_t value, bool is_minimum, GError **error)
{
    uint32_t word;

    if (!self->is_paid) {
        if (!check_words(self, address, 1, error)) {
            return ARCH_MOVER_FAILED;
        }
        if (tensix_mover_is_watched(self)) {
            tensix_mover_probe_call(
                self, is_minimum ? "noc_semaphore_wait_min" : "noc_semaphore_wait",
                "address", address, "value", value);
        }
        if (!tensix_mover_pay(self, self->numbers->load_cycles)) {
            return ARCH_MOVER_AGAIN;
        }
    } else if (self->is_polling) {
        poll_after(self, tensix_mover_engine_now(self));
    }
    self->is_polling = false;
    if (!tensix_mover_meets_engine(self)) {
        return ARCH_MOVER_AGAIN;
    }
    word = load_word(self, address);
    if (is_minimum ? word >= value : word == value) {
        note_word(self, is_minimum ? "noc_semaphore_wait_min" : "noc_semaphore_wait",
                  address, word);
        if (G_UNLIKELY(self->core->owner->races != NULL)) {
            tensix_race_see(self, address);
        }
        return tensix_mover_finish_call(self);
    }
    self->is_polling = true;
    return tensix_mover_block(self, (TensixMoverWait){.kind = WAIT_SEMAPHORE,
                                                      .address = address,
                                                      .value = value,
                                                      .is_minimum = is_minimum});
}

void tensix_mover_meet_bank(ArchMover *self, ArchL1Op op, uint32_t address, guint count)
{
    const SimTime usual = op == ARCH_L1_READ ? 1 : self->numbers->narrow_cycles;
    ArchL1Access access = {.op = op,
                           .port = self->numbers->port,
                           .address = address,
                           .bytes = sizeof(uint32_t)};
    SimTime late = 0;

    for (guint i = 0; i < count; i++) {
        const SimTime asked = self->lane.at + i * usual + late;
        const SimTime done = arch_l1_banks_access(self->banks, &access, asked);

        late += done - (asked + usual);
        access.address += (uint32_t) sizeof(uint32_t);
    }
    tensix_lane_until(&self->lane, self->lane.at + late, TENSIX_LANE_BANK_CONFLICT);
}

ArchMoverResult
arch_mover_load(ArchMover *self, uint32_t address, uint32_t *value, GError **error)
{
    if (!self->is_paid) {
        if (!check_words(self, address, 1, error)) {
            return ARCH_MOVER_FAILED;
        }
        if (!tensix_mover_meets_engine(self)) {
            return ARCH_MOVER_AGAIN;
        }
        if (tensix_mover_is_watched(self)) {
            tensix_mover_probe_call(self, "load_word", "address", address, NULL, 0);
        }
        tensix_mover_meet_bank(self, ARCH_L1_READ, address, 1);
        if (!tensix_mover_pay(self, self->numbers->load_cycles)) {
            return ARCH_MOVER_AGAIN;
        }
    }
    if (!tensix_mover_meets_engine(self)) {
        return ARCH_MOVER_AGAIN;
    }
    *value = load_word(self, address);
    note_word(self, "load_word", address, *value);
    if (G_UNLIKELY(self->core->owner->races != NULL)) {
        tensix_race_load(self, "load_word", address);
    }
    return tensix_mover_finish_call(self);
}

/* Words that lie in the same row of a bank as the one at `address`, and after it. */
static guint words_of_row(const ArchMover *self, uint32_t address)
{
    const uint32_t row = self->numbers->row_bytes;

    return sim_u32((row - address % row) / sizeof(uint32_t));
}

/* Stores go to the banks a row at a time; all are seen when the last one is through. */
ArchMoverResult arch_mover_store(ArchMover *self,
                                 const char *name,
                                 uint32_t address,
                                 const uint32_t *values,
                                 guint count,
                                 GError **error)
{
    if (self->offset == 0 && !self->is_paid) {
        if (!check_words(self, address, count, error)) {
            return ARCH_MOVER_FAILED;
        }
        if (tensix_mover_is_watched(self)) {
            tensix_mover_probe_call(self, name, "address", address, "words", count);
        }
    }
    while (self->offset < count) {
        const uint32_t place = address + sim_u32(self->offset * sizeof *values);
        const guint words =
            MIN(words_of_row(self, place), count - sim_u32(self->offset));

        if (!tensix_mover_meets_engine(self)) {
            return ARCH_MOVER_AGAIN;
        }
        tensix_mover_meet_bank(self, ARCH_L1_WRITE, place, words);
        tensix_lane_until(&self->lane,
                          self->lane.at + sim_ratio_charge(self->numbers->store_cycles,
                                                           words,
                                                           &self->store_remainder),
                          TENSIX_LANE_BUSY);
        self->offset += words;
        self->is_paid = true;
    }
    if (!tensix_mover_meets_engine(self)) {
        return ARCH_MOVER_AGAIN;
    }
    if (count > 0) {
        gpointer place = tensix_l1_at(self->core->l1, address);

        if (memcmp(place, values, count * sizeof *values) != 0) {
            tensix_readings_end(&self->readings, self->lane.at);
        }
        memcpy(place, values, count * sizeof *values);
        tensix_mover_blame(self);
        tensix_core_l1_changed(self->core, address, count * sizeof *values);
        if (G_UNLIKELY(self->core->owner->races != NULL)) {
            tensix_race_store(self, name, address, sim_u32(count * sizeof *values));
        }
    }
    self->offset = 0;
    return tensix_mover_finish_call(self);
}

ArchMoverResult
tensix_mover_see(ArchMover *self, uint32_t address, uint32_t *word, GError **error)
{
    if (!check_words(self, address, 1, error)) {
        return ARCH_MOVER_FAILED;
    }
    if (!tensix_mover_meets_engine(self)) {
        return ARCH_MOVER_AGAIN;
    }
    tensix_mover_meet_bank(self, ARCH_L1_READ, address, 1);
    *word = load_word(self, address);
    note_word(self, "a load", address, *word);
    return ARCH_MOVER_DONE;
}

ArchMoverResult tensix_mover_put(
    ArchMover *self, uint32_t address, uint32_t value, guint bytes, GError **error)
{
    if (!tensix_l1_check(self->core->l1, address, bytes, error)) {
        return ARCH_MOVER_FAILED;
    }
    if (!tensix_mover_meets_engine(self)) {
        return ARCH_MOVER_AGAIN;
    }
    gpointer place = tensix_l1_at(self->core->l1, address);

    tensix_mover_meet_bank(self, ARCH_L1_WRITE, address, 1);
    if (memcmp(place, &value, bytes) != 0) {
        tensix_readings_end(&self->readings, self->lane.at);
    }
    memcpy(place, &value, bytes);
    tensix_mover_blame(self);
    tensix_core_l1_changed(self->core, address, bytes);
    return ARCH_MOVER_DONE;
}
