/* The ends of Wormhole's networks: what becomes of packets that arrive at tiles. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/memory/l1_banks.h"
#include "arch/noc/dram_channel.h"
#include "arch/noc/l1_share.h"
#include "arch/noc/network.h"
#include "arch/noc/reservation.h"
#include "arch/wormhole_noc.h"
#include "sim/semaphore.h"

enum {
    NIU_NOCS = 2,
    NIU_VCS = 16,
    NIU_RESPONSE_ID = 6, /* 6 and 7: responses; noc.response_vc_count of them */
    NIU_IDS = 8,
    NIU_MULTICAST_ID = 4,
    NIU_RESPONSE_QUEUE = 4, /* injection lines 0..3 are the request channels' */
    NIU_MULTICAST_QUEUE = 5,
    NIU_QUEUES = 6,
    NIU_PLACES = 5, /* command queues: the request channels' and the multicasts' */
};

/* One command under way. */
typedef struct {
    ArchNocCommand command;
    struct NiuNoc *noc;
    uint32_t source;
    uint32_t target;
    SimTime arrived; /* at the responder */
    guint vc;        /* the channel by which its request came in */
    bool is_response;
    uint32_t read_flits;    /* of data, from an L1 so far */
    uint32_t written_flits; /* likewise, to an L1 */
    /* Of a multicast. */
    guint acks_left;
    guint arrivals_left;
    GArray *path; /* held until it has arrived everywhere */
    bool is_sent; /* its last flit has left */
} NiuTransaction;

/* Multicasts of one node go one after another. */
typedef struct {
    GQueue waiting; /* of NiuTransaction */
    bool is_busy;
    GArray *kept; /* the path of a linked one, held for the next; or NULL */
    ArchTile kept_to;
    ArchTile kept_corner;
} NiuMulticasts;

/* Serves the reads that came by one channel, one after another. */
typedef struct {
    GQueue waiting; /* of NiuTransaction */
    guint accepted; /* let in by the router and not yet being served */
    bool is_busy;
    bool is_waking;
} NiuServer;

typedef struct NiuNoc {
    struct ArchWormholeNoc *owner;
    guint index;
    NocGrid *grid;
    NocNetwork *network;
    guint vc_flits;
    guint responses; /* sent so far */
    SimTime credit_cycles;
    NiuServer *servers;            /* [node][vc] */
    guint *dram_requests;          /* [node]: accepted and not yet answered */
    NiuMulticasts *multicasts;     /* [node] */
    NocReservations *reservations; /* of the multicasts' channels */
    SimSemaphore **places; /* [node][vc]: of the command queues, made on first use */
} NiuNoc;

struct ArchWormholeNoc {
    SimRegion *region;
    const ArchParams *params;
    ArchWormholeNocOptions options;
    guint width;
    guint height;
    NiuNoc nocs[NIU_NOCS];
    ArchTileKind *kinds; /* by node */
    guint *channels;     /* by node: of DRAM tiles */
    DramChannel *drams;
    DramNumbers dram_numbers;
    ArchL1Banks **l1s;  /* by node, NULL where there is none */
    L1Share *l1_shares; /* by node */
    L1Costs l1_costs;
    guint l1_ports[NIU_NOCS][2]; /* [noc][is_read]: the first of those of a flit */
    uint32_t l1_word_bytes;
    GHashTable *transactions; /* those under way */
    guint flit_bytes;
    guint queue_places;
    guint read_places;
    guint response_vcs;
    bool is_response_vc_fixed; /* from end to end, not chosen at every hop */
    SimTime read_response_cycles;
    SimTime write_ack_cycles;
    SimTime atomic_response_cycles;
    SimTime reserve_cycles;
    SimTime reserve_cycles_per_hop;
    uint32_t multicast_cost; /* of a flit, in NOC_CYCLE parts */
    SimTime inject_cycles;
    SimTime eject_cycles;
    SimTime hop_cycles;
    SimTime link_cycles; /* of a flit */
};

extern const NocEndpointOps niu_endpoint_ops;

/* Flits of a packet with so many bytes of data. */
guint niu_flits(const ArchWormholeNoc *self, uint64_t bytes);

/* Sends the first packet of a transaction. */
void niu_begin(NiuTransaction *transaction);

/* The command queue of a transaction's node and channel. */
guint niu_place(const ArchNocCommand *command);

/* Sends the response of a transaction at `when`. */
void niu_respond_at(NiuTransaction *transaction, SimTime when);

/* Calls back: its last flit has left, which is all that a posted one waits for. */
void niu_leave(NiuTransaction *transaction);

/* Frees one that is over or given up. */
void niu_transaction_free(gpointer data);

/* Calls back, and frees the transaction. */
void niu_end(NiuTransaction *transaction);
