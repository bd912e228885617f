/* Records how busy the links of Wormhole's networks are during a run of any length: the
 * windows double when there are too many. */
#pragma once

#include <glib.h>

#include "arch/noc/windows.h"
#include "arch/wormhole_noc.h"

typedef struct NocRecorder NocRecorder;

/* Call it before the run, at cycle 0. `noc` is borrowed. Idle time costs nothing. */
NocRecorder *noc_recorder_new(ArchWormholeNoc *noc);

/* Free it before `noc`. */
void noc_recorder_free(NocRecorder *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(NocRecorder, noc_recorder_free)

/* The windows of a run that ended at `end`. The last window ends there, or when the
 * last flit moved if that is later (nobody waits for some data). Links are those of NoC
 * 0, then those of NoC 1, in the order of arch_wormhole_noc_links(). */
ArchNocWindows noc_recorder_finish(NocRecorder *self, SimTime end);
