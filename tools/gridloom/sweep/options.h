/* The command line of `gridloom sweep`. */
#pragma once

#include <stdbool.h>

#include <glib.h>

enum {
    /* More runs than these are only done where the user says so. */
    CMD_SWEEP_RUNS_UNASKED = 100000,
};

typedef struct {
    char **words;        /* one, */
    const char *file;    /* the sweep, as given */
    char *database;      /* as given, else made of the file's name */
    guint jobs;          /* runs at a time, on each rank */
    char *limit_seconds; /* of each run; NULL for none */
    char *json;          /* what came of it; "-" is standard output; NULL for none */
    bool is_agreed;      /* --yes */
    bool is_dry_run;
    bool is_retrying; /* runs that failed are done again */
    bool is_quiet;

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

/* Takes CmdSweepOptions. */
int cmd_sweep_run(gpointer options);

/* Of ranks, the first complains alone. */
int cmd_sweep_fail(const GError *error);
