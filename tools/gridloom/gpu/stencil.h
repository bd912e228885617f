/* What `gridloom gpu stencil` finds out, for people and programs: text, JSON, CSV, a
 * picture. */
#pragma once

#include <json-glib/json-glib.h>

#include "arch/model/stencil/comparison.h"
#include "tools/gridloom/gpu/stencil_options.h"
#include "traces/picture/plot.h"

typedef struct {
    const CmdGpuStencilOptions *options;
    GpuComparison now;
    GArray *sweep; /* of GpuComparison; NULL without one */
} CmdGpuStencilStudy;

/* What the sweep varies, there. */
guint cmd_gpu_stencil_swept(const CmdGpuStencilStudy *self, const GpuComparison *at);

/* The first value of the sweep at which the program is compute bound; 0: none. */
guint cmd_gpu_stencil_transition(const CmdGpuStencilStudy *self, guint program);

/* For ModelPage; all take a CmdGpuStencilStudy. */
JsonObject *cmd_gpu_stencil_parameters(gconstpointer study);
JsonObject *cmd_gpu_stencil_metrics(gconstpointer study);
char *cmd_gpu_stencil_csv(gconstpointer study);
void cmd_gpu_stencil_print(gconstpointer study);

/* The roofline: both units' ceilings, the program on CUDA cores, and that on tensor
 * cores with and without what is useless; along the sweep where there is one. `draw` is
 * trace_plot_to_svg(), or trace_plot_to_text() for terminals. */
char *cmd_gpu_stencil_draw(const CmdGpuStencilStudy *self,
                           char *(*draw)(const TracePlot *) );
