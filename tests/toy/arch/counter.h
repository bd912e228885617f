/* The toy: a device that counts. Each tick takes cycles, adds numbers and moves bytes,
 * as the chip file says. */
#pragma once

#include <stdint.h>

#include "arch/chip.h"

typedef struct ToyCounter ToyCounter;

ToyCounter *toy_counter_new(SimEngine *engine, const ArchParams *params);
void toy_counter_free(ToyCounter *self);

/* That of a chip, NULL where it is no toy. */
ToyCounter *toy_counter_of(const ArchChip *chip);

/* Starts a count of `ticks`, in the engine's present; one at a time. */
void toy_counter_start(ToyCounter *self, uint64_t ticks);
