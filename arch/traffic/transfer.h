/* Transfers as the silicon tests do them: cores issue commands and wait at a barrier,
 * and each core's own clock says how long that took. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/chipfile/params.h"
#include "arch/noc.h"
#include "arch/wormhole_noc.h"
#include "sim/engine.h"
#include "sim/ratio.h"

typedef enum {
    ARCH_TRANSFER_READ,
    ARCH_TRANSFER_WRITE,
    ARCH_TRANSFER_INLINE,        /* 4-byte writes */
    ARCH_TRANSFER_ATOMIC,        /* semaphore increments, a barrier after each */
    ARCH_TRANSFER_BIDIRECTIONAL, /* a write and a read, over and over */
    ARCH_TRANSFER_PAGE_READ,     /* addresses are computed page by page */
    ARCH_TRANSFER_PAGE_WRITE,
    ARCH_TRANSFER_MULTICAST,
    ARCH_TRANSFER_MULTICAST_LINKED, /* the last one unlinked */
    ARCH_TRANSFER_READ_AFTER_WRITE, /* writes to the first peer; when the i-th has left,
                                     * the i-th read from the second */
    ARCH_TRANSFER_WRITE_AFTER_READ, /* reads from the first peer; when the i-th has
                                     * come, the i-th write to the second */
    ARCH_TRANSFER_RECEIVE, /* signals the peer's core, and waits for a signal */
} ArchTransferOp;

typedef enum {
    ARCH_TRANSFER_AT_ONCE,
    ARCH_TRANSFER_BARRIER, /* as tt-metal's tests do it: each core increments a counter
                            * at the first core, and reads it until all have */
} ArchTransferStart;

/* One core and whom it talks to, one after another. */
typedef struct {
    ArchTile core;
    const ArchTile *peers;
    gsize peer_count;
} ArchTransferAgent;

/* What one kernel does on all its cores. */
typedef struct ArchTransferConfig ArchTransferConfig;
struct ArchTransferConfig {
    ArchTransferOp op;
    guint noc;
    guint vc;
    guint vc_count;   /* channels from `vc` on, by turns; 0 is 1 */
    uint64_t bytes;   /* of one command */
    uint64_t count;   /* commands to each peer, or in all if by turns */
    bool is_by_turns; /* the i-th command goes to peer i mod peer_count */
    bool is_posted;
    bool is_stateful;
    bool is_old_api;
    SimRatio issue_cycles; /* of a command, in place of the chip's; 0 is the chip's */
    SimRatio peer_cycles;  /* of turning to another peer, on top of it */
    ArchTile corner;       /* multicast: from the peer to here */
    bool is_loopback;
    /* Signals between the cores of this kernel and those of the one beside it. A
     * multicast waits for `await_count` of them and sends a flag after its data, which
     * signals all that receive it. A page that was read signals its core, which then
     * writes it; both wait at a barrier for every page. */
    uint64_t await_count;
    bool is_chained;
    const ArchTransferConfig *beside; /* a kernel that runs at the same time, or NULL */
    const ArchTransferAgent *agents;
    gsize agent_count;
    /* The first kernel's hold for both. */
    ArchTransferStart start;
    SimTime start_skew_cycles; /* between the starts of two agents */
    ArchWormholeNocOptions options;
    SimMonitorFunc monitor; /* or NULL */
    gpointer monitor_data;
};

typedef struct {
    GArray *cycles;   /* of SimTime, by agent: issue and barrier included */
    GArray *beside;   /* likewise of the kernel beside it; NULL without one */
    SimTime spans[2]; /* of each kernel, from the first start to the last end */
    SimTime total;    /* of both together */
    uint64_t events;
    GArray *links[2];       /* of ArchWormholeLink, by network */
    ArchNocWindows windows; /* links of NoC 0, then those of NoC 1 */
} ArchTransferResult;

void arch_transfer_result_clear(ArchTransferResult *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(ArchTransferResult, arch_transfer_result_clear)

/* The median agent, as the published tables give it. */
double arch_transfer_median(const ArchTransferResult *self);

/* The same of the kernel beside it. */
double arch_transfer_median_beside(const ArchTransferResult *self);

/* Runs in an engine of its own. Fails with ARCH_ERROR_INVALID (a tile off the grid, or
 * without that function), or SIM_ERROR_STOPPED when the monitor says so. */
bool arch_transfer_run(const ArchTransferConfig *config,
                       const ArchParams *params,
                       ArchTransferResult *result,
                       GError **error);
