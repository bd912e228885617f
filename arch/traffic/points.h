/* Points of traffic at several rates, and what they say together. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/traffic/traffic.h"

typedef struct {
    GPtrArray *list;       /* of ArchNocTraffic, by rate; one for a batch */
    ArchNocTraffic *shown; /* the one with links: the highest that is not saturated,
                            * else the lowest */
    bool is_conserved;     /* every packet of every point is accounted for */
    double saturation;     /* the lowest saturated rate; not a number: none is */
    uint64_t packets;      /* sent */
    uint64_t flit_hops;
} ArchNocTrafficPoints;

void arch_noc_traffic_points_init(ArchNocTrafficPoints *self);
void arch_noc_traffic_points_clear(ArchNocTrafficPoints *self);

/* Takes one more; links are kept of the one that is shown alone. */
void arch_noc_traffic_points_add(ArchNocTrafficPoints *self, ArchNocTraffic *point);

/* The highest rate below saturation; 0: all are saturated. */
double arch_noc_traffic_points_lower(const ArchNocTrafficPoints *self);

/* The point at the lowest saturated rate, or NULL. */
const ArchNocTraffic *
arch_noc_traffic_points_saturated(const ArchNocTrafficPoints *self);

/* The point at the highest rate; there must be one. */
const ArchNocTraffic *arch_noc_traffic_points_last(const ArchNocTrafficPoints *self);
