/* What PEs of a wafer have printed. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/wse.h"

typedef struct {
    SimTime when;
    guint x;
    guint y;
    const char *text; /* interned */
    bool has_value;   /* of a variable */
    int32_t value;
} ArchWsePrint;

/* The lines of the last launch, by cycle, row and column, once; the caller frees the
 * array of ArchWsePrint. */
GArray *arch_wse_take_prints(ArchWse *self);

/* Its text, and the value behind it; the caller frees it. */
char *arch_wse_print_text(const ArchWsePrint *print);
