/* gridloom model time: its options, its modes, and what its pages share. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <json-glib/json-glib.h>

#include "arch/chipfile/params.h"
#include "arch/model/schedule/schedule.h"
#include "arch/model/tiling/search.h"
#include "tools/gridloom/model/output.h"
#include "workloads/chip_file.h"

typedef enum {
    MODEL_TIME_TILE,     /* how long does this tile take? */
    MODEL_TIME_SEARCH,   /* which tile takes least? */
    MODEL_TIME_SURFACE,  /* time over two sizes of tiles, Figure A.5 */
    MODEL_TIME_CAMPAIGN, /* all experiments of the thesis */
    MODEL_TIME_SHAPES,   /* the same problem in tiles of every shape */
    MODEL_TIME_MEASURED, /* how far is the model from measured times? */
} ModelTimeMode;

typedef struct {
    ModelTimeMode mode;
    ArchParams *gpu;
    char *gpu_name;                  /* as on the command line; NULL: none */
    const GpuTilingStencil *stencil; /* NULL in a campaign: all */
    GpuTileSpace space;   /* whole, except for measured times and campaigns */
    GpuTile tile;         /* for a tile; for a surface only t_S1 */
    double point_seconds; /* --point-seconds; 0: the chip file's */
    double within;        /* 0.1: 10 % */
    char **overrides;     /* for GPUs that are loaded later */
    char *measured;       /* file */
    char *schedule;       /* file for its picture; NULL: none */
    bool is_checked;      /* the schedule is checked point by point */
    GpuScheduleShape shape;
    ModelOutput output;
} ModelTimeOptions;

/* Each runs the model and writes its answer; returns the exit code. `start` is
 * g_get_monotonic_time() when the command began. */
int model_time_tiles(const ModelTimeOptions *options, gint64 start);
int model_time_surface(const ModelTimeOptions *options, gint64 start);
int model_time_campaign(const ModelTimeOptions *options, gint64 start);
int model_time_shapes(const ModelTimeOptions *options, gint64 start);
int model_time_measured(const ModelTimeOptions *options, gint64 start);

/* "16x64, 34 steps, k 2"; the caller frees it. */
char *model_time_tile_name(const GpuTile *tile, guint dimension);

/* "corrected" or "as printed". */
const char *model_time_form_name(GpuTilingForm form);

/* space, steps and resident. */
JsonObject *model_time_tile_json(const GpuTile *tile, guint dimension);

/* A RecordFunc: the same for a GpuTileChoice, with seconds; the context is the
 * dimension, a guint. */
JsonObject *model_time_choice_json(gconstpointer choice, gconstpointer dimension);

/* The options as a result's parameters, without the tile. */
JsonObject *model_time_asked_json(const ModelTimeOptions *options);

/* Prints the head of a page: GPU, machine and stencil. */
void model_time_print_head(const ModelTimeOptions *options);

/* Reads GPUs and stencils as a command line or a file names them. */

/* The least seconds of a point: keeps times finite and above 0. */
#define MODEL_TIME_LEAST 1e-18

/* Loads the GPU that `name` means and applies the changes of --set; the caller frees
 * it. Fails as wl_chip_load_gpu() and wl_chip_override(). */
ArchParams *model_time_gpu(const char *name, char **overrides, GError **error);

/* Sets the members that depend on the GPU and the stencil: machine, dimension and
 * C_iter, which is `point_seconds` unless that is 0. Fails with
 * ARCH_ERROR_UNDOCUMENTED. */
bool model_time_space_of(GpuTileSpace *space,
                         const ArchParams *gpu,
                         const GpuTilingStencil *stencil,
                         double point_seconds,
                         GError **error);
