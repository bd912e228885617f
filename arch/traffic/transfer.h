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

typedef enum {
    ARCH_TRANSFER_READ,
    ARCH_TRANSFER_WRITE,
    ARCH_TRANSFER_INLINE,        /* 4-byte writes */
    ARCH_TRANSFER_ATOMIC,        /* semaphore increments, a barrier after each */
    ARCH_TRANSFER_BIDIRECTIONAL, /* a write and a read, over and over */
    ARCH_TRANSFER_PAGE_READ,     /* page i from DRAM channel i mod 12 */
    ARCH_TRANSFER_PAGE_WRITE,
    ARCH_TRANSFER_MULTICAST,
    ARCH_TRANSFER_MULTICAST_LINKED, /* the last one unlinked */
} ArchTransferOp;

/* One core and whom it talks to, one after another. */
typedef struct {
    ArchTile core;
    const ArchTile *peers;
    gsize peer_count;
} ArchTransferAgent;

typedef struct {
    ArchTransferOp op;
    guint noc;
    guint vc;
    uint64_t bytes; /* of one command */
    uint64_t count; /* commands to each peer */
    bool is_posted;
    bool is_stateful;
    bool is_old_api;
    ArchTile corner; /* multicast: from the peer to here */
    bool is_loopback;
    SimTime start_skew_cycles; /* between the starts of two agents */
    const ArchTransferAgent *agents;
    gsize agent_count;
    ArchWormholeNocOptions options;
    SimMonitorFunc monitor; /* or NULL */
    gpointer monitor_data;
} ArchTransferConfig;

typedef struct {
    GArray *cycles; /* of SimTime, by agent: issue and barrier included */
    SimTime total;  /* from the first start to the last end */
    uint64_t events;
    GArray *links[2];       /* of ArchWormholeLink, by network */
    ArchNocWindows windows; /* links of NoC 0, then those of NoC 1 */
} ArchTransferResult;

void arch_transfer_result_clear(ArchTransferResult *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(ArchTransferResult, arch_transfer_result_clear)

/* The median agent, as the published tables give it. */
double arch_transfer_median(const ArchTransferResult *self);

/* Runs in an engine of its own. Fails with ARCH_ERROR_INVALID (a tile off the grid, or
 * without that function), or SIM_ERROR_STOPPED when the monitor says so. */
bool arch_transfer_run(const ArchTransferConfig *config,
                       const ArchParams *params,
                       ArchTransferResult *result,
                       GError **error);
