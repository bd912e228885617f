/* The energy of a run by part, with its range. */
#pragma once

#include <glib.h>

#include "workloads/host/session.h"

typedef struct {
    const char *name;
    const char *unit; /* of `done` */
    double done;      /* seconds, cycles, bytes: what was multiplied */
    double joules;
    double low; /* joules at least and at most, as the ranges of the chip file say */
    double high;
} HostEnergyPart;

enum {
    HOST_ENERGY_PARTS = 16,
};

typedef struct {
    HostEnergyPart parts[HOST_ENERGY_PARTS];
    guint count;       /* 0: unknown */
    double most_watts; /* that the boards may draw */
} HostEnergy;

/* Adds to the part of that name. */
void host_energy_add(HostEnergy *self, HostEnergyPart part);

/* That of all chips of the run until the host's time `seconds`. */
HostEnergy host_energy_until(const SessionRun *run, double seconds);

/* Puts what was used between two moments, so many seconds apart, into the outcome:
 * energy_joules, its range, and the metrics energy_parts and power_watts. The range
 * ends at what the boards may draw, unless the parts are above it as they are. Does
 * nothing if no part is known. */
void host_energy_report(const SessionRun *run,
                        const HostEnergy *from,
                        const HostEnergy *to,
                        double seconds);
