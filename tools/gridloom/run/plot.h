/* Draws the plots of a script. */
#pragma once

#include "workloads/plot.h"

/* An SVG file; the caller frees it. */
char *cmd_run_plot_to_svg(const WlPlot *plot);
