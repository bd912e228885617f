/* References: products with a sparse matrix and conjugate gradients, in double
 * precision. */
#pragma once

#include <stdint.h>

#include <glib.h>

/* Row r has the entries from pointers[r] to before pointers[r + 1]: columns in order,
 * each once, and values. */
typedef struct {
    guint rows;
    guint columns;
    const uint64_t *pointers;
    const uint32_t *indices;
    const float *values;
} ReferenceSparse;

/* y = A x */
void reference_sparse_product(const ReferenceSparse *self, const double *x, double *y);

/* The largest error of `y` against A x, in units of the rounding bound of its row:
 * (entries * unit + last) * (|A| |x|), plus the smallest normal single. Infinite if a
 * number is a NaN. */
double reference_sparse_error(const ReferenceSparse *self,
                              const double *x,
                              const double *y,
                              double unit,
                              double last);

/* Conjugate gradients with the diagonal as preconditioner: solves A x = b from x = 0.
 * The norms of the residual, the first before any iteration, go to `norms`, which has
 * room for iterations + 1; stops at the first that is at most `tolerance`. Returns the
 * number of iterations. */
guint reference_sparse_pcg(const ReferenceSparse *self,
                           const double *b,
                           guint iterations,
                           double tolerance,
                           double *x,
                           double *norms);

/* The norm of b - A x. */
double reference_sparse_residual(const ReferenceSparse *self,
                                 const double *b,
                                 const double *x);
