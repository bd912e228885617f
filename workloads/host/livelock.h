/* Ends runs in which programs go on for ever without changing anything. */
#pragma once

#include <lua.h>

#include "workloads/host/session.h"

/* Watches the chip of a session from now on, if the machine says so. */
void livelock_watch(Session *self);

/* The host program did something that a chip, or its own later calls, can see. */
void livelock_host_worked(SessionRun *run);

/* The host program spent `seconds` on a call that only lets time pass, or on `call`,
 * which reads a `place` (not 0) of the chip. They raise the error of a livelock. */
void livelock_host_slept(lua_State *L, Session *self, double seconds);
void livelock_host_read(
    lua_State *L, Session *self, double seconds, const char *call, uint64_t place);

/* Adds a line for each waiter of the chips: of all of them, with their numbers, if they
 * send messages to each other, else of this one. Returns how many there are. */
guint livelock_list(const Session *self, GString *list);
