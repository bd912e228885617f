/* The inside of a port. */
#pragma once

#include <stdint.h>

#include <glib.h>

#include "arch/border/fabric.h"
#include "arch/chipfile/params.h"
#include "arch/noc/handover.h"
#include "arch/tensix/core.h"
#include "arch/tensix/port/port.h"
#include "arch/wormhole_noc.h"
#include "sim/lane.h"
#include "sim/ratio.h"
#include "sim/semaphore.h"

/* The costs and sizes of a port, from the chip file. */
typedef struct {
    ArchTile tile;
    guint slot_count;
    uint64_t slot_bytes;
    SimRatio initiate_cycles; /* of the worker, for an outgoing message */
    SimRatio write_cycles;    /* likewise, for a command of an incoming message */
    SimRatio atomic_cycles;
    uint64_t word_bytes; /* of the wire, which carries whole words */
    uint64_t payload_limit_bytes;
    uint64_t overhead_bytes; /* of each packet of the wire */
    guint receive_noc;
    SimTime command_cycles; /* from the port to the network */
    uint64_t command_bytes; /* most bytes of a network command */
} TensixPortNumbers;

TensixPortNumbers tensix_port_numbers_read(const ArchParams *params, ArchPort which);

typedef enum {
    TENSIX_PORT_OUT,
    TENSIX_PORT_IN,
    TENSIX_PORT_WAYS,
} TensixPortWay;

/* An incoming message, until all of it is in place. */
typedef struct {
    TensixPort *port;
    ArchMessage *message;
    uint64_t offset;     /* of the next command in its bytes */
    bool is_incremented; /* that command is issued too */
    guint commands_left; /* commands that have not landed */
    GList link;          /* in the port's arrivals */
} TensixPortArrival;

/* A command of the network that the port has issued. */
typedef struct {
    NocHandover handover;
    TensixPortArrival *arrival; /* NULL once it has landed */
    TensixPort *port;
    uint64_t offset; /* of its bytes in the message's */
    GList link;      /* in the port's orders */
} TensixPortOrder;

/* A job of a worker: one of the two. */
typedef struct {
    TensixPortPacket *packet;
    TensixPortArrival *arrival;
} TensixPortJob;

/* A worker handles messages one at a time, in order of arrival. */
typedef struct {
    TensixPort *port;
    SimProcess *process;
    bool is_started;
    GQueue jobs; /* of TensixPortJob; the first is the present one */
    bool is_paid;
    SimTime since; /* when it began the work that is paid */
    uint64_t initiate_remainder;
    uint64_t write_remainder;
    uint64_t atomic_remainder;
    TensixPortOrder *order; /* paid, without a place in the command queue */
} TensixPortWorker;

struct TensixPort {
    ArchTensix *tensix;
    ArchPort which;
    char *name;
    TensixPortNumbers numbers;
    SimKey key;
    SimLane lanes[TENSIX_PORT_WAYS];
    SimSemaphore *slots;
    TensixPortWorker
        workers[TENSIX_PORT_WAYS]; /* an Ethernet tile has one for both, the first */
    GHashTable *packets;           /* of TensixPortPacket: all of them */
    GQueue leaving;                /* of TensixPortPacket: handed over */
    GQueue arrivals;               /* of TensixPortArrival */
    GQueue orders;                 /* of TensixPortOrder */
};

static inline SimRegion *tensix_port_region(const TensixPort *self)
{
    return sim_engine_region(self->tensix->engine, 0);
}

/* Adds a job for the worker of a way. */
void tensix_port_work(TensixPort *self, TensixPortWay way, TensixPortJob job);

/* Issues the next command of an incoming message. Returns true when none is left, and
 * false if the process sleeps or waits. */
bool tensix_port_receive(TensixPortWorker *worker, TensixPortArrival *arrival);

void tensix_port_order_free(TensixPortOrder *order);
void tensix_port_arrival_free(TensixPortArrival *arrival);

/* What a watcher sees: work on a message, from `since` to now, and its bytes. */
void tensix_port_show_work(const TensixPort *self,
                           TensixPortWay way,
                           SimTime since,
                           uint64_t bytes,
                           guint chip);
