/* Pictures of tables of runs: one column over another, with a series for each value of
 * a third; and two columns against each other with their Pareto front. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "traces/table/table.h"

enum {
    TRACE_TABLE_SERIES_MOST = 40, /* more would look alike */
    TRACE_TABLE_VALUES_MOST = 12, /* numbers with a series each; more are put into
                                     TRACE_TABLE_RANGES ranges */
    TRACE_TABLE_RANGES = 5,
    TRACE_TABLE_NAMES_MOST = 60, /* on the horizontal axis */
    TRACE_TABLE_LEVELS_MOST = 8,
};

typedef enum {
    TRACE_AXIS_AUTO, /* logarithmic if all numbers are above 0 and the largest is more
                        than 20 times the smallest, or if they grow by a constant factor
                      */
    TRACE_AXIS_LINEAR,
    TRACE_AXIS_LOG,
} TraceAxisScale;

/* A line across the picture, named in its legend; y is in the unit of the column. */
typedef struct {
    const char *name;
    double y;
} TraceTableLevel;

/* x, by and y are column names. */
typedef struct {
    const char *x;
    const char *by; /* NULL: one series */
    const char *y;
    TraceAxisScale x_scale;
    TraceAxisScale y_scale;
    const char *title;  /* NULL: the table's */
    bool has_intervals; /* the columns of y that end in _low and _high hold the 5 % and
                           95 % quantiles of samples, drawn as a band */
    TraceTableLevel levels[TRACE_TABLE_LEVELS_MOST];
    guint level_count;
} TraceTablePlot;

typedef enum {
    TRACE_PICTURE_SVG,
    TRACE_PICTURE_TEXT, /* in characters, by trace_plot_to_text() */
} TracePictureForm;

/* Draws the rows whose status is done or absent. Several rows of a series at one x
 * become their median, with a band from the lowest to the highest; if every row has its
 * own x because something else was varied, they are points without a line. Words stand
 * along the axis in order of appearance. The end of a column's name tells its unit
 * (seconds, bytes, joules, watts, cycles, hz); times are in us, ms or s. A line below
 * says what the band covers and how many runs are missing. The caller frees the
 * picture. Fails with TRACE_ERROR_READ if a column is missing (the message lists those
 * there are) or holds no numbers, if there are too many series to tell apart, or if a
 * logarithmic axis cannot show a number. */
char *trace_table_plot(const TraceTable *table,
                       const TraceTablePlot *plot,
                       TracePictureForm form,
                       GError **error);

/* Draws all rows with both numbers as points, and their trace_table_pareto() as
 * stairs. Both columns hold numbers. The caller frees the picture. Fails as
 * trace_table_plot(). */
char *trace_table_plot_front(const TraceTable *table,
                             const TraceGoal goals[2],
                             TracePictureForm form,
                             GError **error);

/* The index of a column that is not a status and, if `is_number`, holds numbers.
 * Otherwise -1, and TRACE_ERROR_READ with a list of the columns. */
int trace_table_plot_column(const TraceTable *table,
                            const char *name,
                            bool is_number,
                            GError **error);

/* Reads a goal: "seconds" or "min:seconds" if less is better, "-rate" or "max:rate" if
 * more is. Fails as trace_table_plot_column() for numbers. */
bool trace_goal_read(const char *text,
                     const TraceTable *table,
                     TraceGoal *goal,
                     GError **error);

/* The front as text: how many runs are on it, and for each a line with the varied
 * parameters and both numbers. The caller frees it. */
char *trace_table_front_text(const TraceTable *table, const TraceGoal goals[2]);
