/* The options of `gridloom validate`, and its result. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "traces/suite/validation.h"

typedef struct {
    char **suites; /* names or files; NULL for all */
    char *data;    /* folder of measurements; NULL for none */
    char *json;    /* as given, "-" is standard output; NULL for none */
    char *html;    /* file of the page; NULL for none */
    char *output;  /* likewise a page or a picture, .html, .svg or .png */
    guint threads; /* of each run */
    guint jobs;    /* runs at a time */
    bool is_quick;
    bool is_full;  /* not with is_quick */
    bool has_rows; /* print the rows of measurements, too */
    bool is_quiet;
} ValidateOptions;

/* Takes ValidateOptions. */
int validate_run(gpointer options);

typedef struct {
    TraceValidation validation;
    guint run_count;
    double wall_seconds;
} ValidateResult;

/* The caller frees it. */
char *validate_result_to_json(const ValidateResult *self);

/* Prints the result: with `has_all` all rows of measurements, else only failed ones. */
void validate_result_print(const ValidateResult *self, bool has_all);
