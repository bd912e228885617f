/* Fronts, choices and distances. */
#include <math.h>

#include "sim/narrow.h"
#include "workloads/tune/search.h"

#define PERCENT 100.0

static const WlTunePoint *point_at(const GArray *points, guint index)
{
    return &g_array_index(points, WlTunePoint, index);
}

static bool is_better(const WlTuneGoal *self, double a, double b)
{
    return self->is_maximum ? a > b : a < b;
}

/* How many times better `a` is than `b`; NaN where one of them is not above 0. */
static double times_better(const WlTuneGoal *self, double a, double b)
{
    if (!(a > 0) || !(b > 0)) {
        return NAN;
    }
    return self->is_maximum ? a / b : b / a;
}

/* As good in both, and better in one. */
static bool beats(const WlTuneGoal goals[2], const double *a, const double *b)
{
    return !is_better(&goals[0], b[0], a[0]) && !is_better(&goals[1], b[1], a[1]) &&
           (is_better(&goals[0], a[0], b[0]) || is_better(&goals[1], a[1], b[1]));
}

typedef struct {
    guint index;
    double costs[2];
} Cost;

static int compare_costs(gconstpointer a, gconstpointer b)
{
    const Cost *one = a;
    const Cost *two = b;

    for (guint i = 0; i < 2; i++) {
        if (one->costs[i] != two->costs[i]) {
            return one->costs[i] < two->costs[i] ? -1 : 1;
        }
    }
    return (one->index > two->index) - (one->index < two->index);
}

GArray *wl_tune_front_new(const GArray *points, const WlTuneGoal goals[2])
{
    g_autoptr(GArray) costs = g_array_new(FALSE, FALSE, sizeof(Cost));
    GArray *front = g_array_new(FALSE, FALSE, sizeof(guint));
    const Cost *last = NULL;

    for (guint i = 0; i < points->len; i++) {
        const WlTunePoint *point = point_at(points, i);
        Cost cost = {.index = i};

        for (guint k = 0; k < 2; k++) {
            cost.costs[k] = (goals[k].is_maximum ? -1 : 1) * point->values[k];
        }
        if (point->is_candidate && point->status == WL_TUNE_RAN) {
            g_array_append_val(costs, cost);
        }
    }
    g_array_sort(costs, compare_costs);
    for (guint i = 0; i < costs->len; i++) {
        const Cost *cost = &g_array_index(costs, Cost, i);

        /* Equal points are all on the front. */
        if (last == NULL || cost->costs[1] < last->costs[1] ||
            (cost->costs[1] == last->costs[1] && cost->costs[0] == last->costs[0])) {
            g_array_append_val(front, cost->index);
            last = cost;
        }
    }
    return front;
}

int wl_tune_front_choose(const GArray *points,
                         const GArray *front,
                         const WlTuneGoal goals[2],
                         double within_percent)
{
    int chosen = -1;
    double bound;

    if (front->len == 0) {
        return -1;
    }
    bound = point_at(points, g_array_index(front, guint, 0))->values[0];
    bound += (goals[0].is_maximum ? -1 : 1) * fabs(bound) * within_percent / PERCENT;
    for (guint i = 0; i < front->len; i++) {
        const guint index = g_array_index(front, guint, i);
        const double *values = point_at(points, index)->values;

        if (!is_better(&goals[0], bound, values[0]) &&
            (chosen < 0 || is_better(&goals[1], values[1],
                                     point_at(points, sim_u32(chosen))->values[1]))) {
            chosen = sim_i32(index);
        }
    }
    return chosen;
}

/* The most of what a measure of two ratios says of the windows of the front that beat a
 * point: how many percent better it had to be than it is. */
static double lacking(const GArray *points,
                      const GArray *front,
                      const WlTuneGoal goals[2],
                      const WlTunePoint *point,
                      double (*measure)(double first, double second))
{
    double times = 1;

    if (point->status != WL_TUNE_RAN) {
        return NAN;
    }
    for (guint i = 0; i < front->len; i++) {
        const double *values = point_at(points, g_array_index(front, guint, i))->values;
        const double first = times_better(&goals[0], values[0], point->values[0]);
        const double second = times_better(&goals[1], values[1], point->values[1]);

        if (!beats(goals, values, point->values)) {
            continue;
        }
        if (isnan(first) || isnan(second)) {
            return NAN;
        }
        times = fmax(times, measure(first, second));
    }
    return (times - 1) * PERCENT;
}

static double only_first(double first, double second)
{
    (void) second;
    return first;
}

static double only_second(double first, double second)
{
    (void) first;
    return second;
}

WlTunePlace wl_tune_front_place(const GArray *points,
                                const GArray *front,
                                const WlTuneGoal goals[2],
                                const WlTunePoint *point)
{
    WlTunePlace place = {
        .percent = lacking(points, front, goals, point, fmin),
        .percent_alone = {lacking(points, front, goals, point, only_first),
                          lacking(points, front, goals, point, only_second)}};

    for (guint i = 0; i < points->len && point->status == WL_TUNE_RAN; i++) {
        const WlTunePoint *other = point_at(points, i);

        place.beaten_by += other->is_candidate && other->status == WL_TUNE_RAN &&
                           beats(goals, other->values, point->values);
    }
    return place;
}
