/* References: solvers on columns of cells, in the order of operations of the PEs. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "workloads/reference/columns.h"

/* The problem. The solution is added to x, as if it started at 0. The solver stops
 * before `iterations` at the first residual whose square is at most the square of
 * `tolerance`, both rounded like scalars; a negative tolerance never stops it. */
typedef struct {
    const ReferenceColumns *columns;
    const double *b;
    double tolerance;
    guint iterations;
    double coefficients[REFERENCE_NEIGHBOURS]; /* for bicgstab, rounded; the diagonal is
                                                  1 */
} ReferenceKrylov;

/* Conjugate gradients on the 7-point Laplacian, with 1/6 as preconditioner. `squares`
 * gets the squared norms of the residual, the first before any iteration; it has room
 * for iterations + 1. Returns the number of iterations. */
guint reference_krylov_pcg(const ReferenceKrylov *self, double *x, double *squares);

/* Stabilized biconjugate gradients. */
guint reference_krylov_bicgstab(const ReferenceKrylov *self,
                                double *x,
                                double *squares);

/* The norm of b - A x, which is put into `residual`, in double precision, whatever the
 * arithmetic; A is the Laplacian or given by the coefficients. */
double reference_krylov_residual(const ReferenceKrylov *self,
                                 const double *x,
                                 bool is_laplacian,
                                 double *residual);
