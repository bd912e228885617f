/* Finds chips, systems, scripts, suites, GPU results and figures in GRIDLOOM_PATH, then
 * in the share folder of the installation, then in the source tree. */
#pragma once

#include <glib.h>

#include "workloads/script.h"

typedef enum {
    SEARCH_CHIP,     /* arch/chips/NAME.ini */
    SEARCH_SYSTEM,   /* arch/systems/NAME.xml */
    SEARCH_WORKLOAD, /* workloads/NAME.lua */
    SEARCH_SUITE,    /* traces/reference/NAME.csv */
    SEARCH_MEASURED, /* traces/gpu/NAME.json: results of GPUs and processors */
    SEARCH_TIMES,  /* traces/gpu/models/NAME.csv: times and joules of GPUs for models */
    SEARCH_FIGURE, /* traces/figures/NAME.csv */
    SEARCH_ROOFLINE, /* traces/figures/NAME.ini: published rooflines */
    SEARCH_TEMPLATE, /* workloads/templates/NAME.lua */
} SearchKind;

/* The file that `name` means: an existing path if it looks like one (a slash or the
 * kind's ending), else a file in the folders, else the chip that it abbreviates (a100:
 * a100_80gb). NULL if there is none; the caller frees it. */
char *search_find(SearchKind kind, const char *name);

/* The same; if there is none, fails with G_FILE_ERROR_NOENT and lists the known names.
 * `what` is a word for the kind. */
char *search_find_or_fail(SearchKind kind,
                          const char *what,
                          const char *name,
                          GError **error);

/* The name of a file: without folder, and without the kind's ending. The caller frees
 * it. */
char *search_name(SearchKind kind, const char *path);

/* The names of all known files, sorted, without ending. */
GPtrArray *search_names(SearchKind kind);

/* The same as "a, b, c"; the caller frees it. */
char *search_names_text(SearchKind kind);

/* The folder workloads/lib, or NULL; the caller frees it. */
char *search_library(void);

/* The folder of the headers that kernels are compiled with, or NULL; the caller frees
 * it. */
char *search_metal(void);

/* The folder of CSL libraries, or NULL; the caller frees it. */
char *search_csl(void);

/* A file or folder beside a folder, which it takes; NULL where that is. */
char *search_beside(char *folder, const char *name);

/* Loads the script at a path; it may require modules of that folder. */
WlScript *
search_load_script(const char *path, const WlSandboxConfig *config, GError **error);
