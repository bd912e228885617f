/* The outcome of a run: times, checks, and the script's reports. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>
#include <json-glib/json-glib.h>

#include "sim/time.h"

/* A plot that a script reports: series of points, and the names of its axes. */

typedef enum {
    WL_PLOT_BOTH, /* a line with marks */
    WL_PLOT_LINE,
    WL_PLOT_POINTS,
    WL_PLOT_CELLS, /* marks on coloured cells of a grid */
} WlPlotStyle;

typedef struct {
    double x;
    double y;
} WlPlotPoint;

typedef struct {
    char *name; /* NULL for none */
    WlPlotStyle style;
    GArray *points; /* of WlPlotPoint */
} WlPlotSeries;

typedef struct {
    char *name;
    char *title;
    char *x;
    char *y;
    bool is_log_x;
    bool is_log_y;
    GPtrArray *series; /* of WlPlotSeries */
} WlPlot;

/* Empty: texts are NULL. */
WlPlot *wl_plot_new(void);
void wl_plot_free(WlPlot *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WlPlot, wl_plot_free)

/* Borrowed; the caller fills in its points. `name` is copied, or NULL. */
WlPlotSeries *wl_plot_add_series(WlPlot *self, const char *name, WlPlotStyle style);

typedef enum {
    WL_CHECK_SKIPPED,
    WL_CHECK_PASS,
    WL_CHECK_FAIL,
} WlCheckStatus;

/* A table for people and for CSV files. */
typedef struct {
    char *name;
    GPtrArray *columns; /* of char * */
    GPtrArray *rows;    /* of GPtrArray of char *, each as long as `columns` */
} WlTable;

/* A limit to compare the run with. */
typedef struct {
    char *name;
    char *unit;
    double value;
    double achieved; /* by the run, in the same unit; NaN: unknown */
    char *source;
} WlRoof;

/* An array for the file that the user named for an output. */
typedef struct {
    char *name;
    GBytes *file; /* all bytes of an .npy file */
} WlSavedArray;

typedef struct {
    /* The measured region. */
    SimTime cycles;
    double seconds;
    uint64_t iterations;
    /* The whole run, split by what the host program waited for. */
    double host_seconds;
    double transfer_seconds;
    double launch_seconds;
    double device_seconds;
    double measured_launch_seconds; /* the part of launch_seconds in the region */
    SimTime measured_end;   /* cycle of the first chip at which the region ended */
    const char *parts;      /* "cores", "PEs"; NULL: the chip has none */
    uint64_t parts_used;    /* of all chips */
    uint64_t parts_there;   /* of all chips; 0: as many as a design says */
    JsonObject *parameters; /* their values in effect, as far as known */
    guint chips_at_work;    /* whose cores or PEs ran programs */
    WlCheckStatus check;
    double max_abs_error;
    double tolerance;
    char *reference;     /* what the results were compared with, or why they were not */
    JsonObject *metrics; /* the script's metrics, by name */
    JsonObject *zones;   /* by name, seconds */
    JsonObject *busy;    /* by part, fraction of the device's time */
    JsonObject *stalls;  /* by reason, cycles */
    double energy_joules;     /* of the measured region; NaN if not modelled */
    double energy_low_joules; /* as the ranges of the chip file say; NaN: no range */
    double energy_high_joules;
    GPtrArray *tables;      /* of WlTable */
    GPtrArray *plots;       /* of WlPlot */
    GPtrArray *roofs;       /* of WlRoof */
    JsonObject *work;       /* for the trace: see `work` in traces/doc/traces.md; NULL:
                             * of no chip, or of several */
    GPtrArray *arrays;      /* of WlSavedArray */
    GPtrArray *races;       /* of char *: one for each pair of places that race */
    const char *race_scope; /* what was looked at for races; NULL: nobody asked */
} WlOutcome;

WlOutcome *wl_outcome_new(void);
void wl_outcome_free(WlOutcome *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WlOutcome, wl_outcome_free)

/* Adds one comparison: the worst one counts. `reference` is copied. */
void wl_outcome_add_check(WlOutcome *self,
                          double max_abs_error,
                          double tolerance,
                          const char *reference);

/* Copies the texts of `roof`. */
void wl_outcome_add_roof(WlOutcome *self, const WlRoof *roof);

/* Takes `file`. */
void wl_outcome_add_array(WlOutcome *self, const char *name, GBytes *file);

/* The array of that name, or NULL. */
const WlSavedArray *wl_outcome_array(const WlOutcome *self, const char *name);

const char *wl_check_status_name(WlCheckStatus status);

/* Borrowed; the caller fills in its columns and rows. */
WlTable *wl_outcome_add_table(WlOutcome *self, const char *name);

/* The table as CSV; the caller frees it. */
char *wl_table_to_csv(const WlTable *self);
