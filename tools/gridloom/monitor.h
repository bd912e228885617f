/* Watches a command's simulations: shows progress, and stops them on Ctrl-C or at the
 * time limit. A command may simulate several times in sequence. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "sim/time.h"
#include "tools/gridloom/watchdog.h"

typedef struct Monitor Monitor;

/* Call it before any other thread is created. The progress line shows `name` and
 * simulated time at `hertz`. `is_shown` is as in progress_new(), `limit_seconds` as in
 * watchdog_new(). */
Monitor *
monitor_new(const char *name, double hertz, double limit_seconds, bool is_shown);
void monitor_free(Monitor *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Monitor, monitor_free)

/* The watchdog for code that polls watchdog_is_stopping(). Borrowed. */
Watchdog *monitor_watchdog(Monitor *self);

/* Begins the next of `count` simulations; a single one shows no percentage. Adds to the
 * cycles and events of earlier ones. */
void monitor_begin(Monitor *self, guint index, guint count);

/* A SimMonitorFunc; `data` is the monitor. */
bool monitor_observe(gpointer data, SimTime now, uint64_t events);

/* Records the totals of the simulation that has just ended, as observing may have
 * missed its end. */
void monitor_end(Monitor *self, SimTime cycles, uint64_t events);

/* The events of all finished simulations. */
uint64_t monitor_events(const Monitor *self);

/* Seconds of real time since the monitor was made. */
double monitor_seconds(const Monitor *self);

/* Removes the progress line, prints why the command failed, and returns its exit code:
 * interrupted, out of time, or by `error`. */
int monitor_complain(Monitor *self, const GError *error);

/* Removes the progress line. */
void monitor_silence(Monitor *self);
