/* The simulation: owns time and runs events until none are left. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "sim/crew.h"
#include "sim/time.h"

typedef struct SimEngine SimEngine;

/* A part of the model that advances on its own within a window. Components belong to
 * one region and touch nothing outside it. */
typedef struct SimRegion SimRegion;

/* Handle of a pending event; 0 is never one. A handle whose event has run or was
 * cancelled is recognised as stale. */
typedef uint64_t SimEvent;

/* Code that runs at one simulated instant of `region`. `data` stays the caller's. */
typedef void (*SimEventFunc)(SimRegion *region, gpointer data);

/* Called now and then while the engine runs, on any of its threads but never at the
 * same time as an event.
 * Returns false to stop the run with SIM_ERROR_STOPPED. */
typedef bool (*SimMonitorFunc)(gpointer data, SimTime now, uint64_t events);

/* Called when every event before cycle `at` has run, and more are to follow, between
 * windows. `is_whole`: it was also called one period earlier. Returns NULL, or an error
 * that ends the run. */
typedef GError *(*SimPulseFunc)(gpointer data, SimTime at, bool is_whole);

/* Reports waiters when no event is left, or when nothing changes any more: adds one
 * line to `lines` (takes ownership) for each waiter, in an order that does not depend
 * on threads. */
typedef void (*SimAuditFunc)(gpointer data, GPtrArray *lines);

typedef struct {
    guint region_count;    /* at least 1 */
    guint thread_count;    /* host threads, at least 1: changes speed, never results */
    SimTime window_cycles; /* smallest latency between regions, at least 1 */
    guint ring_cycles; /* near future kept in buckets: a power of two, 64..1048576 */
} SimEngineConfig;

/* One region, one thread, a ring of 1024 cycles. */
SimEngineConfig sim_engine_config_default(void);

SimEngine *sim_engine_new(SimEngineConfig config);
void sim_engine_free(SimEngine *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SimEngine, sim_engine_free)

/* Borrowed until the engine is freed. */
SimRegion *sim_engine_region(SimEngine *self, guint index);
guint sim_engine_region_count(const SimEngine *self);

guint sim_engine_thread_count(const SimEngine *self); /* as configured */

/* The engine's threads, for the jobs of one event. */
SimCrew *sim_engine_crew(SimEngine *self);

/* Events run so far, without cancelled ones. */
uint64_t sim_engine_events(const SimEngine *self);

/* The cycle of the latest event, or the end of idle time after it. */
SimTime sim_engine_now(const SimEngine *self);

/* The cycle that all regions have reached: that of the next event, or, if there is
 * none, of the latest. */
SimTime sim_engine_slowest(SimEngine *self);

void sim_engine_set_monitor(SimEngine *self, SimMonitorFunc func, gpointer data);
/* Calls `func` at multiples of `cycles`, which do not depend on threads or regions; 0:
 * never. */
void sim_engine_set_pulse(SimEngine *self,
                          SimTime cycles,
                          SimPulseFunc func,
                          gpointer data);
void sim_engine_add_audit(SimEngine *self, SimAuditFunc func, gpointer data);
void sim_engine_remove_audit(SimEngine *self, SimAuditFunc func, gconstpointer data);

/* Self-checks: `func` adds one line for each invariant that does not hold. While the
 * engine checks itself, it calls them between windows, every few thousand events and at
 * the end of each run, never at the same time as an event. A run in which one finds
 * something fails with SIM_ERROR_INVARIANT. */
void sim_engine_add_check(SimEngine *self, SimAuditFunc func, gpointer data);
void sim_engine_remove_check(SimEngine *self, SimAuditFunc func, gconstpointer data);
void sim_engine_set_checking(SimEngine *self, bool is_checking);

/* Advances the time of an engine that has no event before `when`, for example while a
 * chip waits for its host. */
void sim_engine_idle_until(SimEngine *self, SimTime when);

/* Runs until no event is left. After success it may be called again once more events
 * are scheduled. Fails with SIM_ERROR_DEADLOCK, SIM_ERROR_TIME_LIMIT (the next event
 * lies beyond `limit`), SIM_ERROR_STOPPED, or the error given to sim_region_fail(). */
bool sim_engine_run(SimEngine *self, SimTime limit, GError **error);

/* The cycle of the next event, or SIM_TIME_NEVER. Call it between runs. */
SimTime sim_engine_next(SimEngine *self);

/* Runs every event before cycle `end` and none at `end` or later. Between such runs
 * events may be scheduled from `end` on. Fails like sim_engine_run(), but never with a
 * deadlock, because waiters may still be woken. */
bool sim_engine_run_until(SimEngine *self, SimTime end, SimTime limit, GError **error);

/* Adds one line for each waiter, worded as in a deadlock report. Call it between runs.
 */
void sim_engine_list_waiters(const SimEngine *self, GPtrArray *lines);

/* Functions for code that runs inside an event of the region. */

SimEngine *sim_region_engine(SimRegion *self);
guint sim_region_index(const SimRegion *self);
SimTime sim_region_now(const SimRegion *self);

/* The first cycle that the region may not run yet: an event that alone knows what its
 * part of the model does may go on up to there, on the threads of the crew. */
SimTime sim_region_horizon(const SimRegion *self);
/* Such an event has come to this cycle, before the horizon. Others see it as the time,
 * and `cycles` of its work count as an event each. */
void sim_region_go_on(SimRegion *self, SimTime now, uint64_t cycles);

/* Calls `func` at `when`, which must not be in the past or SIM_TIME_NEVER. An event for
 * the current cycle runs after the current event and before pending events with a
 * higher key. */
SimEvent sim_region_at(
    SimRegion *self, SimTime when, SimKey key, SimEventFunc func, gpointer data);

/* Calls `func` in region `to`. If that is another region, `when` must be at least
 * window_cycles ahead. The event cannot be cancelled. */
void sim_region_post(SimRegion *self,
                     SimRegion *to,
                     SimTime when,
                     SimKey key,
                     SimEventFunc func,
                     gpointer data);

/* False if the event has run already or was cancelled before. */
bool sim_region_cancel(SimRegion *self, SimEvent event);

/* Ends the run from inside an event. Takes `error`. If several failures happen in one
 * window, the one with the lowest time, key and region is reported. */
void sim_region_fail(SimRegion *self, GError *error);
