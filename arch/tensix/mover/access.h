/* Loads and stores of a mover's own instructions. */
#pragma once

#include "arch/tensix/mover/state.h"

/* A load of the word at `address`, and a store of the last `bytes` of `value`, by an
 * instruction that begins at the mover's own time. The instruction pays for them, but
 * for conflicts at the banks. */
ArchMoverResult
tensix_mover_see(ArchMover *self, uint32_t address, uint32_t *word, GError **error);
ArchMoverResult tensix_mover_put(
    ArchMover *self, uint32_t address, uint32_t value, guint bytes, GError **error);

/* Asks the bank for `count` words that lie in one of its rows, from the mover's own
 * time on, which is the engine's. Waits as long as they come later than usual. */
void tensix_mover_meet_bank(ArchMover *self,
                            ArchL1Op op,
                            uint32_t address,
                            guint count);
