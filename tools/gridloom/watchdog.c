/* The watchdog thread waits for signals, so that no handler and no global is needed. */
#include "tools/gridloom/watchdog.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "tools/gridloom/complaint.h"
#include "traces/file/draft.h"
#include "traces/file/terminal.h"
#include "workloads/search.h"

enum {
    TICK_MILLISECONDS = 50,
    /* Between asking to stop and ending the process: what the process itself has
     * worked, since on a busy machine it may not have had a chance to answer; and the
     * time after which that is no excuse. */
    GRACE_WORK_SECONDS = 1,
    GRACE_SECONDS = 20,
    /* Without a sign of life: a library call that never ends. The process has worked as
     * long, too: on a busy machine a minute may be a few seconds of it. */
    STALL_SECONDS = 60,
};

/* Without progress for so long, scripts begin to count their steps. */
#define ALARM_SECONDS 0.2

struct Watchdog {
    GThread *thread;
    pthread_t id;         /* of the thread, */
    atomic_bool is_awake; /* once this is set */
    double limit_seconds;
    gint64 start;
    atomic_int reason;
    atomic_bool is_over;
    atomic_ulong signs_of_life;
    atomic_ulong progress;
    bool has_signals; /* the others leave them to it */
    WlAlarm *alarm;
};

/* nohup sets it so, for runs that are to outlive their terminal. A signal that is
 * blocked would be kept for sigtimedwait() all the same. */
static bool is_hangup_ignored(void)
{
    struct sigaction action = {0};

    return sigaction(SIGHUP, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

void watchdog_signals(sigset_t *signals)
{
    (void) sigemptyset(signals);
    (void) sigaddset(signals, SIGINT);
    (void) sigaddset(signals, SIGTERM);
    if (!is_hangup_ignored()) {
        (void) sigaddset(signals, SIGHUP);
    }
}

void watchdog_block_signals(void)
{
    sigset_t signals;

    watchdog_signals(&signals);
    (void) pthread_sigmask(SIG_BLOCK, &signals, NULL);
}

static bool are_signals_blocked(void)
{
    sigset_t signals;

    (void) sigemptyset(&signals);
    (void) pthread_sigmask(SIG_BLOCK, NULL, &signals);
    return sigismember(&signals, SIGINT) == 1;
}

static double seconds_since(gint64 start)
{
    return (double) (g_get_monotonic_time() - start) / G_USEC_PER_SEC;
}

static void end_process(const Watchdog *self, WatchdogReason reason)
{
    trace_draft_abandon();
    if (isatty(STDERR_FILENO) == 1) {
        trace_terminal_erase_line(); /* of the progress line */
    }
    if (reason == WATCHDOG_INTERRUPTED) {
        (void) complain("interrupted");
        _exit(EXIT_INTERRUPTED);
    }
    if (reason == WATCHDOG_LIMIT) {
        (void) complain(
            "wall-clock limit of %g s reached (--limit-seconds) inside a library call "
            "(pattern matching?)",
            self->limit_seconds);
    } else {
        (void) complain("no progress for %d s: a library call (pattern matching?) does "
                        "not end",
                        STALL_SECONDS);
    }
    _exit(EXIT_STOPPED);
}

/* The processor time of all threads. */
static double work_seconds(void)
{
    struct timespec now = {0};

    (void) clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double) now.tv_sec + (double) now.tv_nsec * 1e-9;
}

/* A count that others move on, and when it was last seen to move. */
typedef struct {
    unsigned long count;
    gint64 when;
    double work_seconds; /* at that time */
} Sight;

/* The seconds since it last moved. */
static double seconds_still(Sight *self, atomic_ulong *counter)
{
    unsigned long count = atomic_load(counter);

    if (count != self->count) {
        *self = (Sight){.count = count,
                        .when = g_get_monotonic_time(),
                        .work_seconds = work_seconds()};
    }
    return seconds_since(self->when);
}

/* When a run was asked to stop. */
typedef struct {
    gint64 when; /* 0: it was not */
    double work_seconds;
} Request;

/* Asks the run to stop, and ends the process if there is no answer. */
static void insist(const Watchdog *self, WatchdogReason reason, Request *asked)
{
    wl_alarm_ring(self->alarm);
    if (asked->when == 0) {
        *asked =
            (Request){.when = g_get_monotonic_time(), .work_seconds = work_seconds()};
    }
    if (work_seconds() - asked->work_seconds > GRACE_WORK_SECONDS ||
        seconds_since(asked->when) > GRACE_SECONDS) {
        end_process(self, reason);
    }
}

static gpointer watch(gpointer data)
{
    Watchdog *self = data;
    const struct timespec tick = {.tv_nsec = TICK_MILLISECONDS * 1000000L};
    Sight life = {.when = self->start};
    Sight progress = {.when = self->start};
    Request asked = {0};
    sigset_t signals;

    watchdog_signals(&signals);
    (void) pthread_sigmask(SIG_BLOCK, &signals, NULL);
    self->id = pthread_self();
    atomic_store(&self->is_awake, true);
    while (!atomic_load(&self->is_over)) {
        if (sigtimedwait(&signals, NULL, &tick) > 0 && !atomic_load(&self->is_over) &&
            (atomic_exchange(&self->reason, WATCHDOG_INTERRUPTED) ==
                 WATCHDOG_INTERRUPTED ||
             !self->has_signals)) {
            end_process(self, WATCHDOG_INTERRUPTED);
        }
        WatchdogReason reason = watchdog_reason(self);

        if (reason == WATCHDOG_QUIET && self->limit_seconds > 0 &&
            seconds_since(self->start) > self->limit_seconds) {
            atomic_store(&self->reason, WATCHDOG_LIMIT);
        }
        if (reason != WATCHDOG_QUIET) {
            insist(self, reason, &asked);
        }
        if (seconds_still(&progress, &self->progress) > ALARM_SECONDS) {
            wl_alarm_ring(self->alarm);
        }
        if (seconds_still(&life, &self->signs_of_life) > STALL_SECONDS &&
            work_seconds() - life.work_seconds > STALL_SECONDS) {
            end_process(self, WATCHDOG_QUIET);
        }
    }
    return NULL;
}

Watchdog *watchdog_new(double limit_seconds)
{
    Watchdog *self = g_new0(Watchdog, 1);

    self->limit_seconds = limit_seconds;
    self->start = g_get_monotonic_time();
    self->has_signals = are_signals_blocked();
    self->alarm = wl_alarm_new();
    self->thread = g_thread_new("watchdog", watch, self);
    return self;
}

void watchdog_free(Watchdog *self)
{
    if (self == NULL) {
        return;
    }
    atomic_store(&self->is_over, true);
    if (atomic_load(&self->is_awake)) {
        (void) pthread_kill(self->id, SIGINT); /* which it waits for: no tick is lost */
    }
    (void) g_thread_join(self->thread);
    wl_alarm_free(self->alarm);
    g_free(self);
}

WatchdogReason watchdog_reason(const Watchdog *self)
{
    return (WatchdogReason) atomic_load(&self->reason);
}

int watchdog_complain(const Watchdog *self, const GError *error)
{
    switch (watchdog_reason(self)) {
    case WATCHDOG_INTERRUPTED:
        (void) complain("interrupted");
        return EXIT_INTERRUPTED;
    case WATCHDOG_LIMIT:
        (void) complain("wall-clock limit of %g s reached (--limit-seconds): %s",
                        self->limit_seconds, error->message);
        return EXIT_STOPPED;
    case WATCHDOG_QUIET:
        break;
    }
    return complain_of(error);
}

void watchdog_watch(Watchdog *self, WlSandboxConfig *config)
{
    config->alarm = self->alarm;
    config->is_interrupted = watchdog_is_stopping;
    config->interrupted_data = self;
}

WlScript *watchdog_load_script(Watchdog *self, const char *path, GError **error)
{
    WlSandboxConfig config = wl_sandbox_config_default();

    watchdog_watch(self, &config);
    return search_load_script(path, &config, error);
}

void watchdog_note_progress(Watchdog *self)
{
    atomic_fetch_add_explicit(&self->progress, 1, memory_order_relaxed);
}

bool watchdog_is_stopping(gpointer data)
{
    Watchdog *self = data;

    atomic_fetch_add_explicit(&self->signs_of_life, 1, memory_order_relaxed);
    return atomic_load_explicit(&self->reason, memory_order_relaxed) != WATCHDOG_QUIET;
}
