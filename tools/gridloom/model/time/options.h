/* What `gridloom model time` is asked. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/chipfile/params.h"
#include "arch/model/schedule/schedule.h"
#include "arch/model/tiling/search.h"
#include "tools/gridloom/model/output.h"

typedef enum {
    MODEL_TIME_TILE,     /* how long does this tile take? */
    MODEL_TIME_SEARCH,   /* which tile takes least? */
    MODEL_TIME_SURFACE,  /* time over two sizes of tiles, Figure A.5 */
    MODEL_TIME_CAMPAIGN, /* all experiments of the thesis */
    MODEL_TIME_MEASURED, /* how far is it from what was measured? */
} ModelTimeMode;

typedef struct {
    ModelTimeMode mode;
    ArchParams *gpu;
    char *gpu_name;                  /* as the line has it; NULL: none */
    const GpuTilingStencil *stencil; /* in a campaign NULL: all */
    GpuTileSpace space;              /* but for measured times and campaigns whole */
    GpuTile tile;                    /* of a tile; of a surface t_S1 */
    double point_seconds;            /* --point-seconds; 0: the chip file's */
    double within;                   /* 0.1: 10 % */
    char **overrides;                /* of GPUs that are loaded later */
    char *measured;                  /* file */
    char *schedule;                  /* picture of it; NULL: none */
    bool is_checked;                 /* the schedule is gone through point by point */
    GpuScheduleShape shape;
    ModelOutput output;
} ModelTimeOptions;

/* Takes ModelTimeOptions. */
int model_time_run(gpointer data);
