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
    guint axes;         /* of tune_axes_parse() */
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

/* What users type of goals, axes and windows. Readers fail with G_OPTION_ERROR. */

/* "performance,resources", or any two of the known names and of formulas with max: or
 * min: before them. The first is the one that a choice stays near the best of. */
bool tune_goals_parse(WlTuneGoal goals[2], const char *text, GError **error);
void tune_goals_clear(WlTuneGoal goals[2]);

/* "most" or "least". */
const char *tune_goal_way(const WlTuneGoal *self);

/* Its name with the unit, for an axis of a picture. */
const char *tune_goal_words(const WlTuneGoal *self);

/* Which axes "x,y" names, as a mask of 1 << axis. */
bool tune_axes_parse(const char *text, guint *mask, GError **error);

/* "32x8", a size for each axis that is tuned, or one for each of x, y and z. */
bool tune_window_parse(WlTuneWindow *self,
                       const WlTuneSpace *space,
                       const char *option,
                       const char *text,
                       GError **error);
