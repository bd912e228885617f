/* Keeps watch while a command simulates: shows how far it is, and stops it on Ctrl-C or
 * when its time is up. One command may simulate several times, one after another. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "sim/time.h"
#include "tools/gridloom/watchdog.h"

typedef struct Monitor Monitor;

/* Before any other thread is made. The progress line has `name` and shows simulated
 * time at `hertz`; `is_shown` as of progress_new(), `limit_seconds` as of
 * watchdog_new(). */
Monitor *
monitor_new(const char *name, double hertz, double limit_seconds, bool is_shown);
void monitor_free(Monitor *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Monitor, monitor_free)

/* For what can only be asked to stop: watchdog_is_stopping() takes it. Borrowed. */
Watchdog *monitor_watchdog(Monitor *self);

/* The next of `count` simulations begins; a single one says nothing of percents. The
 * cycles and events of those before it add up. */
void monitor_begin(Monitor *self, guint index, guint count);

/* A SimMonitorFunc; `data` is the monitor. */
bool monitor_observe(gpointer data, SimTime now, uint64_t events);

/* What the simulation that has just ended took: observing may have missed its end. */
void monitor_end(Monitor *self, SimTime cycles, uint64_t events);

/* Events of all simulations that have ended. */
uint64_t monitor_events(const Monitor *self);

/* Real time since the monitor began. */
double monitor_seconds(const Monitor *self);

/* Takes the progress line away, says why the command failed, and returns its exit code:
 * interrupted, out of time, or what `error` is. */
int monitor_complain(Monitor *self, const GError *error);

/* Takes the progress line away. */
void monitor_silence(Monitor *self);
