/* Watches a run from its own thread: Ctrl-C, the wall-clock limit, and code that stops
 * responding. */
#pragma once

#include <signal.h>
#include <stdbool.h>

#include <glib.h>

#include "workloads/alarm.h"
#include "workloads/script.h"

typedef struct Watchdog Watchdog;

typedef enum {
    WATCHDOG_QUIET,
    WATCHDOG_INTERRUPTED, /* Ctrl-C, a request to terminate, or a lost terminal */
    WATCHDOG_LIMIT,       /* the wall-clock limit passed */
} WatchdogReason;

/* Signals that stop a command: SIGINT, SIGTERM and, unless it is ignored, SIGHUP. */
void watchdog_signals(sigset_t *signals);

/* Leaves these signals to the watchdog. Call it before creating any thread. Without it
 * they end the process. */
void watchdog_block_signals(void);

/* `limit_seconds` of 0 is no limit. If a run does not stop within a second of processor
 * time after it was asked to (20 seconds if the process gets no processor), or shows no
 * sign of life for a minute, the process ends and leaves nothing half-written. */
Watchdog *watchdog_new(double limit_seconds);
void watchdog_free(Watchdog *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Watchdog, watchdog_free)

WatchdogReason watchdog_reason(const Watchdog *self);

/* Prints why a run failed, and returns the exit code: stopped by the watchdog, or by
 * `error`. */
int watchdog_complain(const Watchdog *self, const GError *error);

/* Has it watch the scripts of `config`: their alarm rings when they are to stop, or
 * when no simulated time passes for a while. It must outlive them. */
void watchdog_watch(Watchdog *self, WlSandboxConfig *config);

/* Loads a script, to look at it, as search_load_script() does. */
WlScript *watchdog_load_script(Watchdog *self, const char *path, GError **error);

/* Notes that simulated time has passed. */
void watchdog_note_progress(Watchdog *self);

/* Notes a sign of life; true if the run is to stop. `data` is the watchdog. */
bool watchdog_is_stopping(gpointer data);
