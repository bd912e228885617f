/* The output of a network experiment (JSON, a picture, a page of text), its time limit,
 * and a map of how busy the links and routers of a grid were. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <json-glib/json-glib.h>

#include "arch/traffic/link_use.h"
#include "tools/gridloom/option_table.h"

/* File names as given, "-" is standard output; NULL for none. */
typedef struct {
    char *json;
    char *heatmap;
    double limit_seconds; /* 0: none */
    bool is_quiet;
} CmdNocOutput;

/* The options --json, --heatmap, --limit-seconds and -q of a CmdNocOutput. */
extern const Option cmd_noc_output_rows[];

/* Can both files be written? Call it first. Fails with TRACE_ERROR_WRITE. */
bool cmd_noc_output_check(const CmdNocOutput *self, GError **error);

/* May a page of text go to standard output? Not with -q, and not if a file goes
 * there. */
bool cmd_noc_output_has_text(const CmdNocOutput *self);

/* Writes the files that the options ask for: the picture with its title, and `json`,
 * which may be NULL if it is not asked for. */
bool cmd_noc_map_write(const ArchLinkUse *use,
                       const char *title,
                       const CmdNocOutput *output,
                       const char *json,
                       GError **error);

/* Adds windows[], links[] and routers[], as tools/doc/networks.md describes them. */
void cmd_noc_map_set(const ArchLinkUse *use, JsonObject *metrics);

/* Prints the busiest links, at most `count`. */
void cmd_noc_map_print(const ArchLinkUse *use, guint count);
