/* Kernels: Lua functions that run on the chip as blocking processes. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <lua.h>

#include "sim/time.h"
#include "workloads/host/session.h"

/* A set of kernels that were started together. */
void launch_free(Launch *self);

/* Reads the list of { name = ..., kernel = function(core) } at `index`, or puts the
 * program there on the chip, where its family has some; or raises. */
Launch *launch_new(lua_State *L, Session *session, int index);

/* Runs the kernels to their end on the chip's engine, from the present host time on. */
bool launch_run(Launch *self, GError **error);

/* The same for a chip that somebody else runs: starts the kernels, and, when the chip
 * is at rest or has failed, takes stock. */
void launch_begin(Launch *self);
bool launch_finish(Launch *self, bool is_done, GError **error);

/* Whether a kernel of a program has not ended yet. */
bool launch_is_busy(const Launch *self);

/* From its start until its last kernel ended. */
SimTime launch_cycles(const Launch *self);
/* The mean over cores of the same; that again where it is no program. */
double launch_mean_cycles(const Launch *self);

/* The host's time when its last kernel ended. */
double launch_end_seconds(const Launch *self);
