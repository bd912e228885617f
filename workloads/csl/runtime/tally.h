/* Counts the commands of a host program, and the cycles that they took. */
#pragma once

#include <stdint.h>

#include <glib.h>
#include <lua.h>

#include "sim/time.h"

typedef struct CslTally CslTally;

CslTally *csl_tally_new(void);
void csl_tally_free(CslTally *self);

/* A command of that kind: "launch", "copy to"; on what. */
void csl_tally_add(CslTally *self, const char *kind, const char *name, SimTime cycles);

/* Pushes { { kind =, name =, calls =, cycles = }, ... }, in the order of first calls.
 */
void csl_tally_push(const CslTally *self, lua_State *L);
