/* The command line of `gridloom sweep`. */
#pragma once

#include <stdbool.h>

#include <glib.h>

enum {
    /* More runs than this need --yes. */
    CMD_SWEEP_RUNS_UNASKED = 100000,
};

typedef struct {
    char **words;        /* exactly one */
    const char *file;    /* the sweep, as given */
    char *database;      /* as given, else derived from the file's name */
    guint jobs;          /* runs at a time, on each rank */
    char *limit_seconds; /* of each run; NULL for none */
    char *json;          /* the result; "-" is standard output; NULL for none */
    bool is_agreed;      /* --yes */
    bool is_dry_run;
    bool is_retrying; /* failed runs are repeated */
    bool is_quiet;

    /* Views of the results: all are NULL if not given. */
    char *plot;   /* --plot X: the column of the horizontal axis */
    char *by;     /* --by Y: the column with a curve for each value */
    char *y;      /* --y METRIC: the column of the vertical axis */
    char *output; /* -o: the picture */
    char *pareto; /* --pareto A,B: the front of these two columns, -A to maximise A */
    char *csv;    /* files; "-" is standard output */
    char *html;
    char *out; /* --out: a folder for all of these and the file's own pictures */
} CmdSweepOptions;

/* Takes CmdSweepOptions. */
int cmd_sweep_run(gpointer options);

/* Complains of an error, on the first rank only. */
int cmd_sweep_fail(const GError *error);
