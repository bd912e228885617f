/* Multiplies and solves with a sparse matrix, as textbooks do. */
#include "workloads/reference/sparse.h"

#include <math.h>
#include <string.h>

void reference_sparse_product(const ReferenceSparse *self, const double *x, double *y)
{
    for (guint r = 0; r < self->rows; r++) {
        double sum = 0;

        for (uint64_t k = self->pointers[r]; k < self->pointers[r + 1]; k++) {
            sum += (double) self->values[k] * x[self->indices[k]];
        }
        y[r] = sum;
    }
}

/* The error of a row's result, in units of its bound. */
static double
row_error(const ReferenceSparse *self, guint r, const double *x, double y, double unit)
{
    double sum = 0;
    double magnitude = 0;

    for (uint64_t k = self->pointers[r]; k < self->pointers[r + 1]; k++) {
        const double product = (double) self->values[k] * x[self->indices[k]];

        sum += product;
        magnitude += fabs(product);
    }
    return fabs(y - sum) / (unit * magnitude + 0x1p-126);
}

double reference_sparse_error(const ReferenceSparse *self,
                              const double *x,
                              const double *y,
                              double unit,
                              double last)
{
    double worst = 0;

    for (guint r = 0; r < self->rows; r++) {
        const double entries = (double) (self->pointers[r + 1] - self->pointers[r]);
        const double error = row_error(self, r, x, y[r], entries * unit + last);

        if (isnan(error)) {
            return HUGE_VAL;
        }
        worst = fmax(worst, error);
    }
    return worst;
}

static double dot(const double *a, const double *b, guint count)
{
    double sum = 0;

    for (guint i = 0; i < count; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* Vectors of the solver, all with `rows` numbers. */
typedef struct {
    double *r;
    double *z;
    double *p;
    double *q;
    double *diagonal;
} Vectors;

static void take_diagonal(const ReferenceSparse *self, double *diagonal)
{
    for (guint r = 0; r < self->rows; r++) {
        diagonal[r] = 0;
        for (uint64_t k = self->pointers[r]; k < self->pointers[r + 1]; k++) {
            diagonal[r] =
                self->indices[k] == r ? (double) self->values[k] : diagonal[r];
        }
    }
}

static void precondition(const Vectors *v, guint rows)
{
    for (guint i = 0; i < rows; i++) {
        v->z[i] = v->r[i] / v->diagonal[i];
    }
}

/* One iteration; the new r z. */
static double
iterate(const ReferenceSparse *self, const Vectors *v, double *x, double delta)
{
    reference_sparse_product(self, v->p, v->q);
    const double alpha = delta / dot(v->p, v->q, self->rows);

    for (guint i = 0; i < self->rows; i++) {
        x[i] += alpha * v->p[i];
        v->r[i] -= alpha * v->q[i];
    }
    precondition(v, self->rows);
    const double after = dot(v->r, v->z, self->rows);

    for (guint i = 0; i < self->rows; i++) {
        v->p[i] = v->z[i] + after / delta * v->p[i];
    }
    return after;
}

guint reference_sparse_pcg(const ReferenceSparse *self,
                           const double *b,
                           guint iterations,
                           double tolerance,
                           double *x,
                           double *norms)
{
    const guint rows = self->rows;
    g_autofree double *room = g_new0(double, (gsize) 5 * rows);
    const Vectors v = {room, room + rows, room + (gsize) 2 * rows,
                       room + (gsize) 3 * rows, room + (gsize) 4 * rows};
    guint done = 0;

    take_diagonal(self, v.diagonal);
    memset(x, 0, rows * sizeof *x);
    memcpy(v.r, b, rows * sizeof *b);
    precondition(&v, rows);
    memcpy(v.p, v.z, rows * sizeof *v.p);
    double delta = dot(v.r, v.z, rows);

    norms[0] = sqrt(dot(v.r, v.r, rows));
    while (done < iterations && !(norms[done] <= tolerance)) {
        delta = iterate(self, &v, x, delta);
        norms[++done] = sqrt(dot(v.r, v.r, rows));
    }
    return done;
}

double
reference_sparse_residual(const ReferenceSparse *self, const double *b, const double *x)
{
    g_autofree double *y = g_new(double, self->rows);
    double sum = 0;

    reference_sparse_product(self, x, y);
    for (guint i = 0; i < self->rows; i++) {
        sum += (b[i] - y[i]) * (b[i] - y[i]);
    }
    return sqrt(sum);
}
