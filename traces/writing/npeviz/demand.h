/* How busy the links of a Wormhole's networks were, step by step. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "sim/time.h"
#include "traces/reading/timeline.h"
#include "traces/writing/npeviz/tiles.h"

enum {
    NPE_NOCS = 2,
    NPE_AXES = 2,
};

typedef struct {
    SimTime origin; /* time at which the first step begins */
    SimTime width;  /* of a step, in cycles */
    guint step_count;
    guint link_count; /* of both networks: NPE_NOCS x rows x columns x NPE_AXES */
    bool is_seen;     /* the timeline has links of these networks */
    double *parts;    /* [step][link]: share of the step in which the link was busy */
} NpeDemand;

void npe_demand_init(NpeDemand *self,
                     const TraceTimeline *timeline,
                     const NpeTiles *tiles);
void npe_demand_clear(NpeDemand *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(NpeDemand, npe_demand_clear)

/* The share of a step in which a link was busy. */
double npe_demand_at(const NpeDemand *self, guint step, guint link);

/* The mean over a network's links in a step. */
double npe_demand_mean(const NpeDemand *self, guint step, guint noc);
