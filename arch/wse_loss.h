/* Wavelets that left the layout, beyond which nothing is simulated. */
#pragma once

#include <stdint.h>

#include <glib.h>

#include "arch/wse.h"

/* How many, and the first of them. */
typedef struct {
    uint64_t count;
    guint x;
    guint y;
    guint color;
    ArchWseDirection to;
    SimTime cycle;
} ArchWseLoss;

ArchWseLoss arch_wse_loss(const ArchWse *self);
