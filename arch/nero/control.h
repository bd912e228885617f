/* The AXI-lite control bus and the host's threads behind it, which hand windows to PEs
 * and are told when they are done. */
#pragma once

#include <glib.h>

#include "arch/chipfile/params.h"
#include "arch/nero/server.h"

typedef struct NeroControl NeroControl;

/* A part that asks for windows. It must not move in memory while it waits. */
typedef struct {
    NeroControl *control;
    void (*given)(gpointer data);
    gpointer data;
} NeroAsker;

/* Numbers from sections [control] and [link]. `notified` is called once for each
 * notification, when it has reached the host. */
NeroControl *
nero_control_new(SimRegion *region, SimKey key, SimLane lane, const ArchParams *params);
void nero_control_free(NeroControl *self);

void nero_control_listen(NeroControl *self,
                         void (*notified)(gpointer data),
                         gpointer data);

/* A request crosses the link to the host, where a thread takes it, host_cycles long.
 * What it writes crosses the link back and goes over the bus into the registers of the
 * window. Then asker->given() is called. */
void nero_control_ask(NeroControl *self, NeroAsker *asker);

/* Writes one register and then notifies the host. */
void nero_control_notify(NeroControl *self);

uint64_t nero_control_busy_cycles(const NeroControl *self);
/* Of threads of the host, for windows. */
uint64_t nero_control_host_cycles(const NeroControl *self);
/* See nero_server_flush(). */
void nero_control_flush(NeroControl *self);
