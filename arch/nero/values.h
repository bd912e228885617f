/* The numbers of a job: they are read from grids when a window has come to its PE,
 * computed there sweep by sweep, and written to grids when the window's results are. */
#pragma once

#include <glib.h>

#include "arch/memory/dram.h"
#include "arch/nero.h"
#include "arch/nero/windows.h"

typedef struct NeroValues NeroValues;

/* All are borrowed, `job` only for now. */
NeroValues *nero_values_new(const ArchNeroDesign *design,
                            const NeroWindows *windows,
                            const ArchNeroJob *job,
                            ArchDram *dram);
void nero_values_free(NeroValues *self);

/* A window as it was dealt, from 0 on over all rounds: its fields have come, one of its
 * sweeps is through, its results are where they belong. In this order, each once. */
void nero_values_take(NeroValues *self, uint64_t dealt);
void nero_values_sweep(NeroValues *self, uint64_t dealt, guint sweep);
void nero_values_put(NeroValues *self, uint64_t dealt);
