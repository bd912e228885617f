/* What hosts and links of a system do, in the trace of a run on its chips. */
#pragma once

#include <glib.h>

#include "sim/system.h"
#include "traces/writing/pftrace.h"
#include "workloads/run.h"

typedef struct {
    TracePftrace *trace;
    const SimPlatform *platform;
    double clock_hz;
} SystemTracks;

/* A lane of the link for each program that uses it, and on a lane of its own how many
 * transfers are under way. `data` is SystemTracks. */
void system_tracks_link(gpointer data, const SimLinkDeed *deed);

/* A lane of the host for each of its threads. `data` is SystemTracks. */
void system_tracks_host(gpointer data, const WlDeed *deed);
