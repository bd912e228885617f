/* References: vectors on a 3D grid whose columns of cells lie in the PEs of a wafer,
 * and the operations of solvers on them, rounded where PEs round. */
#pragma once

#include <stdbool.h>

#include <glib.h>

typedef enum {
    REFERENCE_SINGLE, /* IEEE single precision */
    REFERENCE_MIXED,  /* vectors in half precision, sums and scalars in single */
    REFERENCE_DOUBLE,
} ReferenceArithmetic;

enum {
    REFERENCE_NEIGHBOURS = 6, /* of a cell: down, up, west, east, north, south */
};

/* Cell (x, y, z) is number (y * columns + x) * layers + z of a vector. Vectors hold
 * doubles in every arithmetic; their values are rounded. */
typedef struct {
    guint columns;
    guint rows;
    guint layers;
    ReferenceArithmetic arithmetic;
    guint partial_sums; /* partial sums of a dot product in a PE: cell z adds to sum z
                           modulo this */
    const double *diagonal;  /* of the matrix, a vector; NULL: 6 everywhere */
    bool is_product_rounded; /* those of neighbours in x and y, before they are added */
    const guint *merges; /* pairs of PEs: the second's sum is added to the first's; the
                            first of the last pair has the total */
    guint merge_count;
} ReferenceColumns;

gsize reference_columns_count(const ReferenceColumns *self); /* cells */

/* Round to the format of vectors; to that of scalars. */
double reference_columns_number(const ReferenceColumns *self, double value);
double reference_columns_scalar(const ReferenceColumns *self, double value);

/* to = each cell's neighbours, added in order, minus the diagonal times the cell. Every
 * sum is rounded; the last product and sum are rounded once. Missing neighbours in x
 * and y are left out; in z they are 0. */
void reference_columns_laplacian(const ReferenceColumns *self,
                                 double *to,
                                 const double *from);

/* to = each cell and its neighbours times coefficients, added in order, each rounded
 * once with its product, or product and sum apart. */
void reference_columns_product(const ReferenceColumns *self,
                               double *to,
                               const double *from,
                               const double coefficients[REFERENCE_NEIGHBOURS]);

/* to = a + factor * b, rounded once; to = factor * b. The factor is first rounded to
 * the format of vectors. */
void reference_columns_update(const ReferenceColumns *self,
                              double *to,
                              const double *a,
                              double factor,
                              const double *b);
void reference_columns_scale(const ReferenceColumns *self,
                             double *to,
                             double factor,
                             const double *b);

/* The sum of products: fused along each column, then as the merges say. */
double
reference_columns_dot(const ReferenceColumns *self, const double *a, const double *b);
