/* References: the textbook solver, in double precision. */
#pragma once

#include <glib.h>

#include "workloads/reference/grid.h"

/* Conjugate gradients with 1/6 as preconditioner: adds to x the solution of A x = b,
 * worked out from 0, where A is the 7-point Laplacian on the cells of the grid, with
 * the grid's diagonal. Vectors are laid out as in ReferenceGrid. The norms of the
 * residual, the first before any iteration, go to `norms`, which has room for
 * iterations + 1; stops at the first that is at most `tolerance`. Returns the number of
 * iterations. */
guint reference_double_pcg(const ReferenceGrid *grid,
                           guint iterations,
                           double tolerance,
                           const double *b,
                           double *x,
                           double *norms);

/* The norm of b - A x, which is put into `residual`. */
double reference_double_residual(const ReferenceGrid *grid,
                                 const double *b,
                                 const double *x,
                                 double *residual);
