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
    bool is_published;
    char **outputs; /* pictures and tables; NULL for none */
    char *json;
    bool is_quiet;
} CmdGpuStencilOptions;

/* Takes CmdGpuStencilOptions. */
int cmd_gpu_stencil_run(gpointer data);

/* "fusion" or "radius"; NULL without a sweep. */
const char *cmd_gpu_stencil_options_sweep_name(const CmdGpuStencilOptions *self);
