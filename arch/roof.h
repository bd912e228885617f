/* Roofs: the highest rates of a chip's parts, from the numbers of its file. */
#pragma once

#include <glib.h>

#include "arch/chipfile/params.h"

/* `counter` of the chip's engine counts what goes against it. Texts are constant. */
typedef struct {
    const char *name;
    const char *unit; /* FLOP per second, bytes per second */
    double value;
    const char *counter;
    const char *source; /* keys of the chip file, and how they go together */
} ArchRoof;

/* Of `cores` cores or PEs, more than 0, in the mean over time; what cores share, DRAM
 * and the links of a NoC, of the whole chip, and all roofs of a GPU or a processor. The
 * caller frees the array of ArchRoof. */
GArray *arch_roofs(const ArchParams *params, double cores);
