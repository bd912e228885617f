/* A figure of the paper on stencils and tensor cores: the model's values beside the
 * printed ones, as rows and as a picture. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <json-glib/json-glib.h>

#include "arch/model/stencil/stencil.h"

/* A printed value: a row of traces/figures/gpu.csv. */
typedef struct {
    const char *source;
    const char *implementation;
    GpuStencil stencil; /* dimension 0 if the paper does not say which */
    bool has_type;
    const char *quantity;
    const char *unit;
    double value;
    const char *note;
} CmdGpuPublishedRow;

typedef struct CmdGpuPublished CmdGpuPublished;

/* Fails if the file is missing, or with TRACE_ERROR_READ and the line in the
 * message. */
CmdGpuPublished *cmd_gpu_published_load(GError **error);
void cmd_gpu_published_free(CmdGpuPublished *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(CmdGpuPublished, cmd_gpu_published_free)

guint cmd_gpu_published_count(const CmdGpuPublished *self);
const CmdGpuPublishedRow *cmd_gpu_published_row(const CmdGpuPublished *self, guint row);

/* NULL if the paper prints none. */
const CmdGpuPublishedRow *cmd_gpu_published_find(const CmdGpuPublished *self,
                                                 const char *implementation,
                                                 const GpuStencil *stencil,
                                                 const char *quantity);

/* Texts are borrowed and live as long as the figure; NULL is none. */
typedef struct {
    const char *implementation;
    GpuStencil stencil; /* dimension 0 if the paper does not say which */
    bool has_no_type;
    const char *condition; /* a further condition */
    const char *quantity;
    const char *unit;
    double model;                        /* NaN: the model has no value */
    const CmdGpuPublishedRow *published; /* NULL: the paper prints none */
} CmdGpuFigureRow;

typedef struct {
    const ArchParams *gpu;
    const CmdGpuPublished *published;
    GArray *rows;        /* of CmdGpuFigureRow */
    GStringChunk *texts; /* texts that rows borrow */
    GPtrArray *notes;    /* sentences on what the figure shows */
    char *svg;
} CmdGpuFigure;

void cmd_gpu_figure_init(CmdGpuFigure *self,
                         const ArchParams *gpu,
                         const CmdGpuPublished *published);
void cmd_gpu_figure_clear(CmdGpuFigure *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(CmdGpuFigure, cmd_gpu_figure_clear)

/* Fails as gpu_stencil_model(). `clock_hz` is as there. */
bool cmd_gpu_figure_model(const CmdGpuFigure *self,
                          const char *implementation,
                          const GpuStencil *stencil,
                          double clock_hz,
                          GpuStencilModel *model,
                          GError **error);

void cmd_gpu_figure_add(CmdGpuFigure *self, const CmdGpuFigureRow *row);
void cmd_gpu_figure_note(CmdGpuFigure *self, const char *format, ...)
    G_GNUC_PRINTF(2, 3);

/* A text that lives as long as the figure. */
const char *cmd_gpu_figure_text(CmdGpuFigure *self, const char *format, ...)
    G_GNUC_PRINTF(2, 3);

/* The rows as CSV with a header; the caller frees it. */
char *cmd_gpu_figure_to_csv(const CmdGpuFigure *self);

/* The same rows as JSON; the caller frees it. */
JsonArray *cmd_gpu_figure_to_json(const CmdGpuFigure *self);

/* The figures of the paper: each fills in rows, notes and the picture. They fail as
 * cmd_gpu_figure_model(). */
bool cmd_gpu_figure_speedups(CmdGpuFigure *self, GError **error);    /* 2 */
bool cmd_gpu_figure_classes(CmdGpuFigure *self, GError **error);     /* 10 */
bool cmd_gpu_figure_roofs(CmdGpuFigure *self, GError **error);       /* 11 */
bool cmd_gpu_figure_intensities(CmdGpuFigure *self, GError **error); /* 15 */
bool cmd_gpu_figure_rates(CmdGpuFigure *self, GError **error);       /* 16 */
