/* The internals of an exchange, for its drivers and senders. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/border/fabric.h"
#include "sim/system.h"
#include "workloads/host/exchange.h"
#include "workloads/host/session.h"

typedef struct Driver Driver;
/* Carries the messages that leave a chip by one port, in order. */
typedef struct Sender Sender;

/* Ends the sender's program, and waits for that. */
void sender_end(Sender *self);

/* The system's program that runs a chip's engine in windows. */
struct Driver {
    Session *session;
    ArchFabric *fabric;
    Exchange *exchange;
    SimTime window;     /* cycles */
    SimTime horizon;    /* every event before it has run */
    SimGate *gate;      /* where the driver sleeps */
    bool is_asleep;     /* at the gate */
    GPtrArray *sent;    /* of ArchMessage, in the present window */
    GPtrArray *senders; /* of Sender, by port in order of first use */
    Launch *launch;     /* the launch that has not ended, or NULL */
    SimGate *ended;     /* where host threads wait for it */
    guint waiting;      /* the number of those threads */
};

void driver_init(Driver *self, Exchange *exchange, Session *session, double latency);
void driver_clear(Driver *self);

/* The driver's program; `data` is the driver. */
void driver_run(SimSystem *system, gpointer data);

/* Wakes the driver: it has something new to do. */
void driver_wake(Driver *self);
/* Wakes the host threads that wait for its launch. */
void driver_release(Driver *self);

/* Does its chip have nothing to do? */
bool driver_is_at_rest(const Driver *self);

/* Starts a launch at the present time. */
bool driver_launch(Driver *self, Launch *launch, GError **error);

struct Exchange {
    SessionRun *run;
    SimSystem *system;
    Driver *drivers; /* by chip */
    guint driver_count;
    guint under_way; /* messages that have not arrived yet */
    bool is_over;    /* the run ends or stops */
};
