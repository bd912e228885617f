/* Records how busy the links of Wormhole's networks are during a run of any length: the
 * windows double when there are too many. */
#pragma once

#include <glib.h>

#include "arch/noc/windows.h"
#include "arch/wormhole_noc.h"

typedef struct NocRecorder NocRecorder;

/* Before the run, at cycle 0; `noc` is borrowed. Time in which nothing moves costs
 * nothing. */
NocRecorder *noc_recorder_new(ArchWormholeNoc *noc);

/* Before `noc`. */
void noc_recorder_free(NocRecorder *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(NocRecorder, noc_recorder_free)

/* The windows of the run, which ended at `end`: the last one ends there, or where the
 * last flit moved if that is later (data may be under way that nobody waits for). Links
 * are those of NoC 0, then those of NoC 1, in the order of arch_wormhole_noc_links().
 */
ArchNocWindows noc_recorder_finish(NocRecorder *self, SimTime end);
