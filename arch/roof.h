/* Roofs: the highest rates of a chip's parts, from the numbers of its file. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/chipfile/params.h"

#define ARCH_ROOF_FLOPS "FLOP per second"
#define ARCH_ROOF_BYTES "bytes per second"

/* `counter` names the engine's counter to compare with the roof. Texts are constant. */
typedef struct {
    const char *name;
    const char *unit; /* ARCH_ROOF_FLOPS, ARCH_ROOF_BYTES */
    double value;
    const char *counter;
    const char *source; /* keys of the chip file and the formula that combines them */
} ArchRoof;

/* A roof of a family. The value for a chip is share(params, cores, amount). */
typedef struct {
    ArchRoof roof; /* without a value */
    double (*share)(const ArchParams *params, double cores, double amount);
    double (*amount)(const ArchParams *params); /* NULL: the value of the key named by
                                                 * `source` */
} ArchRoofRow;

/* Shares: for an amount per cycle and core, per cycle, and per second. */
double arch_roof_of_cores(const ArchParams *params, double cores, double amount);
double arch_roof_of_cycles(const ArchParams *params, double cores, double amount);
double arch_roof_of_seconds(const ArchParams *params, double cores, double amount);

/* An amount: bytes per second of all channels in section [dram]. */
double arch_roof_dram(const ArchParams *params);

/* Does the roof of this name grow with the number of cores? Else they share it. */
bool arch_roof_is_of_cores(const ArchParams *params, const char *name);

/* Roofs of `cores` cores or PEs, above 0, which may be a mean over time. DRAM and NoC
 * links, which cores share, count for the whole chip, as do all roofs of a GPU or a
 * processor. The caller frees the array of ArchRoof. */
GArray *arch_roofs(const ArchParams *params, double cores);
