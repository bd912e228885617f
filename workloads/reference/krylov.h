/* References: solvers on columns of cells, in the order of operations of the PEs. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "workloads/reference/columns.h"

/* What there is to do. The solution begins at 0 and ends before `iterations` at the
 * first residual whose square is at most the square of `tolerance`, both rounded as
 * scalars are; negative: never. */
typedef struct {
    const ReferenceColumns *columns;
    const double *b;
    double tolerance;
    guint iterations;
    double coefficients[REFERENCE_NEIGHBOURS]; /* of bicgstab, rounded; the diagonal is
                                                  1 */
} ReferenceKrylov;

/* Conjugate gradients on the 7-point Laplacian, with 1/6 as preconditioner. `squares`
 * are those of the residual's norms, the first before any iteration; it has room for
 * iterations + 1. Returns how many iterations were made. */
guint reference_krylov_pcg(const ReferenceKrylov *self, double *x, double *squares);

/* Stabilized biconjugate gradients. */
guint reference_krylov_bicgstab(const ReferenceKrylov *self,
                                double *x,
                                double *squares);

/* The norm of b - A x, in double precision whatever the arithmetic: of the Laplacian,
 * or of the coefficients. */
double reference_krylov_residual(const ReferenceKrylov *self,
                                 const double *x,
                                 bool is_laplacian);
