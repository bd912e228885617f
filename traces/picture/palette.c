/* After Okabe and Ito, without their yellow, which white drowns, and with a grey in
 * place of their black. */
#include "traces/picture/palette.h"

#include <glib.h>

static const char *const colours[TRACE_PALETTE_SIZE] = {
    "#0072b2", "#d55e00", "#009e73", "#cc79a7",
    "#56b4e9", "#e69f00", "#5f6068", "#7b3fa0",
};

const char *trace_palette_colour(gsize index)
{
    return colours[index % G_N_ELEMENTS(colours)];
}

/* Lightness falls in even steps, so that a grey copy shows the same order; yellow to
 * violet differ in blue, which red-green blindness leaves. */
static const guint8 stops[][3] = {
    {0xf1, 0xec, 0xc6}, {0xd0, 0xdc, 0x7a}, {0x73, 0xc0, 0x6f}, {0x2b, 0x9b, 0x88},
    {0x2d, 0x70, 0x8e}, {0x40, 0x43, 0x87}, {0x3c, 0x0f, 0x50},
};

void heat_ramp_colour(double value, char colour[HEAT_COLOUR_SIZE])
{
    double place = CLAMP(value, 0.0, 1.0) * (G_N_ELEMENTS(stops) - 1);
    gsize below = MIN((gsize) place, G_N_ELEMENTS(stops) - 2);
    double part = place - (double) below;
    guint mixed[3];

    for (gsize i = 0; i < G_N_ELEMENTS(mixed); i++) {
        double from = stops[below][i];
        double to = stops[below + 1][i];

        mixed[i] = (guint) (from + (to - from) * part + 0.5);
    }
    g_snprintf(colour, HEAT_COLOUR_SIZE, "#%02x%02x%02x", mixed[0] & 0xffU,
               mixed[1] & 0xffU, mixed[2] & 0xffU);
}
