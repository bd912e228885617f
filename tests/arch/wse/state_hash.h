/* What the timing of a wafer has come to, in one number. */
#pragma once

#include "arch/wse.h"

/* A hash of the timing state of all PEs, the same for any regions and threads. */
uint64_t state_hash(const ArchWse *wse);
