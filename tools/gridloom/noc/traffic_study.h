/* The points of traffic of one command, those of each routing, and what is written of
 * them. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <json-glib/json-glib.h>

#include "arch/traffic/points.h"
#include "tools/gridloom/monitor.h"
#include "tools/gridloom/noc/traffic_options.h"

typedef struct {
    const CmdNocTrafficRouting *routing;
    ArchNocRoutes *routes; /* of a file; NULL: none */
    ArchNocTrees *trees;   /* likewise */
    ArchNocTrafficPoints points;
} CmdNocTrafficRun;

typedef struct {
    const CmdNocTrafficOptions *options;
    CmdNocTrafficRun *runs; /* one for each routing */
    guint run_count;
    ArchNocMatrix *matrix; /* of a pattern file; NULL: none */
    bool is_conserved;     /* every packet is accounted for */
    ArchLinkUse use;       /* of the first routing's point that is shown */
    Monitor *monitor;
} CmdNocTrafficStudy;

/* What the check of a result compares with. */
#define CMD_NOC_TRAFFIC_REFERENCE                                                      \
    "every packet arrives once, where it should, not sooner than an empty network "    \
    "allows"

bool cmd_noc_traffic_is_batch(const CmdNocTrafficStudy *self);

/* "uniform": the pattern's name, or its file. */
const char *cmd_noc_traffic_pattern(const CmdNocTrafficStudy *self);

/* "0,0" or "all"; the caller frees it. */
char *cmd_noc_traffic_root(const CmdNocTrafficOptions *options);

/* Has it latencies? Not where no packet came, nor where the network is saturated: the
 * packets that came are the lucky ones. */
bool cmd_noc_traffic_has_latency(const ArchNocTraffic *point);

/* The result; the caller frees it. */
char *cmd_noc_traffic_to_json(const CmdNocTrafficStudy *self);

/* A page for people. */
void cmd_noc_traffic_print(const CmdNocTrafficStudy *self);
