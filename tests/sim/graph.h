/* Random models of events, posts, timers, channels and probes, and how they end. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "sim/time.h"

/* What is simulated; all of it follows from the seed. */
typedef struct {
    uint64_t seed;
    guint component_count;
    guint channel_count;
    SimTime window;
    guint ring_cycles;
    guint steps; /* of each component and phase */
    bool has_ties;
    bool is_failing;
    bool is_starving; /* consumers want more than producers make */
} Graph;

/* How it is simulated. */
typedef struct {
    guint region_count;
    guint thread_count;
    bool is_scattered; /* neighbours lie in different regions */
} Cut;

/* All that must not depend on the cut. */
typedef struct {
    GArray *hashes;  /* of uint64_t: components, ends, counters, time */
    GArray *records; /* of SimProbeRecord */
    uint64_t events;
    char *error;
} Outcome;

void outcome_clear(Outcome *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Outcome, outcome_clear)

/* With keys of its own for each component, and nothing that goes wrong. */
Graph graph_of(uint64_t seed);

Outcome simulate(const Graph *graph, Cut cut);
