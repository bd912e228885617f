/* Where the PEs of a wafer spend their time, by names that their programs give. */
#pragma once

#include <glib.h>

#include "arch/wse.h"

typedef struct {
    const char *name;
    double cycles; /* since the start, in the mean over all PEs */
} ArchWseZone;

/* Zones that have ended, in the order of programs and their code, work and waits
 * alike. The caller frees the array of ArchWseZone. */
GArray *arch_wse_zones(const ArchWse *self);
