/* Suites of published figures: rows that are written down, or made of measurements. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "traces/suite/reference.h"

typedef struct {
    char *name;
    TraceReference *rows;
    bool is_measured; /* made of files */
    bool lacks_data;  /* made of files, and there are none: all rows are skipped */
    GPtrArray *left; /* of char: files, or parts of them, that its rules do not cover */
} TraceSuite;

/* Reads the suite at `path`. `data` is the folder of measurements, NULL for none: CSV
 * and JSON in folders of it. Fails where there is no such file or folder, the suite or
 * a file that it has rules for is malformed, or the folder has nothing for it. */
TraceSuite *
trace_suite_load(const char *name, const char *path, const char *data, GError **error);
void trace_suite_free(TraceSuite *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TraceSuite, trace_suite_free)
