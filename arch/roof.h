/* Roofs: the highest rates of a chip's parts, from the numbers of its file. */
#pragma once

#include <glib.h>

#include "arch/chipfile/params.h"

#define ARCH_ROOF_FLOPS "FLOP per second"
#define ARCH_ROOF_BYTES "bytes per second"

/* `counter` of the chip's engine counts what goes against it. Texts are constant. */
typedef struct {
    const char *name;
    const char *unit; /* ARCH_ROOF_FLOPS, ARCH_ROOF_BYTES */
    double value;
    const char *counter;
    const char *source; /* keys of the chip file, and how they go together */
} ArchRoof;

/* A roof of a family: each chip's value is its share of an amount. */
typedef struct {
    ArchRoof roof; /* without a value */
    double (*share)(const ArchParams *params, double cores, double amount);
    double (*amount)(const ArchParams *params); /* NULL: the key that is the source */
} ArchRoofRow;

/* Shares: of an amount for each cycle and core, for each cycle, for each second. */
double arch_roof_of_cores(const ArchParams *params, double cores, double amount);
double arch_roof_of_cycles(const ArchParams *params, double cores, double amount);
double arch_roof_of_seconds(const ArchParams *params, double cores, double amount);

/* An amount: what all channels of a section [dram] move in a second. */
double arch_roof_dram(const ArchParams *params);

/* Of `cores` cores or PEs, more than 0, in the mean over time; what cores share, DRAM
 * and the links of a NoC, of the whole chip, and all roofs of a GPU or a processor. The
 * caller frees the array of ArchRoof. */
GArray *arch_roofs(const ArchParams *params, double cores);
