/* A sweep: a Lua file that lists the runs to make and the values to record. It returns
 * { summary =, script =, system =, chip =, fixed = { name = value, ... },
 *   axes = { { name =, values = | from =, to =, step = | points =, scale =, with = } },
 *   combine = "full" | "random" | "latin", samples =, seed =, where = function(p),
 *   record = { "seconds", name = "formula", ... }, timing_only =, uncertainty =,
 *   plots =, pareto = }. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "workloads/script.h"

enum {
    /* The most combinations that `where` is called with, or samples of all axes
     * together; and the most values of an axis. */
    WL_SWEEP_POINTS_MAXIMUM = 10 * 1000 * 1000,
    WL_SWEEP_VALUES_MAXIMUM = 1000 * 1000,
    WL_SWEEP_LEVELS_MAXIMUM = 8, /* of a picture */
};

typedef struct WlSweep WlSweep;

/* All texts are borrowed until the sweep is freed. */

/* The meaning of a name: "chip", "system", "threads" and "seed" are options, one with a
 * dot is a key of the chip, any other a word of the script. */
typedef enum {
    WL_SWEEP_WORD,
    WL_SWEEP_KEY,
    WL_SWEEP_OPTION,
} WlSweepKind;

/* A varied quantity. */
typedef struct {
    const char *name;
    WlSweepKind kind;
    const char *const *values; /* as a user would type them */
    guint value_count;
} WlSweepAxis;

/* A value fixed in all runs; sorted by name. */
typedef struct {
    const char *name;
    WlSweepKind kind;
    const char *value;
} WlSweepFixed;

typedef struct {
    const char *name;    /* of the column */
    const char *formula; /* over members of a result; not checked */
} WlSweepRecord;

/* A line across a picture, such as a published value. */
typedef struct {
    const char *name;
    double y; /* finite, in the column's unit */
} WlSweepLevel;

/* A picture that the file asks for; its columns are not checked. */
typedef struct {
    const char *x;
    const char *by;    /* NULL: none */
    const char *y;     /* NULL: the first recorded value */
    const char *title; /* NULL: none */
    bool is_log_x;
    bool is_log_y;
    WlSweepLevel levels[WL_SWEEP_LEVELS_MAXIMUM];
    guint level_count;
} WlSweepPlot;

/* Runs the file and combines its axes. Fails with WL_ERROR_SYNTAX, WL_ERROR_RUNTIME or
 * WL_ERROR_LIMIT, and with WL_ERROR_FIT if there are too many combinations or none is
 * left. */
WlSweep *wl_sweep_load(const char *path, const WlSandboxConfig *config, GError **error);
void wl_sweep_free(WlSweep *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WlSweep, wl_sweep_free)

const char *wl_sweep_summary(const WlSweep *self);
const char *wl_sweep_script(const WlSweep *self);
bool wl_sweep_is_timing_only(const WlSweep *self);
/* Samples of the chip's ranges in each run; 0: none. */
guint wl_sweep_uncertainty(const WlSweep *self);

guint wl_sweep_fixed_count(const WlSweep *self);
const WlSweepFixed *wl_sweep_fixed(const WlSweep *self, guint index);
/* NULL if the file fixes no such name of this kind. */
const char *
wl_sweep_fixed_value(const WlSweep *self, WlSweepKind kind, const char *name);

guint wl_sweep_axis_count(const WlSweep *self);
const WlSweepAxis *wl_sweep_axis(const WlSweep *self, guint index);

guint wl_sweep_record_count(const WlSweep *self);
/* The number of records that the file names, which come first. With samples, NAME_low
 * and NAME_high of their intervals follow, and failed_samples; where runs have
 * unattributed=on, unattributed_cycles. */
guint wl_sweep_own_record_count(const WlSweep *self);
const WlSweepRecord *wl_sweep_record(const WlSweep *self, guint index);
/* The formula of a record that the file names; NULL if there is none. */
const char *wl_sweep_formula(const WlSweep *self, const char *name);

guint wl_sweep_plot_count(const WlSweep *self);
const WlSweepPlot *wl_sweep_plot(const WlSweep *self, guint index);

/* The two columns of the requested front; false: none. */
bool wl_sweep_pareto(const WlSweep *self, const char *columns[2]);

/* Runs are numbered from 0; the last axis varies fastest. */
guint wl_sweep_run_count(const WlSweep *self);
/* The index of an axis's value in a run. */
guint wl_sweep_run_value(const WlSweep *self, guint run, guint axis);
const char *wl_sweep_run_text(const WlSweep *self, guint run, guint axis);

/* The words of `gridloom run` for a run. The caller frees this and the texts below. */
char **wl_sweep_words(const WlSweep *self, guint run);
/* The chip keys that a run sets, each "section.key=value": fixed ones first. The caller
 * frees them. */
char **wl_sweep_keys(const WlSweep *self, guint run);
/* The command line, quoted for a shell. */
char *wl_sweep_run_line(const WlSweep *self, guint run);
/* The varied values only, "tiles=4 system=n300". */
char *wl_sweep_run_point(const WlSweep *self, guint run);

/* A digest of all runs and recorded values; the caller frees it. */
char *wl_sweep_digest(const WlSweep *self);
