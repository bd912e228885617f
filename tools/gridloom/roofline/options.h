/* The command line of gridloom roofline. */
#pragma once

#include <stdbool.h>

#include <glib.h>

typedef struct {
    char **words;   /* runs */
    char **outputs; /* files by their endings: .svg, .png, .html, .csv */
    char *gpus;
    char *beside; /* GPUs and processors */
    char *figure;
    char *json;
    char *title;
    char *memory_text;
    char *scale_text;
    int level;     /* see CmdRooflineSet */
    double pixels; /* of a PNG for one of the SVG */
    gboolean is_published;
    gboolean is_per_watt;
    gboolean is_quiet;
} CmdRooflineOptions;

/* Fails with G_OPTION_ERROR, or as trace_output_check(). */
bool cmd_roofline_options_parse(CmdRooflineOptions *self,
                                int argc,
                                char **argv,
                                GError **error);
void cmd_roofline_options_clear(CmdRooflineOptions *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(CmdRooflineOptions, cmd_roofline_options_clear)

/* --memory: leaves `level` alone where `text` is NULL. */
bool cmd_roofline_options_level(const char *text, int *level, GError **error);

/* A page of text may go to standard output. */
bool cmd_roofline_options_have_text(const CmdRooflineOptions *self);
