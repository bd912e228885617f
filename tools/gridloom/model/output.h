/* The output of every `gridloom model` command: a page for people, JSON, tables and
 * pictures. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <json-glib/json-glib.h>

#include "arch/chipfile/params.h"
#include "tools/gridloom/option_table.h"
#include "traces/file/named_files.h"
#include "traces/result/result.h"

/* Where the output goes, as on the command line. */
typedef struct {
    char **files; /* .svg, .png, .csv; NULL for none */
    char *json;   /* NULL for none */
    bool is_quiet;
} ModelOutput;

/* The forms in which a study can be written. Everything is borrowed, and must live
 * until the writing ends. */
typedef struct {
    const char *name;       /* model time */
    const ArchParams *chip; /* NULL: the model has none */
    const char *reference;  /* what the numbers were checked against; NULL: nothing */
    bool is_wrong;          /* that check failed */
    const char
        *unchecked; /* why nothing was checked; NULL: a model, not a simulation */
    const TraceRoof *roofs; /* of the chip, for its result */
    gsize roof_count;
    gconstpointer study; /* for these functions; the caller frees what they return */
    JsonObject *(*parameters)(gconstpointer study); /* with "seed" if it draws */
    JsonObject *(*metrics)(gconstpointer study);    /* NaN becomes null */
    char *(*csv)(gconstpointer study);
    char *(*svg)(gconstpointer study); /* NULL: there is no picture */
    void (*print)(gconstpointer study);
} ModelPage;

/* A page whose functions are named parameters(), metrics(), csv(), svg() and print(),
 * as in most files that write one. */
#define MODEL_PAGE(of_name, of_chip, of_study)                                         \
    ((ModelPage){.name = (of_name),                                                    \
                 .chip = (of_chip),                                                    \
                 .study = (of_study),                                                  \
                 .parameters = parameters,                                             \
                 .metrics = metrics,                                                   \
                 .csv = csv,                                                           \
                 .svg = svg,                                                           \
                 .print = print})

/* The options -o, --json and -q of a ModelOutput. */
extern const Option model_output_rows[];

/* Can all files be written, and do they differ? Call it first. Fails as
 * cmd_plot_file_check(), trace_output_check() and trace_named_files_differ(). */
bool model_output_check(const ModelOutput *self, GError **error);

/* The same for a command that reads or writes other files, too. */
bool model_output_check_beside(const ModelOutput *self,
                               const TraceNamedFile *others,
                               gsize count,
                               GError **error);

/* Writes everything. The page goes to standard output unless a file does. `start` is
 * g_get_monotonic_time() when the command began. Returns the exit code. */
int model_output_write(const ModelOutput *self, const ModelPage *page, gint64 start);
