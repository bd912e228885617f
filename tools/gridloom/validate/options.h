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
    gboolean is_quick;
    gboolean is_full;  /* not with is_quick */
    gboolean has_rows; /* print those of measurements, too */
    gboolean is_quiet;
} ValidateOptions;

void validate_options_clear(ValidateOptions *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(ValidateOptions, validate_options_clear)

/* Parses argv, whose first word is the command. --help prints and exits. */
bool validate_options_parse(ValidateOptions *self,
                            int argc,
                            char **argv,
                            GError **error);
