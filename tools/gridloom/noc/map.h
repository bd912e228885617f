/* How busy the links and routers of a grid were, over a run and in windows of it: for a
 * picture, for readers of JSON, for people. */
#pragma once

#include <stdio.h>

#include <glib.h>
#include <json-glib/json-glib.h>

#include "arch/noc_windows.h"
#include "traces/picture/heatmap.h"

/* Where a link leads, whose it is, and what it carried in the whole run. */
typedef struct {
    uint32_t from; /* node id = x + width * y */
    uint32_t to;
    const char *direction;
    guint noc; /* 0 or 1; 0 where there is but one network */
    uint64_t flits;
} CmdNocMapLink;

typedef struct {
    TraceHeatmap picture; /* borrows from what follows */
    char *title;
    GArray *links; /* of CmdNocMapLink */
    TraceHeatmapLink *drawn;
    TraceHeatmapWindow *windows;
    double *values; /* [window][link]: flits per cycle */
    double
        *routers; /* [all, then each window][node]: mean of the links that leave it */
} CmdNocMap;

/* Takes `links`, of CmdNocMapLink, those of NoC 0 first. `windows` are theirs, from the
 * first cycle to the last: that is what the map covers. */
void cmd_noc_map_init(CmdNocMap *self,
                      const char *title,
                      guint width,
                      guint height,
                      GArray *links,
                      const ArchNocWindows *windows);
void cmd_noc_map_clear(CmdNocMap *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(CmdNocMap, cmd_noc_map_clear)

/* Flits over all links. */
uint64_t cmd_noc_map_flits(const CmdNocMap *self);

/* Adds windows[], links[] and routers[], as the README of this room describes them. */
void cmd_noc_map_to_json(const CmdNocMap *self, JsonObject *metrics);

/* Prints the busiest links, at most `count`, those with equal values in their order. */
void cmd_noc_map_print(const CmdNocMap *self, guint count, FILE *stream);
