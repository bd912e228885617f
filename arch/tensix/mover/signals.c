/* Keeps the last few words that a data mover has changed. */
#include "arch/tensix/mover/signals.h"

void tensix_signals_add(TensixMoverSignals *self, const ArchMoverTransfer *what)
{
    const bool is_many = what->is_to_many;
    const TensixMoverSignal signal = {
        .start = what->remote,
        .corner_x = is_many ? what->corner_x : what->remote.x,
        .corner_y = is_many ? what->corner_y : what->remote.y,
        .count = 1};

    for (guint i = 0; i < TENSIX_SIGNALS; i++) {
        TensixMoverSignal *known = &self->last[i];

        if (known->start.offset == signal.start.offset &&
            known->start.x == signal.start.x && known->start.y == signal.start.y &&
            known->corner_x == signal.corner_x && known->corner_y == signal.corner_y) {
            known->count++;
            return;
        }
    }
    self->last[self->next] = signal;
    self->next = (self->next + 1) % TENSIX_SIGNALS;
}
