/* What all pictures of runs share: the runs, the title, the file. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "tools/gridloom/option_table.h"
#include "tools/gridloom/progress.h"
#include "traces/reading/run_file.h"

/* Pixels of a PNG per pixel of the SVG, for commands without --scale. */
#define CMD_PLOT_FILE_SHARP 2.0

/* The first member of each command's options. */
typedef struct {
    const char *name; /* the command's, for messages */
    /* Draws from those options; NULL on failure. The caller frees the text. */
    char *(*draw)(gpointer options, GError **error);
    char *output;
    char *title;  /* NULL: the picture makes one up */
    double scale; /* pixels of a PNG per pixel of the SVG */
    char **words;
    GPtrArray *runs; /* of TraceRun, at least one */
    Progress *progress;
} CmdPlotFile;

/* The row of --scale. */
#define CMD_PLOT_FILE_SCALE(member) OPTION_REAL(member, 0.1, 16, "0.1 to 16")

/* The rows of runs, -o, --title and --scale of a CmdPlotFile. */
extern const Option cmd_plot_file_rows[];

/* Checks options and reads the runs; prints the warnings of their files. Fails with
 * G_OPTION_ERROR, or as trace_output_check() and the files. */
bool cmd_plot_file_open(CmdPlotFile *self, const OptionTexts *texts, GError **error);

/* For a Command: draws the file or complains, and frees members that no row owns. */
int cmd_plot_file_run(gpointer options);
void cmd_plot_file_clear(gpointer options);

/* The first run's timeline. Fails with TRACE_ERROR_READ if it has none. */
const TraceTimeline *cmd_plot_file_timeline(const CmdPlotFile *self, GError **error);

/* Is `path` a picture: .svg, .png, or SVG on standard output or a device? */
bool cmd_plot_file_is_picture(const char *path);

/* Is it a picture, and can it be written? */
bool cmd_plot_file_check(const char *path, GError **error);

/* Writes a picture that cmd_plot_file_check() accepts. */
bool cmd_plot_file_write(const char *path,
                         const char *svg,
                         double scale,
                         GError **error);
