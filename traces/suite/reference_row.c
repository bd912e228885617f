/* Judges a row against its tolerance. */
#include <math.h>

#include "traces/suite/reference.h"

const char *trace_reference_kind_name(TraceReferenceKind kind)
{
    static const char *const kinds[] = {[TRACE_REFERENCE_CALIBRATED] = "calibrated",
                                        [TRACE_REFERENCE_PREDICTED] = "predicted",
                                        [TRACE_REFERENCE_READ_BACK] = "read_back",
                                        [TRACE_REFERENCE_DERIVED] = "derived",
                                        [TRACE_REFERENCE_CONTEXT] = "context"};

    return kinds[kind];
}

bool trace_reference_is_mean(const TraceReferenceRow *row)
{
    return row->combine == TRACE_REFERENCE_MEAN_ERROR ||
           row->combine == TRACE_REFERENCE_MEDIAN_ERROR;
}

bool trace_reference_is_member(const TraceReferenceRow *mean,
                               const TraceReferenceRow *member)
{
    return trace_reference_is_mean(mean) && !trace_reference_is_mean(member) &&
           member->is_judged && *member->skip == '\0' &&
           g_str_equal(mean->group, member->group) &&
           g_str_equal(mean->quantity, member->quantity);
}

static int compare_sizes(gconstpointer a, gconstpointer b)
{
    const double *first = a;
    const double *second = b;

    return (fabs(*first) > fabs(*second)) - (fabs(*first) < fabs(*second));
}

static double median_size(double *errors, gsize count)
{
    qsort(errors, count, sizeof(*errors), compare_sizes);
    return (fabs(errors[(count - 1) / 2]) + fabs(errors[count / 2])) / 2;
}

static double mean_size(const double *errors, gsize count)
{
    double sum = 0;

    for (gsize i = 0; i < count; i++) {
        sum += fabs(errors[i]);
    }
    return sum / (double) count;
}

double
trace_reference_mean(const TraceReferenceRow *mean, double *errors, gsize error_count)
{
    if (error_count == 0) {
        return NAN;
    }
    return mean->combine == TRACE_REFERENCE_MEDIAN_ERROR
               ? median_size(errors, error_count)
               : mean_size(errors, error_count);
}

double
trace_reference_simulated(const TraceReferenceRow *row, double value, double base)
{
    switch (row->combine) {
    case TRACE_REFERENCE_VALUE:
    case TRACE_REFERENCE_MEAN_ERROR:
    case TRACE_REFERENCE_MEDIAN_ERROR:
        return value * row->scale;
    case TRACE_REFERENCE_RATIO:
        return base == 0 ? NAN : value / base * row->scale;
    case TRACE_REFERENCE_GAIN:
        return value == 0 ? NAN : 100 * (base / value - 1);
    }
    return NAN;
}

double trace_reference_error(const TraceReferenceRow *row, double simulated)
{
    if (!row->is_relative) {
        return simulated - row->published;
    }
    return row->published == 0 ? NAN : 100 * (simulated / row->published - 1);
}

bool trace_reference_is_within(const TraceReferenceRow *row, double error)
{
    return row->is_judged && fabs(error) <= row->tolerance;
}
