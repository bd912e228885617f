/* Watches over a run from a thread of its own: Ctrl-C, the wall-clock limit, and code
 * that never comes back to ask. */
#pragma once

#include <signal.h>
#include <stdbool.h>

#include <glib.h>

#include "workloads/alarm.h"

typedef struct Watchdog Watchdog;

typedef enum {
    WATCHDOG_QUIET,
    WATCHDOG_INTERRUPTED, /* Ctrl-C, a request to terminate, the terminal is gone */
    WATCHDOG_LIMIT,       /* the wall-clock limit passed */
} WatchdogReason;

/* Signals that stop a command: SIGINT, SIGTERM and, unless it is ignored, SIGHUP. */
void watchdog_signals(sigset_t *signals);

/* Keeps them for the watchdog; before any other thread is made. */
void watchdog_block_signals(void);

/* `limit_seconds` of 0 is no limit. If a run does not stop within a second of work
 * after it was asked to (20 seconds, where the process gets no processor), or shows no
 * sign of life for a minute, the process ends, with nothing half-written. */
Watchdog *watchdog_new(double limit_seconds);
void watchdog_free(Watchdog *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Watchdog, watchdog_free)

/* A file that is being written, or NULL: removed where the process ends at once. It
 * must outlive the watchdog; at most four. */
void watchdog_guard(Watchdog *self, const char *partial);

WatchdogReason watchdog_reason(const Watchdog *self);

/* Says why a run failed, and returns its exit code: stopped by the watchdog, or what
 * `error` is. */
int watchdog_complain(const Watchdog *self, const GError *error);

/* The alarm of the scripts it watches: rings when they are to stop, or when no
 * simulated time passes for a while. */
WlAlarm *watchdog_alarm(const Watchdog *self);

/* Simulated time passed. */
void watchdog_note_progress(Watchdog *self);

/* A sign of life; true when the run is to stop. `data` is the watchdog. */
bool watchdog_is_stopping(gpointer data);
