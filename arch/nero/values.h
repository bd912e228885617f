/* The numbers of windows: taken from grids, computed as the datapaths say, put back. */
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

/* Points that are border, or outside of the grid, keep what the output has there. */
void nero_values_compute(NeroValues *self, const NeroWindow *window);
