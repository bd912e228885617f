/* The chips of a run that send messages to each other, all on one clock.
 *
 * The engine of such a chip runs in windows: at host time t it may run to t + W, where
 * W is one cycle less than the smallest latency between two chips. A message sent at t
 * or later arrives at t + W or later: never in the receiver's past. Senders carry the
 * messages of a window over the links of the system. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <lua.h>

#include "workloads/host/session.h"

typedef struct Exchange Exchange;

/* Call it before the run. Returns NULL without an error if no two chips of the run are
 * connected. Fails if a latency is shorter than a window can be. */
Exchange *exchange_new(SessionRun *run, GError **error);
void exchange_free(Exchange *self);

/* The host program has succeeded: lets chips finish what it did not wait for. Call it
 * in that program. */
void exchange_finish(Exchange *self);
/* The host program has ended: ends everything that belongs to the exchange. Call it in
 * that program. */
void exchange_end(Exchange *self);

/* The run is to stop: wakes everything that waits. `self` may be NULL. */
void exchange_stop(Exchange *self);

/* Call it when a chip came to rest, or a host thread waits or has ended. If nothing is
 * left that could act and no message is under way, the waits would last for ever: that
 * stops the run. `self` may be NULL. */
void exchange_check(Exchange *self);

/* For the chip of a session with a driver; other chips run on their own. */

/* Waits until the chip has no launch. Raises if the run is to stop. */
void exchange_wait_idle(lua_State *L, Session *session);
/* Starts the kernels of a launch. Borrows it until it is done. */
bool exchange_launch(Session *session, Launch *launch, GError **error);
/* Waits until the launch is done. Raises if the run is to stop. */
void exchange_wait(lua_State *L, Session *session, const Launch *launch);
