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
    SimRatio initiate_cycles; /* of whoever works there, for a message that leaves */
    SimRatio write_cycles;    /* likewise, for a command of one that comes in */
    SimRatio atomic_cycles;
    uint64_t word_bytes; /* of the wire; what it takes is a multiple of them */
    uint64_t payload_limit_bytes;
    uint64_t overhead_bytes; /* of each packet of the wire */
    guint receive_noc;
    SimTime command_cycles; /* from there to the network */
    uint64_t command_bytes; /* at most, of a command of the network */
} TensixPortNumbers;

TensixPortNumbers tensix_port_numbers_read(const ArchParams *params, ArchPort which);

typedef enum {
    TENSIX_PORT_OUT,
    TENSIX_PORT_IN,
    TENSIX_PORT_WAYS,
} TensixPortWay;

/* A message that comes in, until all of it is where it belongs. */
typedef struct {
    TensixPort *port;
    ArchMessage *message;
    uint64_t offset;     /* of the next command in its bytes */
    bool is_incremented; /* that command is issued too */
    guint commands_left; /* that have not landed */
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

/* Something to do: one of the two. */
typedef struct {
    TensixPortPacket *packet;
    TensixPortArrival *arrival;
} TensixPortJob;

/* Whoever works on messages, one at a time, in the order in which they came. */
typedef struct {
    TensixPort *port;
    SimProcess *process;
    bool is_started;
    GQueue jobs; /* of TensixPortJob; the first is the present one */
    bool is_paid;
    SimTime since; /* that it works on what is paid */
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

/* Adds to what a way's worker has to do. */
void tensix_port_work(TensixPort *self, TensixPortWay way, TensixPortJob job);

/* Goes on with a message that comes in: the next of its commands. True when there is
 * none left; false when the process sleeps or waits. */
bool tensix_port_receive(TensixPortWorker *worker, TensixPortArrival *arrival);

void tensix_port_order_free(TensixPortOrder *order);
void tensix_port_arrival_free(TensixPortArrival *arrival);

/* What a watcher sees: work on a message, from `since` to now, and its bytes. */
void tensix_port_show_work(const TensixPort *self,
                           TensixPortWay way,
                           SimTime since,
                           uint64_t bytes,
                           guint chip);
