/* References: the textbook solver, in double precision. */
#pragma once

#include <glib.h>

#include "workloads/reference/grid.h"

/* A x = b, where A is the 7-point Laplacian on the cells of the grid, with the grid's
 * diagonal. Vectors are numbers of a format, laid out as in ReferenceGrid. */
typedef struct {
    const ReferenceGrid *grid;
    NumberFormat format;
    const guint8 *b;
} ReferenceSystem;

/* Conjugate gradients with 1/6 as preconditioner: the solution, worked out from 0, and
 * `start`, unless it is NULL, go to x. The norms of the residual, the first before any
 * iteration, go to `norms`, which has room for iterations + 1; stops at the first that
 * is at most `tolerance`. Returns the number of iterations. */
guint reference_double_pcg(const ReferenceSystem *system,
                           const guint8 *start,
                           guint iterations,
                           double tolerance,
                           guint8 *x,
                           double *norms);

/* The norm of b - A x, which is put into `residual`, unless that is NULL. */
double reference_double_residual(const ReferenceSystem *system,
                                 const guint8 *x,
                                 guint8 *residual);
