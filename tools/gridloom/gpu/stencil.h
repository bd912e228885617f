/* gridloom gpu stencil: its options, and its results as text, JSON, CSV and a
 * picture. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/model/stencil/comparison.h"
#include "traces/picture/plot.h"

typedef struct {
    GpuStencil stencil;
    uint64_t size;             /* points along a side of the grid */
    ArchParams *gpu;           /* with the changes of --published and --set */
    GpuStencilSetting setting; /* for that GPU */
    GpuImplementation programs[GPU_COMPARISON_PROGRAMS]; /* with --efficiency */
    guint baseline;                                      /* on CUDA cores */
    char *mma;  /* shape of instructions; NULL: the usual one */
    guint with; /* on tensor cores */
    GpuSweep sweep;
    guint sweep_from;
    guint sweep_to;
    bool is_published;
    char **outputs; /* pictures and tables; NULL for none */
    char *json;
    bool is_quiet;
} CmdGpuStencilOptions;

/* Takes CmdGpuStencilOptions. */
int cmd_gpu_stencil_run(gpointer data);

/* "fusion" or "radius"; NULL without a sweep. */
const char *cmd_gpu_stencil_options_sweep_name(const CmdGpuStencilOptions *self);

typedef struct {
    const CmdGpuStencilOptions *options;
    GpuComparison now;
    GArray *sweep; /* of GpuComparison; NULL without one */
} CmdGpuStencilStudy;

/* For ModelPage; takes a CmdGpuStencilStudy. */
void cmd_gpu_stencil_print(gconstpointer study);

/* Draws the roofline: both units' ceilings, the program on CUDA cores, and that on
 * tensor cores with and without useless work; along the sweep if there is one. `draw`
 * is trace_plot_to_svg(), or trace_plot_to_text() for terminals. */
char *cmd_gpu_stencil_draw(const CmdGpuStencilStudy *self,
                           char *(*draw)(const TracePlot *) );
