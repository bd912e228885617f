/* Shared libraries that are loaded at their first use, because loading them takes
 * longer than most commands do. */
#pragma once

#include <stdbool.h>

#include <glib.h>

typedef struct {
    const char *name;
    gpointer place; /* address of the function pointer to set */
} SimSymbol;

typedef struct {
    const char *title;   /* for messages */
    const char *file;    /* as dlopen() takes it */
    const char *package; /* Debian's, for messages */
    const SimSymbol *symbols;
    gsize symbol_count;
} SimLibrary;

/* Loads the library and sets all function pointers. Fails with SIM_ERROR_LIBRARY and
 * one line that names what is missing and the package that contains it. The library
 * stays loaded, and its symbols stay local. May be called again, by one thread at a
 * time. */
bool sim_library_open(const SimLibrary *library, GError **error);
