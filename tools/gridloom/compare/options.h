/* The command line of `gridloom compare`. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "tools/gridloom/compare/chip.h"

/* The default quantity. */
#define COMPARE_QUANTITY "seconds_per_iteration"

/* A varied parameter: it has another value in each case. */
typedef struct {
    char *name;
    char **values;
} CompareSweep;

typedef struct {
    char **line;        /* the script, then words for it */
    const char *script; /* the first of `line`, as given */
    char *name;         /* the script's name, for people */
    GPtrArray *chips;   /* of CompareChip, at least one; finished runs come last */
    GPtrArray *sweeps;  /* of CompareSweep, all with case_count values */
    guint case_count;   /* 1 without sweeps */
    char *quantity;     /* a formula over members of a result */
    char **inputs;      /* name=FILE: arrays for the script; or NULL */
    char *out;          /* folder for everything; NULL for none */
    char *csv;          /* files as given, "-" is standard output; NULL for none */
    char *svg;
    char *json;
    guint threads;
    uint64_t seed;
    char *limit_seconds; /* of each run; NULL for none */
    bool is_timing_only;
    bool has_models; /* show closed forms beside the runs */
    bool is_quiet;
} CompareOptions;

/* Takes CompareOptions. */
int compare_run(gpointer data);

/* The words of `gridloom run` for a chip in a case; the caller frees them. */
char **compare_options_run(const CompareOptions *self, guint chip, guint case_index);

/* The folder in --out for the files of that run; the caller frees it. */
char *compare_options_folder(const CompareOptions *self, guint chip, guint case_index);
