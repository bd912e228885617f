/* The command line of `gridloom tune`. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "workloads/tune.h"

typedef struct {
    char **line;        /* the script, then words for it */
    const char *script; /* in it, as given */
    char *name;         /* of the script, for people */
    char **words;       /* likewise: name=value, for the script */
    char *chip;         /* NULL: the script's usual one */
    char **overrides;   /* --set; NULL for none */
    guint axes;         /* of wl_tune_axes_parse() */
    WlTuneGoal goals[2];
    char *by;         /* the word of --by; NULL for none */
    char **by_values; /* of it; one, "", where there is none */
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
    char *out; /* a folder for all of that */
    bool is_quiet;
} TuneOptions;

/* Takes TuneOptions. */
int tune_run(gpointer data);

/* "performance,resources", or any two of the known names and of formulas with max: or
 * min: before them. The first is the one that a choice stays near the best of. Fails
 * with G_OPTION_ERROR. */
bool tune_goals_parse(WlTuneGoal goals[2], const char *text, GError **error);
void tune_goals_clear(WlTuneGoal goals[2]);

/* Its name with the unit, for an axis of a picture. */
const char *tune_goal_words(const WlTuneGoal *self);
