/* Statistics of samples: quantiles, and rank correlation. */
#pragma once

#include <glib.h>

/* The quantile `q`, 0..1, of the values, interpolated between neighbours. Values that
 * are not finite do not count; NaN if none is finite. */
double trace_quantile(const double *values, gsize count, double q);

/* Spearman's rank correlation of a and b, -1..1; equal values share the mean of their
 * ranks. Pairs with a value that is not finite do not count. NaN for fewer than three
 * pairs, or if all of a or of b are equal. */
double trace_rank_correlation(const double *a, const double *b, gsize count);

/* The distribution of one number over several runs; NaN if no value is finite. */
typedef struct {
    double low; /* 5 % of the values are below */
    double median;
    double high; /* 5 % of the values are above */
    double least;
    double most;
} TraceInterval;

TraceInterval trace_interval(const double *values, gsize count);

/* The effect of one input alone on a number. */
typedef struct {
    guint key; /* which input */
    double least;
    double most;
    double correlation; /* rank correlation; NaN if there is none */
} TraceInfluence;

/* Sorts an array of TraceInfluence by how far the input moves the number, largest
 * first, then by correlation. */
void trace_influences_sort(GArray *influences);
