/* The command line of gridloom roofline. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "tools/gridloom/option_table.h"

typedef struct {
    char **words;   /* runs */
    char **outputs; /* files by their endings: .svg, .png, .html, .csv */
    char *gpus;
    char *beside; /* GPUs and processors */
    char *figure;
    char *json;
    char *title;
    int level;     /* see TraceRooflineSet */
    double pixels; /* of a PNG for one of the SVG */
    bool is_published;
    bool is_per_watt;
    bool is_quiet;
} CmdRooflineOptions;

/* Takes CmdRooflineOptions. */
int cmd_roofline_run(gpointer data);

/* The words of --memory, and what one says: a level of TraceRooflineSet. */
extern const char *const cmd_roofline_memories[];
int cmd_roofline_options_level(const OptionTexts *texts);
