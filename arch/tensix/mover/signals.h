/* The words of other cores that a data mover has changed last, for reports. */
#pragma once

#include <stdint.h>

#include <glib.h>

#include "arch/tensix_mover.h"

enum {
    TENSIX_SIGNALS = 8,
};

/* A word of a core, or of all cores of a rectangle. */
typedef struct {
    ArchNocAddress start;
    guint corner_x;
    guint corner_y;
    uint64_t count; /* how often */
} TensixMoverSignal;

typedef struct {
    TensixMoverSignal last[TENSIX_SIGNALS];
    guint next; /* to be replaced */
} TensixMoverSignals;

/* The mover sends a word. */
void tensix_signals_add(TensixMoverSignals *self, const ArchMoverTransfer *what);
