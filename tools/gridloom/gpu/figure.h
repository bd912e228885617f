/* A figure of the paper on stencils and tensor cores: what the model says, beside what
 * the paper prints, as rows and as a picture. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <json-glib/json-glib.h>

#include "arch/model/stencil/stencil.h"
#include "tools/gridloom/gpu/published.h"

/* Texts are borrowed, and stay as long as the figure. */
typedef struct {
    const char *implementation;
    GpuStencil stencil; /* dimension 0 where the paper does not say which */
    bool has_type;
    const char *condition; /* what else holds; "" for nothing */
    const char *quantity;
    const char *unit;
    double model;       /* NaN: the model has none */
    double published;   /* NaN: the paper prints none */
    const char *source; /* of the published one; "" for none */
} GpuFigureRow;

typedef struct {
    const ArchParams *gpu;
    const GpuPublished *published;
    GArray *rows;        /* of GpuFigureRow */
    GStringChunk *texts; /* that rows borrow */
    GPtrArray *notes;    /* sentences on what the figure shows */
    char *svg;
} GpuFigure;

void gpu_figure_init(GpuFigure *self,
                     const ArchParams *gpu,
                     const GpuPublished *published);
void gpu_figure_clear(GpuFigure *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(GpuFigure, gpu_figure_clear)

/* Fails as gpu_stencil_model(). `clock_hz` as there. */
bool gpu_figure_model(const GpuFigure *self,
                      const char *implementation,
                      const GpuStencil *stencil,
                      double clock_hz,
                      GpuStencilModel *model,
                      GError **error);

/* A row without a published value, to fill in. */
GpuFigureRow gpu_figure_row(const char *implementation,
                            const GpuStencil *stencil,
                            const char *quantity,
                            const char *unit,
                            double model);

void gpu_figure_publish(GpuFigureRow *row, const GpuPublishedRow *published);
void gpu_figure_add(GpuFigure *self, const GpuFigureRow *row);
void gpu_figure_note(GpuFigure *self, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Lines with a header; the caller frees it. */
char *gpu_figure_to_csv(const GpuFigure *self);

/* The same rows; the caller frees it. */
JsonArray *gpu_figure_to_json(const GpuFigure *self);

/* The figures of the paper: each fills in rows, notes and the picture. They fail as
 * gpu_figure_model(). */
bool gpu_figure_speedups(GpuFigure *self, GError **error);    /* 2 */
bool gpu_figure_classes(GpuFigure *self, GError **error);     /* 10 */
bool gpu_figure_roofs(GpuFigure *self, GError **error);       /* 11 */
bool gpu_figure_intensities(GpuFigure *self, GError **error); /* 15 */
bool gpu_figure_rates(GpuFigure *self, GError **error);       /* 16 */
