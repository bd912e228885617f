/* The endpoints of Wormhole's networks: what happens to packets that arrive at tiles.
 */
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
    NOC_NIU_NOCS = 2,
    NOC_NIU_VCS = 16,
    NOC_NIU_MULTICAST_IDS = 2,  /* they follow the requests' */
    NOC_NIU_RESPONSE_IDS = 2,   /* then these; noc.response_vc_count of them */
    NOC_NIU_RESPONSE_QUEUE = 4, /* injection lines 0..3 are the request channels' */
    NOC_NIU_MULTICAST_QUEUE = 5,
    NOC_NIU_QUEUES = 6,
    NOC_NIU_PLACES = 5, /* command queues: the request channels' and the multicasts' */
};

/* One command under way. */
typedef struct {
    ArchNocCommand command;
    struct NocNiuNoc *noc;
    uint32_t source;
    uint32_t target;
    SimTime arrived; /* at the responder */
    guint vc;        /* the channel by which its request came in */
    bool is_response;
    bool is_outstanding;    /* counted as such */
    uint32_t read_flits;    /* of data, from an L1 so far */
    uint32_t written_flits; /* likewise, to an L1 */
    /* Of a multicast. */
    guint acks_left;
    NocHold *hold;   /* of its tree; each channel until it has passed */
    bool is_sent;    /* its last flit has left */
    bool keeps_path; /* for the one behind it */
} NocNiuTransaction;

/* Multicasts of one node go one after another. */
typedef struct {
    GQueue waiting; /* of NocNiuTransaction */
    bool is_busy;
    NocHold *kept; /* of a linked one's tree, for the next; or NULL */
    ArchNocCommand kept_by;
} NocNiuMulticasts;

/* Serves the reads that arrived on one channel, one after another. */
typedef struct {
    GQueue waiting; /* of NocNiuTransaction */
    guint accepted; /* accepted from the router but not yet being served */
    SimTime began;  /* to serve the last one */
    SimTime free;   /* when it can serve the next */
    bool is_busy;
    bool is_waking;
} NocNiuServer;

typedef struct NocNiuNoc {
    struct ArchWormholeNoc *owner;
    guint index;
    NocGrid *grid;
    const ArchNocRoutes *routes; /* borrowed; NULL: one axis after the other */
    bool is_y_first;
    guint request_ids;   /* channels of requests */
    guint dateline_bits; /* of a channel, below its id */
    NocNetwork *network;
    guint vc_flits;
    guint responses; /* sent so far */
    SimTime credit_cycles;
    NocNiuServer *servers;         /* [node][vc] */
    guint *dram_requests;          /* [node]: accepted and not yet answered */
    guint *outstanding;            /* [node]: commands that wait for their responses */
    GQueue *held;                  /* [node]: commands that wait for one of these */
    NocNiuMulticasts *multicasts;  /* [node] */
    NocReservations *reservations; /* of the multicasts' channels */
    SimSemaphore **places; /* [node][vc]: of the command queues, made on first use */
} NocNiuNoc;

struct ArchWormholeNoc {
    SimRegion *region;
    const ArchParams *params;
    ArchWormholeNocOptions options;
    guint width;
    guint height;
    NocNiuNoc nocs[NOC_NIU_NOCS];
    ArchTileKind *kinds; /* by node */
    guint *channels;     /* by node: of DRAM tiles */
    NocDramChannel *drams;
    NocDramNumbers dram_numbers;
    ArchL1Banks **l1s;     /* by node, NULL where there is none */
    NocL1Share *l1_shares; /* by node */
    NocL1Costs l1_costs;
    guint l1_ports[NOC_NIU_NOCS][2]; /* [noc][is_read]: the first of those of a flit */
    uint32_t l1_word_bytes;
    GHashTable *transactions; /* those under way */
    guint flit_bytes;
    guint queue_places;
    guint read_places;
    guint outstanding_most;
    guint response_vcs;
    bool is_response_vc_fixed; /* from end to end, not chosen at every hop */
    SimTime read_response_cycles;
    SimTime read_gap_cycles;
    SimTime read_interval_cycles; /* of a channel, between two starts at least */
    SimTime write_ack_cycles;
    SimTime atomic_response_cycles;
    SimTime atomic_cycles; /* of a word's unit for each */
    SimTime *atomic_free;  /* by node: when the unit can take the next */
    SimTime reserve_cycles;
    SimTime reserve_cycles_per_hop;
    SimTime handover_cycles;
    uint32_t multicast_cost; /* of a flit, in NOC_CYCLE parts */
    SimTime inject_cycles;
    SimTime eject_cycles;
    SimTime hop_cycles;
    SimTime link_cycles; /* of a flit */
};

extern const NocEndpointOps noc_niu_endpoint_ops;

/* Flits of a packet with so many bytes of data. */
guint noc_niu_flits(const ArchWormholeNoc *self, uint64_t bytes);

/* Sends the first packet of a transaction. */
void noc_niu_begin(NocNiuTransaction *transaction);

/* The command queue of a transaction's node and channel. */
guint noc_niu_place(const ArchNocCommand *command);

/* Sends the response of a transaction at `when`. */
void noc_niu_respond_at(NocNiuTransaction *transaction, SimTime when);

/* Calls back that its last flit has left. A posted command waits for nothing more. */
void noc_niu_leave(NocNiuTransaction *transaction);

/* Frees a transaction that is over or abandoned. */
void noc_niu_transaction_free(gpointer data);

/* Calls back, and frees the transaction. */
void noc_niu_end(NocNiuTransaction *transaction);
