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

/* What the same number says in several runs; NaN where none of them is finite. */
typedef struct {
    double low; /* 5 % of them are below */
    double median;
    double high; /* 5 % are above */
    double least;
    double most;
} TraceInterval;

TraceInterval trace_interval(const double *values, gsize count);

/* What one thing alone does to a number. */
typedef struct {
    guint key; /* which one it is */
    double least;
    double most;
    double correlation; /* rank correlation; NaN where there is none */
} TraceInfluence;

/* Sorts an array of TraceInfluence: those first that move the number most, then by
 * correlation. */
void trace_influences_sort(GArray *influences);
