/* Whether it pays that PEs of a rank go on in step, by what they did in the cycles
 * before. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

enum {
    WSE_WORTH_SPELL = 64, /* cycles from one decision to the next, a power of two */
};

typedef struct {
    guint visits; /* of PEs that were not in step, in this spell */
    guint steps;  /* of PEs that were, one for each that did something in a cycle */
    guint joins;
    /* In the spells of this trial: */
    guint spells;
    guint all_steps;
    guint all_joins;
    guint rest; /* spells until the next trial */
} WseWorth;

/* The end of a spell: whether PEs may join in the next one. If not, all are to leave.
 * `is_open` is what it said before. */
bool wse_worth_decide(WseWorth *self, bool is_open);
