/* Flits that links carried, by consecutive windows of time. */
#pragma once

#include <stdint.h>

#include <glib.h>

#include "sim/time.h"

typedef struct {
    guint count;
    guint link_count;
    SimTime
        *ends; /* [window]: it starts where the one before it ends, the first at 0 */
    uint64_t *flits; /* [window][link] */
} ArchNocWindows;

void arch_noc_windows_clear(ArchNocWindows *self);
