/* Computes with vectors of columns, cell by cell. */
#include "workloads/reference/columns.h"

#include <math.h>

#include "workloads/reference/rounding.h"

static const double diagonal = 6; /* of the Laplacian, unless it has another */

gsize reference_columns_count(const ReferenceColumns *self)
{
    return (gsize) self->columns * self->rows * self->layers;
}

double reference_columns_number(const ReferenceColumns *self, double value)
{
    switch (self->arithmetic) {
    case REFERENCE_SINGLE:
        return (double) (float) value;
    case REFERENCE_MIXED:
        return rounding_half(value);
    case REFERENCE_DOUBLE:
        break;
    }
    return value;
}

double reference_columns_scalar(const ReferenceColumns *self, double value)
{
    return self->arithmetic == REFERENCE_DOUBLE ? value : (double) (float) value;
}

/* sum + a * b, rounded once, as vectors are. */
static double fused(const ReferenceColumns *self, double sum, double a, double b)
{
    return self->arithmetic == REFERENCE_SINGLE
               ? (double) fmaf((float) a, (float) b, (float) sum)
               : reference_columns_number(self, fma(a, b, sum));
}

/* The same as scalars are. */
static double fused_scalar(const ReferenceColumns *self, double sum, double a, double b)
{
    return self->arithmetic == REFERENCE_DOUBLE
               ? fma(a, b, sum)
               : (double) fmaf((float) a, (float) b, (float) sum);
}

/* A column's first cell, and how far away the neighbours in x and y are, in cells; 0
 * for one that is not there. */
typedef struct {
    gsize at;
    gssize strides[4];
} Sides;

static Sides sides_of(const ReferenceColumns *self, guint x, guint y)
{
    const gssize column = self->layers;
    const gssize row = column * self->columns;

    return (Sides){.at = ((gsize) y * self->columns + x) * self->layers,
                   .strides = {
                       x > 0 ? -column : 0,
                       x + 1 < self->columns ? column : 0,
                       y > 0 ? -row : 0,
                       y + 1 < self->rows ? row : 0,
                   }};
}

typedef void (*ColumnFunc)(const ReferenceColumns *self,
                           double *to,
                           const double *from,
                           Sides sides,
                           const double *coefficients);

static void for_each_column(const ReferenceColumns *self,
                            ColumnFunc func,
                            double *to,
                            const double *from,
                            const double *coefficients)
{
    for (guint y = 0; y < self->rows; y++) {
        for (guint x = 0; x < self->columns; x++) {
            const Sides sides = sides_of(self, x, y);

            func(self, to + sides.at, from + sides.at, sides, coefficients);
        }
    }
}

static double below(const double *column, guint z)
{
    return z > 0 ? column[z - 1] : 0;
}

static double above(const ReferenceColumns *self, const double *column, guint z)
{
    return z + 1 < self->layers ? column[z + 1] : 0;
}

static void laplacian_of_column(const ReferenceColumns *self,
                                double *to,
                                const double *from,
                                Sides sides,
                                const double *coefficients)
{
    (void) coefficients;
    for (guint z = 0; z < self->layers; z++) {
        double sum =
            reference_columns_number(self, below(from, z) + above(self, from, z));

        for (guint i = 0; i < G_N_ELEMENTS(sides.strides); i++) {
            if (sides.strides[i] != 0) {
                sum = reference_columns_number(self, sum + from[z + sides.strides[i]]);
            }
        }
        to[z] =
            fused(self, sum, from[z],
                  self->diagonal != NULL ? -self->diagonal[sides.at + z] : -diagonal);
    }
}

void reference_columns_laplacian(const ReferenceColumns *self,
                                 double *to,
                                 const double *from)
{
    for_each_column(self, laplacian_of_column, to, from, NULL);
}

/* sum + a * b, rounded once or, where products are rounded, twice. */
static double with_product(const ReferenceColumns *self, double sum, double a, double b)
{
    return self->is_product_rounded
               ? reference_columns_number(self,
                                          sum + reference_columns_number(self, a * b))
               : fused(self, sum, a, b);
}

static void product_of_column(const ReferenceColumns *self,
                              double *to,
                              const double *from,
                              Sides sides,
                              const double *coefficients)
{
    for (guint z = 0; z < self->layers; z++) {
        double sum = fused(self, from[z], below(from, z), coefficients[0]);

        sum = fused(self, sum, above(self, from, z), coefficients[1]);
        for (guint i = 0; i < G_N_ELEMENTS(sides.strides); i++) {
            if (sides.strides[i] != 0) {
                sum = with_product(self, sum, from[z + sides.strides[i]],
                                   coefficients[2 + i]);
            }
        }
        to[z] = sum;
    }
}

void reference_columns_product(const ReferenceColumns *self,
                               double *to,
                               const double *from,
                               const double coefficients[REFERENCE_NEIGHBOURS])
{
    for_each_column(self, product_of_column, to, from, coefficients);
}

void reference_columns_update(const ReferenceColumns *self,
                              double *to,
                              const double *a,
                              double factor,
                              const double *b)
{
    const double rounded = reference_columns_number(self, factor);

    for (gsize i = 0; i < reference_columns_count(self); i++) {
        to[i] = fused(self, a[i], b[i], rounded);
    }
}

void reference_columns_scale(const ReferenceColumns *self,
                             double *to,
                             double factor,
                             const double *b)
{
    const double rounded = reference_columns_number(self, factor);

    for (gsize i = 0; i < reference_columns_count(self); i++) {
        to[i] = reference_columns_number(self, b[i] * rounded);
    }
}

static double
dot_of_column(const ReferenceColumns *self, const double *a, const double *b)
{
    double sum = 0;

    for (guint z = 0; z < self->layers; z++) {
        sum = fused_scalar(self, sum, a[z], b[z]);
    }
    return sum;
}

double
reference_columns_dot(const ReferenceColumns *self, const double *a, const double *b)
{
    const gsize pes = (gsize) self->columns * self->rows;
    g_autofree double *sums = g_new(double, pes);
    guint root = 0;

    for (gsize i = 0; i < pes; i++) {
        sums[i] = dot_of_column(self, a + i * self->layers, b + i * self->layers);
    }
    for (gsize i = 0; i < self->merge_count; i++) {
        root = self->merges[2 * i];
        sums[root] =
            reference_columns_scalar(self, sums[root] + sums[self->merges[2 * i + 1]]);
    }
    return sums[root];
}
