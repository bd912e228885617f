/* What the timing of a wafer has come to, and what was seen of it, in one number. */
#pragma once

#include "arch/wse.h"
#include "sim/probe.h"

/* A hash of the timing state of all PEs, the same for any regions and threads. */
uint64_t state_hash(const ArchWse *wse);

/* What a watch calls; `data` is a hash of the records so far. */
void record_hash(gpointer data, const SimProbeRecord *record);
