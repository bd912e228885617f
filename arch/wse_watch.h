/* Wafers that somebody watches. */
#pragma once

#include "arch/wse.h"

/* After a run, also one that failed, where somebody watches (sim/probe.h): hands over
 * what has not come to an end. */
void arch_wse_finish_watch(ArchWse *self);
