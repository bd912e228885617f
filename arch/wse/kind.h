/* Classes of PEs: what those with the same program and router share, and how large the
 * block of a PE has to be. */
#pragma once

#include <glib.h>

#include "arch/wse/layout.h"
#include "arch/wse/numbers.h"
#include "arch/wse/pe.h"

/* The classes of the layout, of WseKind; `kind_of` gets that of each PE, row by row.
 * `phases` collects the names of phases of all programs, interned. */
GArray *wse_kinds_new(const ArchWseLayout *layout,
                      const WseNumbers *numbers,
                      bool is_stream,
                      GPtrArray *phases,
                      uint16_t *kind_of);

/* A block that has room for each of them. */
WseBlock wse_kinds_block(const GArray *kinds, guint phase_count);

/* The state in which a PE of the kind begins. */
void wse_kind_begin(const WseKind *self,
                    guint number,
                    const WseBlock *block,
                    WsePe *pe);
