/* Where chips, systems, scripts, suites, results of GPUs and figures are found:
 * GRIDLOOM_PATH, then the share folder of the installation, then the source tree. */
#pragma once

#include <glib.h>

#include "workloads/script.h"

typedef enum {
    SEARCH_CHIP,     /* arch/chips/NAME.ini */
    SEARCH_SYSTEM,   /* arch/systems/NAME.xml */
    SEARCH_WORKLOAD, /* workloads/NAME.lua */
    SEARCH_SUITE,    /* traces/reference/NAME.csv */
    SEARCH_MEASURED, /* traces/gpu/NAME.json: results of GPUs and processors */
    SEARCH_FIGURE,   /* traces/figures/NAME.csv */
    SEARCH_ROOFLINE, /* traces/figures/NAME.ini: published rooflines */
} SearchKind;

/* The file that `name` means: a path if it looks like one (a slash or the kind's
 * ending) and exists, else what the folders have, else the chip that it is short for
 * (a100: a100_80gb). NULL when there is none; the caller frees. */
char *search_find(SearchKind kind, const char *name);

/* The same; where there is none it fails with G_FILE_ERROR_NOENT, saying which are
 * known. `what` is a word for the kind. */
char *search_find_or_fail(SearchKind kind,
                          const char *what,
                          const char *name,
                          GError **error);

/* What a file is called by name: without folder, and without the kind's ending. The
 * caller frees it. */
char *search_name(SearchKind kind, const char *path);

/* Names of all there are, sorted, without ending. */
GPtrArray *search_names(SearchKind kind);

/* The same as "a, b, c"; the caller frees it. */
char *search_names_text(SearchKind kind);

/* The folder workloads/lib, or NULL; the caller frees it. */
char *search_library(void);

/* Loads the script at a path, which may use that folder. */
WlScript *search_load_script(const char *path, GError **error);
