/* Runs reference solvers in the order of the PEs. */
#include "workloads/reference/krylov.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "workloads/reference/wanted.h"

static const double sixth = 1.0 / 6.0;

static bool is_done(const ReferenceKrylov *self, guint done, double square)
{
    const double limit =
        reference_columns_scalar(self->columns, self->tolerance * self->tolerance);

    return done >= self->iterations || !reference_is_wanted() ||
           (self->tolerance >= 0 && square <= limit);
}

static double quotient(const ReferenceKrylov *self, double a, double b)
{
    return reference_columns_scalar(self->columns, a / b);
}

static double multiple(const ReferenceKrylov *self, double a, double b)
{
    return reference_columns_scalar(self->columns, a * b);
}

/* q is the negative of the matrix's product, so that one factor serves x and r. */
guint reference_krylov_pcg(const ReferenceKrylov *self, double *x, double *squares)
{
    const ReferenceColumns *columns = self->columns;
    const gsize count = reference_columns_count(columns);
    const double share = reference_columns_scalar(columns, sixth);
    g_autofree double *vectors = g_new0(double, 3 * count);
    double *r = vectors;
    double *p = vectors + count;
    double *q = vectors + 2 * count;
    guint done = 0;

    memcpy(r, self->b, count * sizeof *r);
    reference_columns_scale(columns, p, sixth, r);
    squares[0] = reference_columns_dot(columns, r, r);
    while (!is_done(self, done, squares[done])) {
        reference_columns_laplacian(columns, q, p);
        const double curvature = -reference_columns_dot(columns, p, q);
        const double alpha =
            quotient(self, multiple(self, squares[done], share), curvature);

        reference_columns_update(columns, r, r, alpha, q);
        reference_columns_update(columns, x, x, alpha, p);
        squares[done + 1] = reference_columns_dot(columns, r, r);
        const double beta = quotient(self, squares[done + 1], squares[done]);

        reference_columns_scale(columns, q, sixth, r);
        reference_columns_update(columns, p, q, beta, p);
        done++;
    }
    return done;
}

guint reference_krylov_bicgstab(const ReferenceKrylov *self, double *x, double *squares)
{
    const ReferenceColumns *columns = self->columns;
    const gsize count = reference_columns_count(columns);
    g_autofree double *vectors = g_new0(double, 4 * count);
    double *r = vectors; /* and s */
    double *p = vectors + count;
    double *v = vectors + 2 * count;
    double *t = vectors + 3 * count;
    const double *shadow = self->b;
    guint done = 0;
    double rho;

    memcpy(r, self->b, count * sizeof *r);
    memcpy(p, self->b, count * sizeof *p);
    squares[0] = reference_columns_dot(columns, r, r);
    rho = squares[0];
    while (!is_done(self, done, squares[done])) {
        reference_columns_product(columns, v, p, self->coefficients);
        const double alpha =
            quotient(self, rho, reference_columns_dot(columns, shadow, v));

        reference_columns_update(columns, r, r, -alpha, v);
        reference_columns_product(columns, t, r, self->coefficients);
        const double omega = quotient(self, reference_columns_dot(columns, t, r),
                                      reference_columns_dot(columns, t, t));

        reference_columns_update(columns, x, x, alpha, p);
        reference_columns_update(columns, x, x, omega, r);
        reference_columns_update(columns, r, r, -omega, t);
        const double before = rho;

        rho = reference_columns_dot(columns, shadow, r);
        squares[++done] = reference_columns_dot(columns, r, r);
        const double beta =
            multiple(self, quotient(self, rho, before), quotient(self, alpha, omega));

        reference_columns_update(columns, p, p, -omega, v);
        reference_columns_update(columns, p, r, beta, p);
    }
    return done;
}

double reference_krylov_residual(const ReferenceKrylov *self,
                                 const double *x,
                                 bool is_laplacian,
                                 double *residual)
{
    ReferenceColumns columns = *self->columns;
    const gsize count = reference_columns_count(&columns);
    double sum = 0;

    columns.arithmetic = REFERENCE_DOUBLE;
    if (is_laplacian) {
        reference_columns_laplacian(&columns, residual, x);
        reference_columns_scale(&columns, residual, -1, residual);
    } else {
        reference_columns_product(&columns, residual, x, self->coefficients);
    }
    for (gsize i = 0; i < count; i++) {
        residual[i] = self->b[i] - residual[i];
        sum += residual[i] * residual[i];
    }
    return sqrt(sum);
}
