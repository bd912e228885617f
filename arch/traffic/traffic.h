/* Synthetic traffic: the latency of packets through a network, and the share of the
 * offered load that it accepts. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/noc.h"
#include "arch/traffic/pattern.h"
#include "sim/engine.h"

enum {
    ARCH_NOC_TRAFFIC_FLITS_MAXIMUM = 65536,    /* of a packet */
    ARCH_NOC_TRAFFIC_BATCH_MAXIMUM = 16777216, /* packets of all nodes together */
};

typedef struct {
    ArchNocConfig network;
    ArchNocPattern pattern; /* on the grid of the network, whose size it gets */
    guint packet_flits;
    /* Flits per node that sends and cycle, 0..1: in each cycle such a node makes a
     * packet with probability rate / packet_flits. */
    double rate;
    /* Unless 0, each node sends this many packets as fast as it can, and `rate` and the
     * cycles below are ignored. */
    uint64_t batch_packets;
    SimTime warmup_cycles;  /* SIM_TIME_NEVER: until the mean latency is steady */
    SimTime window_cycles;  /* over which means are taken; 0: so long that many packets
                               fit; at least twice the longest way without load */
    SimMonitorFunc monitor; /* or NULL */
    gpointer monitor_data;
} ArchNocTrafficConfig;

/* A uniform rate of 0.1 in packets of 4 flits, on an 8x8 mesh of 8 virtual channels
 * with 16 flits each, XY routing, 1 cycle a hop and 2 for the endpoints. */
ArchNocTrafficConfig arch_noc_traffic_config_default(void);

typedef struct {
    uint32_t from;
    uint32_t to;
    const char *direction;
    uint64_t flits;     /* while measuring */
    double utilisation; /* flits per cycle */
} ArchNocTrafficLink;

/* Latency runs from creation, waiting at the source included, to the arrival of the
 * tail. It is that of all packets created while measuring; of those that arrived, where
 * the run is saturated. Means without a packet are not a number. */
typedef struct {
    double rate;          /* asked for */
    double injected_rate; /* made by the sources, flits per node and cycle, those that
                             send nothing included */
    double accepted_rate; /* arrived */
    double latency_mean;
    double latency_zero_load; /* of the same packets, one at a time */
    SimTime latency_p50;
    SimTime latency_p99;
    SimTime latency_max;
    double hops_mean;
    uint64_t packets; /* whose latency that is */
    /* The accepted rate is more than 5 % below the injected one, or the mean latency
     * more than three times that without load, or packets do not arrive in time. The
     * run then stopped with packets under way. */
    bool is_saturated;
    bool is_steady;       /* three windows in a row had the same mean, within 2 % */
    SimTime batch_cycles; /* of a batch: from its start to the last arrival */
    SimTime cycles;       /* measured */
    uint64_t sent;        /* packets of the whole run, those in warm-up included */
    uint64_t arrived;
    /* Every packet sent arrived once where it should, none sooner than without load;
     * of a saturated run: those that did not are still in the network. */
    bool is_conserved;
    uint64_t flit_hops;
    uint64_t events;
    guint link_count;
    double link_utilisation_mean; /* 0 without links */
    double link_utilisation_max;
    ArchNocTrafficLink *links;
    ArchNocWindows windows; /* from the start of measuring */
} ArchNocTraffic;

/* Runs one point of traffic in an engine of its own. Fails with ARCH_ERROR_INVALID,
 * SIM_ERROR_DEADLOCK, or SIM_ERROR_STOPPED when the monitor says so. */
ArchNocTraffic *arch_noc_traffic_run(const ArchNocTrafficConfig *config,
                                     GError **error);
void arch_noc_traffic_free(ArchNocTraffic *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ArchNocTraffic, arch_noc_traffic_free)

/* Frees links and windows and leaves none. */
void arch_noc_traffic_forget_links(ArchNocTraffic *self);
