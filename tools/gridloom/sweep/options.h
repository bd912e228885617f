/* The command line of `gridloom sweep`. */
#pragma once

#include <stdbool.h>

#include <glib.h>

enum {
    /* More runs than these are only done where the user says so. */
    CMD_SWEEP_RUNS_UNASKED = 100000,
};

typedef struct {
    char *file;          /* the sweep, as given */
    char *database;      /* as given, else made of the file's name */
    guint jobs;          /* runs at a time, on each rank */
    char *limit_seconds; /* of each run; NULL for none */
    char *json;          /* what came of it; "-" is standard output; NULL for none */
    gboolean is_agreed;  /* --yes */
    gboolean is_dry_run;
    gboolean is_retrying; /* runs that failed are done again */
    gboolean is_quiet;

    /* Looking at it: all are NULL where they are not given. */
    char *plot;   /* --plot X: the column along which is drawn */
    char *by;     /* --by Y: the column of which each value has a curve */
    char *y;      /* --y METRIC: the column that is drawn */
    char *output; /* -o: the picture */
    char *pareto; /* --pareto A,B: the front of these two columns, -A for much of it */
    char *csv;    /* files; "-" is standard output */
    char *html;
    char *out; /* --out: a folder with all of that, and the file's own pictures */
} CmdSweepOptions;

void cmd_sweep_options_clear(CmdSweepOptions *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(CmdSweepOptions, cmd_sweep_options_clear)

/* Parses argv, whose first word is the command. --help prints and exits. Fails with
 * G_OPTION_ERROR. */
bool cmd_sweep_options_parse(CmdSweepOptions *self,
                             int argc,
                             char **argv,
                             GError **error);
