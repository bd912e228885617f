/* Shared libraries that are loaded at their first use, because loading them takes
 * longer than most commands do. */
#pragma once

#include <stdbool.h>

#include <glib.h>

typedef struct {
    const char *name;
    gpointer place; /* of a pointer to this function */
} SimSymbol;

typedef struct {
    const char *title;   /* for messages */
    const char *file;    /* as dlopen() takes it */
    const char *package; /* Debian's, for messages */
    const SimSymbol *symbols;
    gsize symbol_count;
} SimLibrary;

/* Sets all places, or fails with SIM_ERROR_LIBRARY and one line that says what is
 * missing and which package has it. The library stays loaded; its symbols are seen by
 * nobody else. May be called again, by one thread at a time. */
bool sim_library_open(const SimLibrary *library, GError **error);
