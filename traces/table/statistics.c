/* Sorts numbers and compares their ranks. */
#include "traces/table/statistics.h"

#include <math.h>
#include <stdlib.h>

#include "sim/compare.h"

#define PART_BELOW 0.05
#define PART_ABOVE 0.95

enum {
    PAIRS_LEAST = 3,
};

double trace_quantile(const double *values, gsize count, double q)
{
    g_autofree double *sorted = g_new(double, count + 1);
    gsize known = 0;

    for (gsize i = 0; i < count; i++) {
        if (isfinite(values[i])) {
            sorted[known++] = values[i];
        }
    }
    if (known == 0) {
        return NAN;
    }
    qsort(sorted, known, sizeof *sorted, sim_compare_doubles);

    const double place = q * (double) (known - 1);
    const gsize below = MIN((gsize) place, known - 1);
    const gsize above = MIN(below + 1, known - 1);

    return sorted[below] + (sorted[above] - sorted[below]) * (place - (double) below);
}

/* The rank of each value among all of them, equal ones at the mean of theirs. */
static void find_ranks(const double *values, gsize count, double *ranks)
{
    for (gsize i = 0; i < count; i++) {
        gsize less = 0;
        gsize equal = 0;

        for (gsize k = 0; k < count; k++) {
            less += values[k] < values[i] ? 1 : 0;
            equal += values[k] == values[i] ? 1 : 0;
        }
        ranks[i] = (double) less + (double) (equal - 1) / 2;
    }
}

static double correlation(const double *a, const double *b, gsize count)
{
    const double mean = (double) (count - 1) / 2; /* of ranks, with equal ones too */
    double both = 0;
    double of_a = 0;
    double of_b = 0;

    for (gsize i = 0; i < count; i++) {
        both += (a[i] - mean) * (b[i] - mean);
        of_a += (a[i] - mean) * (a[i] - mean);
        of_b += (b[i] - mean) * (b[i] - mean);
    }
    return of_a > 0 && of_b > 0 ? both / sqrt(of_a * of_b) : NAN;
}

double trace_rank_correlation(const double *a, const double *b, gsize count)
{
    g_autofree double *pairs = g_new(double, 4 * count + 1);
    double *known_a = pairs;
    double *known_b = pairs + count;
    double *ranks_a = pairs + 2 * count;
    double *ranks_b = pairs + 3 * count;
    gsize known = 0;

    for (gsize i = 0; i < count; i++) {
        if (isfinite(a[i]) && isfinite(b[i])) {
            known_a[known] = a[i];
            known_b[known] = b[i];
            known++;
        }
    }
    if (known < PAIRS_LEAST) {
        return NAN;
    }
    find_ranks(known_a, known, ranks_a);
    find_ranks(known_b, known, ranks_b);
    return correlation(ranks_a, ranks_b, known);
}

TraceInterval trace_interval(const double *values, gsize count)
{
    return (TraceInterval){
        .low = trace_quantile(values, count, PART_BELOW),
        .median = trace_quantile(values, count, 0.5),
        .high = trace_quantile(values, count, PART_ABOVE),
        .least = trace_quantile(values, count, 0),
        .most = trace_quantile(values, count, 1),
    };
}

static int compare_influences(gconstpointer a, gconstpointer b)
{
    const TraceInfluence *one = a;
    const TraceInfluence *two = b;
    const double spread = (two->most - two->least) - (one->most - one->least);
    const double rise = (isnan(two->correlation) ? 0 : fabs(two->correlation)) -
                        (isnan(one->correlation) ? 0 : fabs(one->correlation));

    if (spread != 0) {
        return spread > 0 ? 1 : -1;
    }
    if (rise != 0) {
        return rise > 0 ? 1 : -1;
    }
    return (one->key > two->key) - (one->key < two->key);
}

void trace_influences_sort(GArray *influences)
{
    g_array_sort(influences, compare_influences);
}
