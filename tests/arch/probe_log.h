/* A watcher for tests: keeps what it sees, and tells it lane by lane. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "sim/engine.h"
#include "sim/probe.h"

typedef struct {
    SimEngine *engine;
    GArray *records;   /* of SimProbeRecord */
    GHashTable *lanes; /* by name */
    const char *only;  /* lanes whose names have one of these prefixes, between commas;
                          NULL: all */
} ProbeLog;

/* Watches; `only` has been set. Kernels start afterwards. */
void probe_log_open(ProbeLog *self, SimEngine *engine);
void probe_log_close(ProbeLog *self);

/* What was seen on a lane, by time, a line each; the caller frees it:
 *   name 3..9 cb=0 pages=1 >7   a slice; it begins flow 7 of its lane
 *   (noc 9..20)                 a stall
 *   name @20 bytes=64 <7        a mark; the flow ends there
 *   cb 0 +1 @26                 a change
 *   busy 12 of 0..16            use */
char *probe_log_lane(const ProbeLog *self, const char *lane);

/* Cycles of slices of a lane, or of its stalls for `reason`. */
uint64_t probe_log_cycles(const ProbeLog *self, const char *lane, const char *reason);

/* All of it, with the names of lanes, in the order in which it came. The caller frees
 * it. */
char *probe_log_text(const ProbeLog *self);
