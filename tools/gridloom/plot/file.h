/* What all pictures of runs have in common: which runs, the title, the file. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "traces/reading/run_file.h"

/* Pixels of a PNG for one of the SVG where a command has no --scale. */
#define CMD_PLOT_FILE_SHARP 2.0

typedef struct {
    const char *name;        /* of the picture, for messages */
    const char *summary;     /* words and what for, as help shows them */
    const char *description; /* below the options */
    char *output;
    char *title; /* NULL: the picture finds one */
    char *scale_text;
    double scale; /* pixels of a PNG for one of the SVG */
    char **words;
    GPtrArray *runs; /* of TraceRun, at least one */
} CmdPlotFile;

void cmd_plot_file_clear(CmdPlotFile *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(CmdPlotFile, cmd_plot_file_clear)

/* Reads the command line; `entries` are the picture's own options. Fails with
 * G_OPTION_ERROR, or as trace_output_check(). */
bool cmd_plot_file_parse(CmdPlotFile *self,
                         const GOptionEntry *entries,
                         int argc,
                         char **argv,
                         GError **error);

/* Reads the runs, at most `most` of them, and says what their files warn of. */
bool cmd_plot_file_read(CmdPlotFile *self, guint most, GError **error);

/* The first run's timeline. Fails with TRACE_ERROR_READ where it has none. */
const TraceTimeline *cmd_plot_file_timeline(const CmdPlotFile *self, GError **error);

/* Is it a name for a picture: .svg, .png, or SVG on standard output or a device? */
bool cmd_plot_file_is_picture(const char *path);

/* Is it one, and can it be written? */
bool cmd_plot_file_check(const char *path, GError **error);

/* The value of --scale, pixels of a PNG for one of the SVG; 1 where `text` is NULL.
 * Fails with G_OPTION_ERROR. */
bool cmd_plot_file_scale(const char *text, double *scale, GError **error);

/* Writes what cmd_plot_file_check() takes. */
bool cmd_plot_file_write(const char *path,
                         const char *svg,
                         double scale,
                         GError **error);

/* Ends the command: writes the picture where the line says, or complains of `failure`,
 * for which `svg` is NULL. Returns the exit code. */
int cmd_plot_file_end(const CmdPlotFile *self, const char *svg, const GError *failure);
