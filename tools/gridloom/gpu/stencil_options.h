/* Options of `gridloom gpu stencil`. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/model/stencil/stencil.h"

typedef enum {
    CMD_GPU_SWEEP_NONE,
    CMD_GPU_SWEEP_FUSION,
    CMD_GPU_SWEEP_RADIUS,
} CmdGpuSweep;

enum {
    CMD_GPU_STENCIL_PROGRAMS = 6, /* implementations there are */
};

typedef struct {
    GpuStencil stencil;
    uint64_t size;             /* points along a side of the grid */
    ArchParams *gpu;           /* with what --published and --set changed */
    GpuStencilSetting setting; /* of that GPU */
    GpuImplementation programs[CMD_GPU_STENCIL_PROGRAMS]; /* with --efficiency */
    guint baseline;                                       /* on CUDA cores */
    char *mma;  /* shape of instructions; NULL: the usual one */
    guint with; /* on tensor cores */
    CmdGpuSweep sweep;
    guint sweep_from;
    guint sweep_to;
    gboolean is_published;
    char **outputs; /* pictures and tables; NULL for none */
    char *json;
    gboolean is_quiet;
} CmdGpuStencilOptions;

/* Reads the command line and the GPU. Fails with G_OPTION_ERROR, as
 * chip_numbers_load_gpu() and chip_numbers_override(), or where a file cannot be
 * written. */
bool cmd_gpu_stencil_options_parse(CmdGpuStencilOptions *self,
                                   int argc,
                                   char **argv,
                                   GError **error);
void cmd_gpu_stencil_options_clear(CmdGpuStencilOptions *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(CmdGpuStencilOptions, cmd_gpu_stencil_options_clear)

/* "fusion" or "radius"; NULL without a sweep. */
const char *cmd_gpu_stencil_options_sweep_name(const CmdGpuStencilOptions *self);
