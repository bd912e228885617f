/* Routers with virtual channels and credits, and their injection and ejection ports. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/noc/grid.h"
#include "arch/noc/packet.h"
#include "sim/engine.h"
#include "sim/lane.h"
#include "sim/probe.h"

typedef struct NocNetwork NocNetwork;

/* Costs of flits at endpoints, in parts of a cycle. */
#define NOC_CYCLE 10000

/* Said in place of outputs: the packet may choose. */
#define NOC_CHOICE (1U << NOC_PORTS_MAXIMUM)

/* What a packet may choose from at a router: one of several outputs, where it gets any
 * channel but those for escape, or one output where it gets such a channel. */
typedef struct {
    uint8_t outs;      /* a bit each; the node's own port only alone */
    uint8_t escape;    /* likewise, or none */
    uint8_t escape_vc; /* below escape_count */
} NocChoice;

/* What a node does with the network; functions that are NULL do nothing. All are called
 * within the network's cycle. */
typedef struct {
    /* The outputs, a bit each, through which a packet leaves `node`. */
    uint32_t (*route)(gpointer data, uint32_t node, NocPacket *packet);
    /* What it may choose from, if `route` says NOC_CHOICE. */
    NocChoice (*choose)(gpointer data, uint32_t node, NocPacket *packet);
    /* May the packet's head enter the node now? If not, kick the node later. */
    bool (*accept)(gpointer data, uint32_t node, uint32_t packet, guint vc);
    /* The cost of a flit at the node's own port, in or out, at least NOC_CYCLE. Header
     * flits always cost NOC_CYCLE. */
    uint32_t (*cost)(gpointer data, uint32_t node, const NocPacket *packet, bool is_in);
    /* The packet's last flit has gone into the first router. */
    void (*sent)(gpointer data, uint32_t node, uint32_t packet);
    /* The packet's last flit has arrived. The packet is removed afterwards, unless it
     * goes on to other nodes. */
    void (*arrived)(gpointer data, uint32_t node, uint32_t packet);
    /* The packet's last flit leaves `node` through output `out` by channel `vc`. */
    void (*passed)(gpointer data, uint32_t node, guint out, guint vc, uint32_t packet);
} NocEndpointOps;

typedef struct {
    const NocGrid *grid; /* borrowed */
    guint id_count;      /* virtual channels but for the dateline bit */
    bool has_dateline;   /* channel = id * 2 + bit; else channel = id */
    guint escape_count;  /* of these, the first ones: for escape only */
    guint vc_flits;      /* capacity of a channel at each input */
    guint pool_flits;    /* shared by all channels of an input, beyond one each; 0: no
                          * pool */
    bool is_serial;      /* a node injects one packet at a time */
    bool takes_in_turn;  /* a node takes one packet of a channel at a time */
    guint queue_count;   /* injection queues of a node */
    SimTime hop_cycles;  /* at least 1 */
    SimTime link_cycles; /* of a link for a flit; 0 means 1 */
    SimTime
        gap_cycles; /* of a channel, from a packet's last flit to the next's first */
    SimTime inject_cycles;
    SimTime eject_cycles;
    SimTime credit_cycles; /* at least 1 */
    const char *name;      /* in reports: noc0 */
} NocNetworkConfig;

/* Memory that such a network takes before it carries anything. */
uint64_t noc_network_bytes(const NocNetworkConfig *config);

NocNetwork *noc_network_new(SimRegion *region,
                            SimKey key,
                            const NocNetworkConfig *config,
                            const NocEndpointOps *ops,
                            gpointer data);
void noc_network_free(NocNetwork *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(NocNetwork, noc_network_free)

/* Pointers to packets are valid until the next one is sent. */
NocPacket *noc_network_packet(NocNetwork *self, uint32_t packet);
uint64_t noc_network_pending(const NocNetwork *self);

/* Called at `now`, the first cycle at or after `when` in which the network has
 * something to do. Nothing has moved since `when`. */
typedef void (*NocWatchFunc)(gpointer data, SimTime now);

/* Calls `func` once; SIM_TIME_NEVER cancels it. */
void noc_network_watch(NocNetwork *self,
                       SimTime when,
                       NocWatchFunc func,
                       gpointer data);

/* The cycle after the last one in which it had something to do; 0 if there was none. */
SimTime noc_network_quiet_since(const NocNetwork *self);

/* Reports to the watcher when each link is busy, on the lanes from `first` on of a grid
 * with one unit per direction. Call it between runs. */
void noc_network_show_links(NocNetwork *self, SimLane first);

/* Flits for which there is room beyond the output, but for the channels for escape. */
guint noc_network_room(const NocNetwork *self, uint32_t node, guint port);

/* Flits that left `node` through `port`. */
uint64_t noc_network_flits(const NocNetwork *self, uint32_t node, guint port);
uint64_t noc_network_flit_hops(const NocNetwork *self);

/* Queues a packet at its source. */
uint32_t noc_network_send(NocNetwork *self, const NocPacket *packet);

/* Tells the network that `accept` may decide differently for this node now. */
void noc_network_kick(NocNetwork *self, uint32_t node);

typedef struct NocLinkProbe NocLinkProbe;

/* Lanes from `first` on, of a grid with a unit for each direction. */
NocLinkProbe *noc_link_probe_new(SimRegion *region, SimLane first, const NocGrid *grid);
void noc_link_probe_free(NocLinkProbe *self); /* accepts NULL */

/* Records that a flit leaves `node` through `port` and takes its link for this cycle.
 * The node's own port is not a link. */
void noc_link_probe_flit(NocLinkProbe *self, uint32_t node, guint port, SimTime now);

/* Hands slices to the watcher that were kept open for further flits. Call it when no
 * flit follows in the next cycle. */
void noc_link_probe_flush(NocLinkProbe *self);
