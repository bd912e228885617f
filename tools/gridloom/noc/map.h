/* How busy the links and routers of a grid were, for a picture, for readers of JSON,
 * for people. */
#pragma once

#include <glib.h>
#include <json-glib/json-glib.h>

#include "arch/traffic/link_use.h"
#include "tools/gridloom/noc/output.h"

/* Writes the files that the options ask for: the picture with its title, and `json`,
 * which may be NULL where none is asked for. */
bool cmd_noc_map_write(const ArchLinkUse *use,
                       const char *title,
                       const CmdNocOutput *output,
                       const char *json,
                       GError **error);

/* Adds windows[], links[] and routers[], as tools/doc/networks.md describes them. */
void cmd_noc_map_set(const ArchLinkUse *use, JsonObject *metrics);

/* Prints the busiest links, at most `count`. */
void cmd_noc_map_print(const ArchLinkUse *use, guint count);

/* A tile as [x, y]; the caller has it. */
JsonArray *cmd_noc_map_tile(guint x, guint y);
