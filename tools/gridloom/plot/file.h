/* What all pictures of runs have in common: which runs, the title, the file. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "tools/gridloom/option_table.h"
#include "traces/reading/run_file.h"

/* Pixels of a PNG for one of the SVG where a command has no --scale. */
#define CMD_PLOT_FILE_SHARP 2.0

/* First in the options of each command. */
typedef struct {
    const char *name; /* of the command, for messages */
    /* Takes those options; NULL: fails. The caller frees what it returns. */
    char *(*draw)(gpointer options, GError **error);
    char *output;
    char *title;  /* NULL: the picture finds one */
    double scale; /* pixels of a PNG for one of the SVG */
    char **words;
    GPtrArray *runs; /* of TraceRun, at least one */
} CmdPlotFile;

/* --scale, for a row. */
#define CMD_PLOT_FILE_SCALE(member) OPTION_REAL(member, 0.1, 16, "0.1 to 16")

/* Runs, -o, --title and --scale, of a CmdPlotFile. */
extern const Option cmd_plot_file_rows[];

/* Checks options and reads the runs; says what their files warn of. Fails with
 * G_OPTION_ERROR, or as trace_output_check() and the files. */
bool cmd_plot_file_open(CmdPlotFile *self, const OptionTexts *texts, GError **error);

/* Draws to where the line says, or complains; frees what no row owns. For a Command. */
int cmd_plot_file_run(gpointer options);
void cmd_plot_file_clear(gpointer options);

/* The first run's timeline. Fails with TRACE_ERROR_READ where it has none. */
const TraceTimeline *cmd_plot_file_timeline(const CmdPlotFile *self, GError **error);

/* Is it a name for a picture: .svg, .png, or SVG on standard output or a device? */
bool cmd_plot_file_is_picture(const char *path);

/* Is it one, and can it be written? */
bool cmd_plot_file_check(const char *path, GError **error);

/* Writes what cmd_plot_file_check() takes. */
bool cmd_plot_file_write(const char *path,
                         const char *svg,
                         double scale,
                         GError **error);
