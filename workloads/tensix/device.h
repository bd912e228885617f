/* A program on the cores: its kernels as coroutines behind their RISC-Vs. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <lua.h>

#include "sim/time.h"
#include "workloads/host/session.h"
#include "workloads/tensix/program.h"

typedef struct Device Device;

Device *device_new(Session *session);
void device_free(Device *self);

/* Puts the program at `index` on the cores. Raises where it is wrong; fails where a
 * core has no room for it. */
bool device_load(Device *self, lua_State *L, int index, GError **error);

/* Starts its kernels, in the engine's present. */
void device_start(Device *self);

/* After the engine has run: takes stock and clears the cores. */
bool device_finish(Device *self, GError **error);

/* What its kernels printed, also when the run failed. */
void device_flush(Device *self);

/* Whether a kernel has not ended yet. */
bool device_is_busy(const Device *self);

/* When its last kernel ended. */
SimTime device_end(const Device *self);
/* The mean over its cores of when their last kernels ended. */
double device_mean_end(const Device *self);
