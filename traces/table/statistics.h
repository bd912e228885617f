/* Statistics of samples: quantiles, and rank correlation. */
#pragma once

#include <glib.h>

/* The number below which a part `q`, 0..1, of the values lies, between two of them in
 * proportion. Values that are not finite do not count; NaN where none does. */
double trace_quantile(const double *values, gsize count, double q);

/* Spearman's: by how much a rises with b by rank, -1..1; equal values share the mean of
 * their ranks. Pairs in which one is not finite do not count. NaN where fewer than
 * three do, or all of a or of b are equal. */
double trace_rank_correlation(const double *a, const double *b, gsize count);
