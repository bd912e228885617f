/* The chips of a run that send messages to each other, all on one clock.
 *
 * The engine of such a chip runs in windows: at host time t it may run to t + W, where
 * W is a cycle less than the smallest latency between two chips. What another chip
 * sends at t or later arrives at t + W or later: never in the receiver's past. Senders
 * carry what was sent in a window over the links of the system. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <lua.h>

#include "workloads/host/session.h"

typedef struct Exchange Exchange;

/* NULL, without an error, where no two chips of the run are connected. Fails where a
 * latency is shorter than windows can be. Before the run. */
Exchange *exchange_new(SessionRun *run, GError **error);
void exchange_free(Exchange *self);

/* The host program has ended well: lets chips end what it has not waited for. In it. */
void exchange_finish(Exchange *self);
/* The host program has ended: all that belongs to the exchange does so, too. In it. */
void exchange_end(Exchange *self);

/* The run has a reason to stop: wakes all who wait. May be NULL. */
void exchange_stop(Exchange *self);

/* A chip came to rest, or a host thread waits or is no more. With nobody left who could
 * act, and no message under way, those who wait do so for ever: that stops the run. May
 * be NULL. */
void exchange_check(Exchange *self);

/* For the chip of a session that has a driver; else the chip runs on its own. */

/* Waits until the chip has no launch. Raises where the run is to stop. */
void exchange_wait_idle(lua_State *L, Session *session);
/* Starts the kernels of a launch. Borrows it until it is done. */
bool exchange_launch(Session *session, Launch *launch, GError **error);
/* Waits until it is done. Raises where the run is to stop. */
void exchange_wait(lua_State *L, Session *session, const Launch *launch);
