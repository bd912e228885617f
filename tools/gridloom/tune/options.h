/* The command line of `gridloom tune`. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "workloads/tune.h"

typedef struct {
    char **line;        /* the script, then words for it */
    const char *script; /* the first of `line`, as given */
    char *name;         /* the script's name, for people */
    char **words;       /* the rest of `line`: name=value, for the script */
    char *chip;         /* NULL: the script's usual one */
    char **overrides;   /* --set; NULL for none */
    guint axes;         /* a mask, see wl_tune_axes_parse() */
    WlTuneGoal goals[2];
    char *by;         /* the word of --by; NULL for none */
    char **by_values; /* values of that word; without one a single "" */
    char **hand;      /* windows as texts, maybe none; NULL: the usual ones */
    char **marks;     /* WINDOW or VALUE:WINDOW; NULL for none */
    WlTuneSizes sizes;
    guint limit_runs; /* for each value of --by */
    uint64_t seed;
    guint jobs;
    double within_percent;
    char *limit_seconds; /* of each run; NULL for none */
    char *json;          /* files; "-" is standard output; NULL for none */
    char *csv;
    char *svg;
    char *out; /* a folder for all files */
    bool is_quiet;
} TuneOptions;

/* Takes TuneOptions. */
int tune_run(gpointer data);

/* "performance,resources", or any two known names or formulas that begin with max: or
 * min:. A choice stays near the best of the first goal. Fails with G_OPTION_ERROR. */
bool tune_goals_parse(WlTuneGoal goals[2], const char *text, GError **error);
void tune_goals_clear(WlTuneGoal goals[2]);

/* The goal's name with its unit, for an axis of a picture. */
const char *tune_goal_words(const WlTuneGoal *self);
