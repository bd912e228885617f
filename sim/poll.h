/* Tells polling from work: whether a program reads again what it has read before. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
    SIM_POLL_PLACES = 8, /* that a program may poll in turn */
};

/* The places read last, and their values. */
typedef struct {
    uint64_t places[SIM_POLL_PLACES];
    uint64_t values[SIM_POLL_PLACES];
    unsigned next; /* the oldest of them */
} SimPolls;

/* Notes a read of `place`, which is not 0. Returns whether it gave the same value as
 * the one before. */
static inline bool sim_polls_repeat(SimPolls *self, uint64_t place, uint64_t value)
{
    unsigned at = 0;

    while (at < SIM_POLL_PLACES && self->places[at] != place) {
        at++;
    }
    if (at < SIM_POLL_PLACES) {
        const bool is_same = self->values[at] == value;

        self->values[at] = value;
        return is_same;
    }
    self->places[self->next] = place;
    self->values[self->next] = value;
    self->next = (self->next + 1) % SIM_POLL_PLACES;
    return false;
}
