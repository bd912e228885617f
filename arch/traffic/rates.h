/* The rates at which traffic is run: a sweep, and the search for the one at which the
 * network saturates. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/traffic/points.h"

typedef struct {
    double first;
    double step;
    guint count;       /* of the sweep, at least 1 */
    double resolution; /* above 0: search for saturation this closely; 0: no search */
} ArchNocRates;

/* A rate of the sweep, as a person would write it. */
double arch_noc_rates_at(const ArchNocRates *self, guint index);

/* Most points that a run has. */
guint arch_noc_rates_most(const ArchNocRates *self);

/* The rate to run after `points`; false when all are done. A sweep runs all rates. A
 * search runs them up to the first that is saturated, then the highest one, and then
 * halves the gap below the lowest saturated rate, down to 0 where all are, until it is
 * no wider than the resolution. It takes multiples of the resolution where it can. */
bool arch_noc_rates_next(const ArchNocRates *self,
                         const ArchNocTrafficPoints *points,
                         double *rate);
