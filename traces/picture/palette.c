/* After Okabe and Ito, without their yellow, which white drowns, and with a grey in
 * place of their black. */
#include "traces/picture/palette.h"

static const char *const colours[TRACE_PALETTE_SIZE] = {
    "#0072b2", "#d55e00", "#009e73", "#cc79a7",
    "#56b4e9", "#e69f00", "#5f6068", "#7b3fa0",
};

const char *trace_palette_colour(gsize index)
{
    return colours[index % G_N_ELEMENTS(colours)];
}
