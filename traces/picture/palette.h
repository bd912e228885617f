/* Colours that readers with colour blindness can tell apart. */
#pragma once

#include <glib.h>

enum {
    TRACE_PALETTE_SIZE = 8,
    TRACE_PALETTE_GREY = 6, /* which of them is a grey */
};

/* #rrggbb, borrowed for ever; they begin again after the last. */
const char *trace_palette_colour(gsize index);

#define HEAT_COLOUR_SIZE 8

/* A ramp that readers with colour blindness can order, too: writes #rrggbb for a value
 * of 0..1; darker is more, everywhere. Values outside get the colour of the nearest
 * end. */
void heat_ramp_colour(double value, char colour[HEAT_COLOUR_SIZE]);
