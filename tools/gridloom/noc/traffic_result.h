/* What `gridloom noc traffic` leaves behind: JSON, a picture, a page of text. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "tools/gridloom/noc/traffic_options.h"

typedef struct {
    const CmdNocTrafficOptions *options;
    const GPtrArray *points;     /* of ArchNocTraffic, by rate; one for a batch */
    const ArchNocTraffic *shown; /* the one with links */
    double wall_seconds;
    uint64_t events; /* simulated */
} CmdNocTrafficResult;

/* Every packet of every point is accounted for. */
bool cmd_noc_traffic_result_is_conserved(const CmdNocTrafficResult *self);

/* Writes the files that the options ask for. */
bool cmd_noc_traffic_result_write(const CmdNocTrafficResult *self, GError **error);

/* Prints it for people. */
void cmd_noc_traffic_result_print(const CmdNocTrafficResult *self);
