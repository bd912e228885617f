/* Finds vector operations of a PE that race: one begins while another, which had
 * started before it, has not moved its last element, and one of the two writes what the
 * other reads. An operation that receives begins with its first element: it is ordered
 * by what was sent before, and may be started early where others still read. */
#pragma once

#include <glib.h>

#include "arch/wse/ce/visit.h"

typedef struct WseRaces WseRaces;

WseRaces *wse_races_new(void);
void wse_races_free(WseRaces *self); /* accepts NULL */

/* See arch_wse_races(). */
GPtrArray *wse_races_lines(WseRaces *self);

static inline bool wse_races_is_receiving(const WseInstruction *instruction)
{
    return instruction->input != WSE_NO_RING || instruction->has_fifo;
}

/* Operation `index` begins. Any thread may call it. */
void wse_races_look(WseRaces *self, const WseVisit *visit, guint index);
