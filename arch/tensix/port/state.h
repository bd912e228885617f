/* What is inside a port. */
#pragma once

#include "arch/noc/handover.h"
#include "arch/tensix/core.h"
#include "arch/tensix/port/numbers.h"
#include "arch/tensix/port/port.h"
#include "sim/lane.h"
#include "sim/semaphore.h"

typedef enum {
    PORT_OUT,
    PORT_IN,
    PORT_WAYS,
} PortWay;

/* A message that comes in, until all of it is where it belongs. */
typedef struct {
    Port *port;
    ArchMessage *message;
    uint64_t offset;     /* of the next command in its bytes */
    bool is_incremented; /* that command is issued too */
    guint commands_left; /* that have not landed */
    GList link;          /* in the port's arrivals */
} PortArrival;

/* A command of the network that the port has issued. */
typedef struct {
    NocHandover handover;
    PortArrival *arrival; /* NULL once it has landed */
    Port *port;
    uint64_t offset; /* of its bytes in the message's */
    GList link;      /* in the port's orders */
} PortOrder;

/* Something to do: one of the two. */
typedef struct {
    PortPacket *packet;
    PortArrival *arrival;
} PortJob;

/* Whoever works on messages, one at a time, in the order in which they came. */
typedef struct {
    Port *port;
    SimProcess *process;
    bool is_started;
    GQueue jobs; /* of PortJob; the first is the present one */
    bool is_paid;
    SimTime since; /* that it works on what is paid */
    uint64_t initiate_remainder;
    uint64_t write_remainder;
    uint64_t atomic_remainder;
    PortOrder *order; /* paid, without a place in the command queue */
} PortWorker;

struct Port {
    ArchTensix *tensix;
    ArchPort which;
    char *name;
    PortNumbers numbers;
    SimKey key;
    SimLane lanes[PORT_WAYS];
    SimSemaphore *slots;
    PortWorker workers[PORT_WAYS]; /* an Ethernet tile has one for both, the first */
    GHashTable *packets;           /* of PortPacket: all of them */
    GQueue leaving;                /* of PortPacket: handed over */
    GQueue arrivals;               /* of PortArrival */
    GQueue orders;                 /* of PortOrder */
};

static inline SimRegion *port_region(const Port *self)
{
    return sim_engine_region(self->tensix->engine, 0);
}

/* Adds to what a way's worker has to do. */
void port_work(Port *self, PortWay way, PortJob job);

/* Goes on with a message that comes in: the next of its commands. True when there is
 * none left; false when the process sleeps or waits. */
bool port_receive(PortWorker *worker, PortArrival *arrival);

void port_order_free(PortOrder *order);
void port_arrival_free(PortArrival *arrival);

/* What a watcher sees: work on a message, from `since` to now, and its bytes. */
void port_show_work(
    const Port *self, PortWay way, SimTime since, uint64_t bytes, guint chip);
