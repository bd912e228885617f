/* Pictures of tables of runs: one column over another, a series for each value of a
 * third, and two of them against each other with their front. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "traces/table/table.h"

enum {
    TRACE_TABLE_SERIES_MOST = 40, /* that still look different */
    TRACE_TABLE_VALUES_MOST = 12, /* of numbers that have a series each; more are put
                                   * into TRACE_TABLE_RANGES ranges */
    TRACE_TABLE_RANGES = 5,
    TRACE_TABLE_NAMES_MOST = 60, /* on the horizontal axis */
    TRACE_TABLE_LEVELS_MOST = 8,
};

typedef enum {
    TRACE_AXIS_AUTO, /* logarithmic where all are above 0 and the largest is more than
                      * 20 times the smallest, or each is as many times the one before
                      */
    TRACE_AXIS_LINEAR,
    TRACE_AXIS_LOG,
} TraceAxisScale;

/* A line across the picture, named in its legend; as the column has it. */
typedef struct {
    const char *name;
    double y;
} TraceTableLevel;

/* Names are those of columns. */
typedef struct {
    const char *x;
    const char *by; /* NULL: one series */
    const char *y;
    TraceAxisScale x_scale;
    TraceAxisScale y_scale;
    const char *title;  /* NULL: the table's */
    bool has_intervals; /* columns of y with _low and _high at the end are its ends, 5
                         * and 95 % of samples, and drawn as a band */
    TraceTableLevel levels[TRACE_TABLE_LEVELS_MOST];
    guint level_count;
} TraceTablePlot;

typedef enum {
    TRACE_PICTURE_SVG,
    TRACE_PICTURE_TEXT, /* in letters, as trace_plot_to_text() */
} TracePictureForm;

/* Only rows whose status is done, or that have none, are drawn. Several of a series at
 * one x are their median, with a band from the lowest to the highest; where every x of
 * them is another one because more was varied, they are points without a line. Words
 * stand along the axis in the order in which they come. The unit is told by the end of
 * a name (seconds, bytes, joules, watts, cycles, hz); times are in us, ms or s. A line
 * below says what the band covers and how many runs are not there. The caller frees it.
 * Fails with TRACE_ERROR_READ: a column that is missing (what there is is said), or
 * holds no numbers, more series than can be told apart, a number that a logarithmic
 * axis cannot take. */
char *trace_table_plot(const TraceTable *table,
                       const TraceTablePlot *plot,
                       TracePictureForm form,
                       GError **error);

/* All rows with both numbers as points, and their trace_table_pareto() as stairs. Both
 * columns hold numbers. The caller frees it. Fails as trace_table_plot(). */
char *trace_table_plot_front(const TraceTable *table,
                             const TraceGoal goals[2],
                             TracePictureForm form,
                             GError **error);

/* The column of a name that is no status, with numbers where `is_number`. -1, and
 * TRACE_ERROR_READ with what there is, where it is none. */
int trace_table_plot_column(const TraceTable *table,
                            const char *name,
                            bool is_number,
                            GError **error);

/* A goal in words: a column of which less is better; "-rate" or "max:rate" where more
 * is, "min:seconds" says that it is less. Fails as trace_table_plot_column(), with
 * numbers. */
bool trace_goal_read(const char *text,
                     const TraceTable *table,
                     TraceGoal *goal,
                     GError **error);

/* The front in letters: how many runs are on it, and a line for each with what was
 * varied and both numbers. The caller frees it. */
char *trace_table_front_text(const TraceTable *table, const TraceGoal goals[2]);
