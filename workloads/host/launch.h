/* Kernels: Lua functions that run on the chip as blocking processes. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <lua.h>

#include "sim/time.h"
#include "workloads/host/family.h"
#include "workloads/host/session.h"

/* A set of kernels that were started together. */
void launch_free(Launch *self);

/* Reads the list of { name = ..., kernel = function(core) } at `index`, or loads the
 * family's program there onto the chip; or raises. */
Launch *launch_new(lua_State *L, Session *session, int index);

/* A program of that kind, which it takes, that has been loaded onto the chip. */
Launch *launch_of(Session *session, const HostProgram *kind, gpointer program);

/* Runs the kernels to their end on the chip's engine, starting at the present host
 * time. */
bool launch_run(Launch *self, GError **error);

/* The same for a chip run by a driver: starts the kernels and, when the chip is at rest
 * or has failed, collects the results. */
void launch_begin(Launch *self);
bool launch_finish(Launch *self, bool is_done, GError **error);

/* Whether a kernel of a program is still running. */
bool launch_is_busy(const Launch *self);

/* The cycles from its start to the end of its last kernel. */
/* When simulated time last moved on for a kernel of a list. */
SimTime launch_progress(const Launch *self);

SimTime launch_cycles(const Launch *self);
/* The mean of that over cores; for kernels without a program, the same. */
double launch_mean_cycles(const Launch *self);

/* The host's time when its last kernel ended. */
double launch_end_seconds(const Launch *self);
