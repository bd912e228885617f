/* The order in which a tiled program on a GPU visits the points of a stencil: one
 * wavefront after the other, tiles of a wavefront that need nothing of each other, the
 * strips of a tile in order, the steps of a strip in order. After sections A.3.1, A.4
 * and B.4 of the thesis "Analytical Cost Metrics: Days of Future Past". tiling/tiling.h
 * models its time. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/model/tiling/tiling.h"

/* How tiles cut the plane of time and the first dimension of space. Other dimensions
 * are cut into strips that slant against time, whatever the shape. */
typedef enum {
    GPU_SCHEDULE_HYBRID,     /* hexagons of base t_S1 and height t_T (Figure A.2) */
    GPU_SCHEDULE_DIAMOND,    /* the same with a base of 1 */
    GPU_SCHEDULE_SKEWED,     /* parallelograms that lean left in time (Figure B.2) */
    GPU_SCHEDULE_ORTHOGONAL, /* rectangles, of one dimension (Figure B.1) */
    GPU_SCHEDULE_HALO,       /* space alone: each step is a wavefront (B.4.2) */
} GpuScheduleShape;

/* "hybrid"; the finder returns false for an unknown name. */
const char *gpu_schedule_shape_name(GpuScheduleShape shape);
bool gpu_schedule_shape_find(const char *name, GpuScheduleShape *shape);

typedef struct {
    GpuScheduleShape shape;
    GpuTilingForm form; /* of hexagons: printed pitches do not cover the plane */
} GpuScheduleSetting;

typedef struct GpuSchedule GpuSchedule;

enum {
    GPU_SCHEDULE_SIZE_MOST = 1 << 30, /* of a problem and a tile, in any direction */
};

/* The problem's points are steps 0 .. T-1 and places 0 .. S_i-1. Tiles may be larger
 * than the problem. Fails with ARCH_ERROR_INVALID if a size is 0 or too large, t_T is
 * odd (hexagons, diamonds) or not 1 (halo), the base of a diamond is not 1, or the
 * shape does not support the dimension. */
GpuSchedule *gpu_schedule_new(const GpuTilingProblem *problem,
                              const GpuTile *tile,
                              const GpuScheduleSetting *setting,
                              GError **error);
void gpu_schedule_free(GpuSchedule *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(GpuSchedule, gpu_schedule_free)

const GpuTilingProblem *gpu_schedule_problem(const GpuSchedule *self);

/* One kernel call each; near the borders of a small problem some have no tile. */
uint64_t gpu_schedule_wavefronts(const GpuSchedule *self);

/* Tiles that have a point, numbered from 0 in the order of their place. */
uint64_t gpu_schedule_tiles(const GpuSchedule *self, uint64_t wavefront);

/* Rounds of `resident` tiles per multiprocessor, summed over all wavefronts: (A.2) with
 * the actual tiles of each. Visits the wavefronts one by one. */
uint64_t
gpu_schedule_rounds(const GpuSchedule *self, guint resident, guint multiprocessors);

/* The rows of a tile: those of its steps that have points, first .. end - 1. */
typedef struct {
    int64_t start; /* where the whole tile would begin; may be before the problem */
    int64_t first;
    int64_t end;
} GpuScheduleSteps;

GpuScheduleSteps
gpu_schedule_tile_steps(const GpuSchedule *self, uint64_t wavefront, uint64_t tile);

/* In the first dimension, begin .. end - 1, of one of these steps. */
typedef struct {
    int64_t begin;
    int64_t end;
} GpuScheduleRow;

GpuScheduleRow gpu_schedule_tile_row(const GpuSchedule *self,
                                     uint64_t wavefront,
                                     uint64_t tile,
                                     int64_t step);

/* Points that are neighbours in the last dimension, of one step. */
typedef struct {
    uint64_t wavefront;
    uint64_t tile;
    uint64_t strip; /* of the tile; those of a tile are in order */
    uint64_t step;
    uint64_t place[GPU_TILING_DIMENSIONS]; /* of the first point */
    uint64_t count;
} GpuScheduleSpan;

typedef void (*GpuScheduleFunc)(const GpuScheduleSpan *span, gpointer data);

/* All points in order; and those of one tile. */
void gpu_schedule_visit(const GpuSchedule *self, GpuScheduleFunc func, gpointer data);
void gpu_schedule_visit_tile(const GpuSchedule *self,
                             uint64_t wavefront,
                             uint64_t tile,
                             GpuScheduleFunc func,
                             gpointer data);

/* A value that an update needs: from this step (0) or the previous one (-1), and its
 * distance in places, -1 .. 1. */
typedef struct {
    int step;
    int space[GPU_TILING_DIMENSIONS];
} GpuDependence;

enum {
    GPU_DEPENDENCES_MOST = 27,
};

/* All neighbours, and the point itself, one step before: 3^d. Returns how many. */
guint gpu_dependences_box(guint dimension,
                          GpuDependence needs[static GPU_DEPENDENCES_MOST]);

/* The most needs that the shape allows: all neighbours; for rectangles those of
 * Smith-Waterman: the previous place in this step and in the one before, and the point
 * itself. */
guint gpu_schedule_needs(const GpuSchedule *self,
                         GpuDependence needs[static GPU_DEPENDENCES_MOST]);

/* Fails with ARCH_ERROR_INVALID if the shape does not respect the needs. Values of this
 * step must come from earlier places; rectangles allow none from later places;
 * hexagons, diamonds and halos allow none of this step. */
bool gpu_schedule_admits(const GpuSchedule *self,
                         const GpuDependence *needs,
                         guint need_count,
                         GError **error);
