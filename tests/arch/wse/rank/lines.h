/* Random programs for tests of PEs in step: streams along rows and columns of wafers
 * that are narrower than a rank, as wide, and wider, with all that PEs in step know of
 * and some of what they leave for. */
#pragma once

#include <stdint.h>

#include "arch/wse/rank/fit.h"
#include "tests/arch/wse/run.h"

typedef struct {
    uint64_t random;
    guint most; /* wavelets of a stream */
    guint columns;
    guint rows;
    GArray **steps; /* of WseRunStep, by PE */
    WseRun run;     /* ready for wse_run_load() */
} WseLines;

void wse_lines_open(WseLines *self, uint64_t seed, guint most, WseFitWanted ranks);
void wse_lines_close(WseLines *self);
