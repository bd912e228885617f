/* Where the cycles of PEs went, by line of the CSL sources, over all programs of a host
 * program. */
#pragma once

#include <stdint.h>

#include "arch/wse.h"
#include "workloads/outcome.h"

typedef struct CslLines CslLines;

CslLines *csl_lines_new(void);
void csl_lines_free(CslLines *self);

/* What the loaded program has spent since its start, in so many cycles of launches and
 * streams; nothing if the wafer does not count lines. */
void csl_lines_add(CslLines *self, const ArchWse *wse, uint64_t cycles);

/* Adds metrics.kernels and metrics.sources, and a table of the lines that take most. */
void csl_lines_report(const CslLines *self, WlOutcome *outcome);
