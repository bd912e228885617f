/* Weighs what it costs to join, and a cycle of a rank, against visits. */
#include "arch/wse/rank/worth.h"

enum {
    /* PEs that do something in a cycle, in the mean of a spell: */
    MANY = 8, /* from so many on, PEs may join */
    FEW = 4,  /* with fewer, all leave */

    /* Cycles of steps that a PE must have, in the mean of a trial, once it has joined.
     * Half of it, to join and to leave, takes as long as visits. */
    LONG = 24,
    TRIAL = 16, /* spells */
    REST = 128, /* spells without a trial, after one that did not pay */
};

static bool is_hot(const WseWorth *self, bool is_open)
{
    const guint least = is_open ? FEW : MANY;

    return self->visits + self->steps >= least * WSE_WORTH_SPELL;
}

/* Whether PEs stay long enough. */
static bool does_pay(WseWorth *self)
{
    bool does_pay = true;

    self->all_steps += self->steps;
    self->all_joins += self->joins;
    if (++self->spells == TRIAL) {
        does_pay = self->all_steps >= LONG * self->all_joins;
        self->spells = 0;
        self->all_steps = 0;
        self->all_joins = 0;
    }
    return does_pay;
}

bool wse_worth_decide(WseWorth *self, bool is_open)
{
    const bool may_open = self->rest == 0 && is_hot(self, is_open);

    self->rest -= self->rest > 0;
    if (is_open && !does_pay(self)) {
        self->rest = REST;
    }
    self->visits = 0;
    self->steps = 0;
    self->joins = 0;
    return may_open && self->rest == 0;
}
