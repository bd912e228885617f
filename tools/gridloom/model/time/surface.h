/* Time over two sizes of tiles, as Figure A.5 of the thesis has it. */
#pragma once

#include "tools/gridloom/model/time/options.h"

typedef struct {
    const ModelTimeOptions *options;
    GArray *steps;  /* of double: t_T, the columns */
    GArray *widths; /* of double: t_S2, the rows */
    GArray *cells;  /* of GpuTileChoice, row by row: the best k; k = 0: no such tile */
    guint tiles;
    guint best; /* of the cells */
    guint worst;
} ModelTimeSurface;

/* Fails with ARCH_ERROR_INVALID where no tile of this t_S1 keeps the constraints. */
bool model_time_surface_init(ModelTimeSurface *self,
                             const ModelTimeOptions *options,
                             GError **error);
void model_time_surface_clear(ModelTimeSurface *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(ModelTimeSurface, model_time_surface_clear)

/* The surface as ModelPage wants it. */
JsonObject *model_time_surface_parameters(gconstpointer surface);
JsonObject *model_time_surface_metrics(gconstpointer surface);
char *model_time_surface_csv(gconstpointer surface);
char *model_time_surface_svg(gconstpointer surface);
void model_time_surface_print(gconstpointer surface);
