/* One trace replayed in several ways, and the differences from the recorded times. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/traffic/replay.h"
#include "arch/traffic/tiles.h"

/* A recorded trace as the commands that a chip's network can replay. */
typedef struct {
    GArray *events; /* of ArchReplayEvent */
    guint agent_count;
    SimTime recorded_cycles; /* to the kernels' end */
    /* While events are added. */
    const ArchParams *params; /* borrowed, as the tiles */
    const ArchTiles *tiles;
    uint64_t packet_bytes; /* at most */
    GHashTable *agents;    /* processor and core -> number + 1 */
} ArchReplayTrace;

void arch_replay_trace_init(ArchReplayTrace *self,
                            const ArchParams *params,
                            const ArchTiles *tiles);
void arch_replay_trace_clear(ArchReplayTrace *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(ArchReplayTrace, arch_replay_trace_clear)

/* Adds an event of a processor of its core `from`, whose number it is; finds the agent,
 * and splits what is longer than a packet as software does. Words have a length of
 * their own, whatever `bytes` says. Fails with ARCH_ERROR_INVALID: a tile off the grid,
 * or without memory to read or write. */
bool arch_replay_trace_add(ArchReplayTrace *self,
                           ArchReplayEvent event,
                           guint processor,
                           GError **error);

/* No more events: the trace lasts until `last`. */
void arch_replay_trace_end(ArchReplayTrace *self, SimTime last);

uint64_t arch_replay_trace_bytes(const ArchReplayTrace *self);

/* Numbers of cycles are from the first event to the kernels' end. Errors are cycles /
 * recorded cycles - 1, not a number for a trace that takes no time. */
typedef struct {
    ArchReplayResult outcome; /* at the recorded issue times */
    SimTime recorded_cycles;
    SimTime predicted_cycles;
    SimTime closed_loop_cycles;
    SimTime uncontended_cycles; /* every command alone */
    double error;
    double closed_loop_error;
    double error_without_l1_conflicts; /* without the calibrated costs */
    double barrier_error;              /* mean; not a number without barriers */
    double congestion; /* what contention adds: predicted / uncontended - 1 */
} ArchReplayRuns;

/* Watchers of the runs; any of them may be NULL. */
typedef struct {
    SimMonitorFunc monitor;
    void (*ended)(gpointer data, SimTime cycles, uint64_t events); /* a run has */
    gpointer data;
} ArchReplayWatch;

/* Fails with what the model reports, or when the monitor says so. */
bool arch_replay_runs_do(ArchReplayRuns *self,
                         const ArchReplayTrace *trace,
                         bool has_l1_conflicts,
                         const ArchReplayWatch *watch,
                         GError **error);
void arch_replay_runs_clear(ArchReplayRuns *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(ArchReplayRuns, arch_replay_runs_clear)

/* Means over several traces; one without an error does not count. */
typedef struct {
    double mean_abs_error;
    double bias;
    double worst_error; /* the farthest from 0 */
    double closed_loop_mean_abs_error;
    double mean_abs_error_without_l1_conflicts;
    double barrier_error_mean; /* every barrier end of all traces counts alike */
} ArchReplayMeans;

ArchReplayMeans arch_replay_means(const ArchReplayRuns *const *runs, guint count);
