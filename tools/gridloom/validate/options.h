/* The command line of `gridloom validate`. */
#pragma once

#include <stdbool.h>

#include <glib.h>

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
    bool has_rows; /* print those of measurements, too */
    bool is_quiet;
} ValidateOptions;

/* Takes ValidateOptions. */
int validate_run(gpointer options);
