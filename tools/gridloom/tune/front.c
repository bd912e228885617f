/* Fronts, choices and distances. */
#include "tools/gridloom/tune/front.h"

#include <math.h>

#include "traces/table/table.h"

#define PERCENT 100.0

void tune_point_clear(gpointer data)
{
    TunePoint *self = data;

    g_free(self->name);
    g_free(self->why);
}

const TunePoint *tune_point(const GArray *points, guint index)
{
    return &g_array_index(points, TunePoint, index);
}

GArray *tune_front_new(const GArray *points, const TuneGoal goals[2])
{
    g_autoptr(TraceTable) table = trace_table_new("");
    TraceGoal columns[2];

    for (guint i = 0; i < 2; i++) {
        columns[i] = (TraceGoal){
            .column = trace_table_add_column(table, goals[i].name, TRACE_COLUMN_METRIC),
            .is_maximum = goals[i].is_maximum};
    }
    for (guint i = 0; i < points->len; i++) {
        const TunePoint *point = tune_point(points, i);
        char texts[2][G_ASCII_DTOSTR_BUF_SIZE];
        const char *cells[2] = {NULL, NULL};

        for (guint k = 0; k < 2; k++) {
            if (point->is_candidate && point->status == TUNE_RAN) {
                cells[k] = g_ascii_dtostr(texts[k], sizeof texts[k], point->values[k]);
            }
        }
        trace_table_add_row(table, cells);
    }
    return trace_table_pareto(table, columns);
}

int tune_front_choose(const GArray *points,
                      const GArray *front,
                      const TuneGoal goals[2],
                      double within_percent)
{
    int chosen = -1;
    double bound;

    if (front->len == 0) {
        return -1;
    }
    bound = tune_point(points, g_array_index(front, guint, 0))->values[0];
    bound += (goals[0].is_maximum ? -1 : 1) * fabs(bound) * within_percent / PERCENT;
    for (guint i = 0; i < front->len; i++) {
        const guint index = g_array_index(front, guint, i);
        const double *values = tune_point(points, index)->values;

        if (!tune_goal_is_better(&goals[0], bound, values[0]) &&
            (chosen < 0 ||
             tune_goal_is_better(&goals[1], values[1],
                                 tune_point(points, (guint) chosen)->values[1]))) {
            chosen = (int) index;
        }
    }
    return chosen;
}

/* As good in both, and better in one. */
static bool beats(const TuneGoal goals[2], const double *a, const double *b)
{
    return !tune_goal_is_better(&goals[0], b[0], a[0]) &&
           !tune_goal_is_better(&goals[1], b[1], a[1]) &&
           (tune_goal_is_better(&goals[0], a[0], b[0]) ||
            tune_goal_is_better(&goals[1], a[1], b[1]));
}

/* How many times better a point had to be than it is, by a measure of two ratios, for
 * no window of the front to beat it. */
static double lacking(const GArray *points,
                      const GArray *front,
                      const TuneGoal goals[2],
                      const TunePoint *point,
                      double (*measure)(double first, double second))
{
    double times = 1;

    if (point->status != TUNE_RAN) {
        return NAN;
    }
    for (guint i = 0; i < front->len; i++) {
        const double *values =
            tune_point(points, g_array_index(front, guint, i))->values;
        const double first = tune_goal_times(&goals[0], values[0], point->values[0]);
        const double second = tune_goal_times(&goals[1], values[1], point->values[1]);

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

double tune_front_distance(const GArray *points,
                           const GArray *front,
                           const TuneGoal goals[2],
                           const TunePoint *point)
{
    return lacking(points, front, goals, point, fmin);
}

double tune_front_distance_alone(const GArray *points,
                                 const GArray *front,
                                 const TuneGoal goals[2],
                                 const TunePoint *point,
                                 guint goal)
{
    return lacking(points, front, goals, point, goal == 0 ? only_first : only_second);
}

guint tune_front_beaten_by(const GArray *points,
                           const TuneGoal goals[2],
                           const TunePoint *point)
{
    guint count = 0;

    for (guint i = 0; i < points->len; i++) {
        const TunePoint *other = tune_point(points, i);

        count += other->is_candidate && other->status == TUNE_RAN &&
                 beats(goals, other->values, point->values);
    }
    return count;
}
