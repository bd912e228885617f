/* The inside of an exchange, for its drivers and senders. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/border/fabric.h"
#include "sim/system.h"
#include "workloads/host/exchange.h"
#include "workloads/host/session.h"

typedef struct Driver Driver;
/* A sender carries the messages that leave a chip by one port, in order. */
typedef struct Sender Sender;

/* Ends its program, and waits until it has. */
void sender_end(Sender *self);

/* The program of the system that runs a chip's engine in windows. */
struct Driver {
    Session *session;
    ArchFabric *fabric;
    Exchange *exchange;
    SimTime window;     /* cycles */
    SimTime horizon;    /* every event before it has run */
    SimGate *gate;      /* where the driver sleeps */
    bool is_asleep;     /* there */
    GPtrArray *sent;    /* of ArchMessage, in the present window */
    GPtrArray *senders; /* of Sender, by port as they came */
    Launch *launch;     /* that has not ended, or NULL */
    SimGate *ended;     /* where host threads wait for it */
    guint waiting;      /* so many */
};

void driver_init(Driver *self, Exchange *exchange, Session *session, double latency);
void driver_clear(Driver *self);

/* The program; `data` is a driver. */
void driver_run(SimSystem *system, gpointer data);

/* There is something new for it. */
void driver_wake(Driver *self);
/* Lets go on who waits for its launch. */
void driver_release(Driver *self);

/* Has its chip nothing to do? */
bool driver_is_at_rest(const Driver *self);

/* Starts a launch, in the present. */
bool driver_launch(Driver *self, Launch *launch, GError **error);

struct Exchange {
    SessionRun *run;
    SimSystem *system;
    Driver *drivers; /* by chip */
    guint driver_count;
    guint under_way; /* messages that have not come in yet */
    bool is_over;    /* the run ends or stops */
};
