/* Sums over columns of cells: each term is a column times a number. Several terms are
 * added in one pass; the order in which a cell's are added is that of the list. */
#pragma once

#include <glib.h>

/* Adds coefficient * cell number at + z of a level to the sum's element z, where first
 * <= z < end. */
typedef struct {
    gssize at;
    double coefficient;
    guint first;
    guint end;
} ReferenceTerm;

/* In single precision, each product rounded. */
void reference_terms_rounded(float *sum,
                             const float *level,
                             const ReferenceTerm *terms,
                             guint count);
/* The same, each term rounded once. */
void reference_terms_fused(float *sum,
                           const float *level,
                           const ReferenceTerm *terms,
                           guint count);

/* In double precision, of levels in single and in double precision. */
void reference_terms_of_floats(double *sum,
                               const float *level,
                               const ReferenceTerm *terms,
                               guint count);
void reference_terms_of_doubles(double *sum,
                                const double *level,
                                const ReferenceTerm *terms,
                                guint count);
