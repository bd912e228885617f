/* The inside of a data mover. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/tensix/core.h"
#include "arch/tensix/lane_probe.h"
#include "arch/tensix/ledger.h"
#include "arch/tensix/mover/mover.h"
#include "arch/tensix/mover/reading.h"
#include "arch/tensix/mover/signals.h"
#include "arch/tensix/port/port.h"
#include "arch/tensix/zones.h"
#include "sim/ratio.h"

/* Kinds of commands, by what issuing one costs. */
typedef enum {
    COST_READ,
    COST_PAGE_READ,
    COST_WRITE,
    COST_PAGE_WRITE,
    COST_INLINE,
    COST_ATOMIC,
    COST_MULTICAST,
    COSTS,
} TensixMoverCost;

enum {
    TENSIX_CB_OPS = ARCH_MOVER_CB_PUSH + 1,
    BARRIERS = ARCH_BARRIER_FABRIC + 1,
    TENSIX_TRANSACTIONS = 16, /* ids that reads and writes carry */
};

struct TensixMoverNumbers {
    SimTime cb_cycles[TENSIX_CB_OPS];
    SimTime poll_cycles;           /* of a circular buffer's counter */
    SimTime semaphore_poll_cycles; /* of a word in L1 */
    SimTime load_cycles;
    SimRatio store_cycles;
    SimTime float_cycles;  /* of a product and a sum, in software */
    SimTime narrow_cycles; /* cycles that a store holds its bank */
    guint port;            /* L1 port of the movers */
    uint32_t row_bytes;    /* of a bank */
    SimRatio costs[COSTS];
    SimTime command_cycles;
    SimTime barrier_cycles;
    SimTime flush_cycles;
    uint64_t packet_bytes; /* at most */
    uint64_t l1_alignment;
    uint64_t dram_read_alignment;
    uint64_t dram_write_alignment;
    uint64_t channel_bytes;
    guint channel_count;
    const uint64_t *view_columns; /* of the tile that serves a channel */
    const uint64_t *view_rows;
};

typedef enum {
    WAIT_NONE,
    WAIT_CIRCULAR_BUFFER,
    WAIT_PLACE, /* in a command queue */
    WAIT_SLOT,  /* of a port */
    WAIT_BARRIER,
    WAIT_SEMAPHORE,
} TensixMoverWaitKind;

/* What it waits for, for reports and for those that may wake it. */
typedef struct {
    TensixMoverWaitKind kind;
    guint op; /* ArchMoverCbOp or ArchBarrier */
    guint cb;
    guint pages;
    uint32_t address;
    uint32_t value;
    bool is_minimum;
    guint transaction; /* of a barrier; TENSIX_TRANSACTIONS: whatever id */
    const TensixPort *port;
} TensixMoverWait;

typedef struct TensixMoverOrder TensixMoverOrder;

struct ArchMover {
    ArchTensixCore *core;
    const TensixMoverNumbers *numbers;
    ArchMoverConfig config;
    char *name; /* core[0,0].reader */
    SimProcess *process;
    ArchL1Banks *banks;    /* of its core, shared with the networks */
    TensixLane lane;       /* accounted for up to its own time */
    TensixLaneProbe probe; /* of `lane`, where somebody watches it */
    TensixZones zones;
    TensixCbLedger ledgers[CIRCULAR_BUFFERS];
    TensixMoverWait wait;
    TensixMoverReadings readings;
    TensixMoverSignals signals;
    bool is_paid;    /* the current call, or its current packet, is paid */
    bool is_polling; /* a semaphore that has not the wanted value yet */
    bool is_over;    /* the kernel has ended ahead of the engine's time */
    uint64_t offset; /* of the present packet in the call's bytes */
    uint64_t remainders[COSTS];
    uint64_t store_remainder;
    uint64_t outstanding[BARRIERS][TENSIX_TRANSACTIONS + 1]; /* by id, then all */
    TensixMoverOrder *pending; /* paid, but without a place in the queue yet */
    GQueue orders;             /* of TensixMoverOrder: under way */
    TensixPortPacket *packet;  /* the slot that the present call fills; NULL: none */
    uint64_t sent_bytes;       /* bytes of the current message in filled slots */
    GQueue packets;            /* of TensixPortPacket: that have not left */
};

static inline SimTime tensix_mover_engine_now(const ArchMover *self)
{
    return sim_region_now(sim_process_region(self->process));
}

/* Charges a call, once. Returns false if the process must sleep first. */
bool tensix_mover_pay(ArchMover *self, SimTime cycles);

/* Completes a call. */
ArchMoverResult tensix_mover_finish_call(ArchMover *self);

/* Makes the process wait until it is woken. Returns the result for the call. */
ArchMoverResult tensix_mover_block(ArchMover *self, TensixMoverWait wait);

/* Whether the engine has reached the mover's own time; if not, the process sleeps. */
bool tensix_mover_meets_engine(ArchMover *self);

/* Advances the mover's own time to the engine's, for `reason`. */
void tensix_mover_catch_up(ArchMover *self, TensixLaneReason reason);

/* Frees commands that never completed. */
void tensix_mover_drop_orders(ArchMover *self);

/* Issues a transfer, packet by packet, to the slot `packet` if that is not NULL.
 * Returns false if the process must wait. */
bool tensix_mover_issue(ArchMover *self, const ArchMoverTransfer *what);

/* Detaches its messages, which continue without it. */
void tensix_mover_drop_packets(ArchMover *self);

/* Names in kernels. */
const char *tensix_mover_barrier_name(ArchBarrier barrier);
const char *tensix_mover_call_name(const ArchMoverTransfer *what);

/* Fails with ARCH_ERROR_INVALID: alignment, ranges, cores that are not there. */
bool tensix_mover_check_transfer(const ArchMover *self,
                                 const ArchMoverTransfer *what,
                                 GError **error);
