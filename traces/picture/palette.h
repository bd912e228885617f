/* Colours that readers with colour blindness can tell apart. */
#pragma once

#include <glib.h>

enum {
    TRACE_PALETTE_SIZE = 8,
    TRACE_PALETTE_GREY = 6, /* the index of the grey */
};

/* #rrggbb, a static text; indices beyond the last colour wrap around. */
const char *trace_palette_colour(gsize index);

#define HEAT_COLOUR_SIZE 8

/* Writes #rrggbb for a value of 0..1: a ramp that is ordered for colour-blind readers,
 * too, as darker is always more. Values outside are clamped. */
void heat_ramp_colour(double value, char colour[HEAT_COLOUR_SIZE]);
