/* Keeps watch while a command simulates: shows how far it is, and stops it on Ctrl-C or
 * when its time is up. One command may simulate several times, one after another. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "sim/time.h"
#include "tools/gridloom/watchdog.h"

typedef struct Vigil Vigil;

/* Before any other thread is made. The progress line has `name` and shows simulated
 * time at `hertz`; `is_shown` as of progress_new(), `limit_seconds` as of
 * watchdog_new(). */
Vigil *vigil_new(const char *name, double hertz, double limit_seconds, bool is_shown);
void vigil_free(Vigil *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Vigil, vigil_free)

/* For what can only be asked to stop: watchdog_is_stopping() takes it. Borrowed. */
Watchdog *vigil_watchdog(Vigil *self);

/* The next of `count` simulations begins; a single one says nothing of percents. The
 * cycles and events of those before it add up. */
void vigil_begin(Vigil *self, guint index, guint count);

/* A SimMonitorFunc; `data` is the vigil. */
bool vigil_observe(gpointer data, SimTime now, uint64_t events);

/* What the simulation that has just ended took: observing may have missed its end. */
void vigil_end(Vigil *self, SimTime cycles, uint64_t events);

/* Events of all simulations that have ended. */
uint64_t vigil_events(const Vigil *self);

/* Real time since the vigil began. */
double vigil_seconds(const Vigil *self);

/* Takes the progress line away, says why the command failed, and returns its exit code:
 * interrupted, out of time, or what `error` is. */
int vigil_complain(Vigil *self, const GError *error);

/* Takes the progress line away. */
void vigil_hush(Vigil *self);
