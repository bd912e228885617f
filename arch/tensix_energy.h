/* The energy of a Tensix chip by part: what the part did, times its key of [power]. */
#pragma once

#include <glib.h>

#include "arch/chipfile/params.h"
#include "arch/tensix.h"

typedef enum {
    ARCH_TENSIX_IDLE, /* the chip at its clock, whatever runs on it */
    ARCH_TENSIX_CORE, /* from the start of a program to its end, if it has a kernel */
    ARCH_TENSIX_FPU,  /* busy, as are the next three */
    ARCH_TENSIX_SFPU,
    ARCH_TENSIX_UNPACKER,
    ARCH_TENSIX_PACKER,
    ARCH_TENSIX_RISCV,    /* runs a kernel: it polls while it waits */
    ARCH_TENSIX_L1,       /* read or written by units and networks */
    ARCH_TENSIX_NOC,      /* over links, headers included */
    ARCH_TENSIX_DRAM,     /* for programs and for the host */
    ARCH_TENSIX_ETHERNET, /* sent to other chips, headers included */
    ARCH_TENSIX_PARTS,
} ArchTensixPart;

/* What parts did: seconds, cycles of all cores, bytes, and bytes times links. */
typedef struct {
    double done[ARCH_TENSIX_PARTS];
} ArchTensixActivity;

/* Most keys are assumed and have a range. All at their lower ends give `low`, all at
 * their upper ends `high`; a key that the user has set counts as certain. */
typedef struct {
    double joules;
    double low;
    double high;
} ArchEnergy;

const char *arch_tensix_part_name(ArchTensixPart part); /* idle, fpu, ... */
const char *arch_tensix_part_unit(ArchTensixPart part); /* seconds, cycles, ... */

/* Adds the cycles of one program. `uses` is that of arch_tensix_uses(), summed over all
 * cores. */
void arch_tensix_activity_add(ArchTensixActivity *self,
                              const GArray *uses,
                              ArchTensixSpan span);

/* Sets the bytes that the chip's counters have now. */
void arch_tensix_activity_count(ArchTensixActivity *self, const ArchTensix *tensix);

ArchEnergy
arch_tensix_part_energy(const ArchParams *params, ArchTensixPart part, double done);
