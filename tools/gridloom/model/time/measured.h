/* Measured times of tiles beside those of the model. */
#pragma once

#include "arch/model/tiling/errors.h"
#include "tools/gridloom/model/time/options.h"

/* A stencil of a size on a GPU. */
typedef struct {
    char *name; /* "gtx980 gradient2d 8192x8192 8192" */
    GpuTileSpace space;
} ModelTimeBench;

typedef struct {
    const ModelTimeOptions *options;
    GArray *tiles;      /* of GpuTile, a row of the file each */
    GArray *samples;    /* of GpuTilingSample, likewise */
    GArray *benches;    /* of ModelTimeBench: the experiments of samples */
    GHashTable *gpus;   /* ArchParams by name */
    GHashTable *places; /* of benches, from 1 on, by name */
    GpuTilingErrors errors;
} ModelTimeMeasured;

/* Reads the file. Fails with its name and the line in the message. */
bool model_time_measured_init(ModelTimeMeasured *self,
                              const ModelTimeOptions *options,
                              GError **error);
void model_time_measured_clear(ModelTimeMeasured *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(ModelTimeMeasured, model_time_measured_clear)

/* The comparison as ModelPage wants it. */
JsonObject *model_time_measured_parameters(gconstpointer measured);
JsonObject *model_time_measured_metrics(gconstpointer measured);
char *model_time_measured_csv(gconstpointer measured);
char *model_time_measured_svg(gconstpointer measured);
void model_time_measured_print(gconstpointer measured);
