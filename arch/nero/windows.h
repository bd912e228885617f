/* How a grid is cut into windows, and which PE gets which. */
#pragma once

#include <stdint.h>

#include <glib.h>

#include "arch/nero_design.h"

/* A range of points, the last one not included. */
typedef struct {
    guint begin, end;
} NeroRange;

/* A grid whose points within `border` of a side along x and y stay unchanged. */
typedef struct {
    guint nx, ny, nz;
    guint border;
} NeroGrid;

typedef struct {
    guint x, y, z;        /* its first point in the grid */
    NeroRange xs, ys, zs; /* points that are computed: inside of grid and border */
    guint planes_before;  /* planes within reach that come with it, if the grid has them
                           */
    guint planes_after;
    uint64_t padded_points;
} NeroWindow;

typedef struct {
    NeroGrid grid;
    guint window_x, window_y, window_z; /* points of a window */
    ArchNeroReach reach;                /* of a window beyond its points */
    guint first_column, first_row;      /* windows before these have only border */
    guint column_count, row_count, layer_count;
} NeroWindows;

/* Windows lie side by side from the grid's first point on. Windows that are all border
 * are skipped. */
void nero_windows_init(NeroWindows *self,
                       const NeroGrid *grid,
                       const ArchNeroPlan *plan,
                       const ArchNeroReach *reach);

/* 0 if the border leaves no points. */
uint64_t nero_windows_count(const NeroWindows *self);
/* Columns first, then rows, then layers. */
NeroWindow nero_windows_at(const NeroWindows *self, uint64_t index);
