/* The windows: regions run side by side up to a common horizon, then exchange mail. */
#include <stdatomic.h>

#include "sim/error.h"
#include "sim/parallel/barrier.h"
#include "sim/parallel/engine_state.h"

enum {
    /* Between two calls of the monitor. An event may take a Lua kernel's microseconds,
     * or the milliseconds of a whole wafer's cycle. */
    MOST_MONITOR_EVENTS = 1 << 14,
    LEAST_MONITOR_EVENTS = 16,
    CHECK_EVENTS = 1 << 13, /* between two self-checks */
    LONG_US = 200000,
    SHORT_US = 50000,
};

typedef struct {
    SimEngine *engine;
    SimTime end; /* the first cycle that is not to run */
    SimTime limit;
    Barrier *barrier; /* NULL with one thread */
    bool is_over;
    GError *error;
    /* Regions of this window that a thread has begun with: to run, to take mail. */
    atomic_uint run;
    atomic_uint served;
} Windows;

/* Among the failures of one window, the one with the lowest time, key and region
 * counts. */
static GError *first_failure(SimEngine *engine)
{
    SimRegion *first = NULL;

    for (guint i = 0; i < engine->config.region_count; i++) {
        SimRegion *region = &engine->regions[i];

        if (region->failure == NULL) {
            continue;
        }
        if (first == NULL || region->failure_time < first->failure_time ||
            (region->failure_time == first->failure_time &&
             region->failure_key < first->failure_key)) {
            first = region;
        }
    }
    return first == NULL ? NULL : g_steal_pointer(&first->failure);
}

/* Windows may be endless: regions that never talk have no smallest latency. */
static SimTime window_end(const SimEngine *engine, SimTime next)
{
    const SimTime window = engine->config.window_cycles;

    return window < SIM_TIME_NEVER - next ? next + window : SIM_TIME_NEVER;
}

static SimTime next_time(const SimEngine *engine)
{
    SimTime next = SIM_TIME_NEVER;

    for (guint i = 0; i < engine->config.region_count; i++) {
        SimRegion *region = &engine->regions[i];

        region->next = queue_next(&region->queue);
        next = MIN(next, region->next);
    }
    return next;
}

static bool is_wanted(SimEngine *engine)
{
    uint64_t events = sim_engine_events(engine);

    if (engine->monitor == NULL ||
        events - engine->monitored_events < engine->monitor_interval) {
        return true;
    }
    const gint64 now = g_get_monotonic_time();
    const gint64 passed = now - engine->monitored_at;

    if (passed > LONG_US) {
        engine->monitor_interval =
            MAX(engine->monitor_interval / 2, LEAST_MONITOR_EVENTS);
    } else if (passed < SHORT_US) {
        engine->monitor_interval =
            MIN(engine->monitor_interval * 2, MOST_MONITOR_EVENTS);
    }
    engine->monitored_at = now;
    engine->monitored_events = events;
    return engine->monitor(engine->monitor_data, sim_engine_now(engine), events);
}

static void check_wanted(Windows *self)
{
    if (self->error == NULL && !is_wanted(self->engine)) {
        self->error = g_error_new(SIM_ERROR, SIM_ERROR_STOPPED,
                                  "stopped at cycle %" G_GUINT64_FORMAT,
                                  sim_engine_now(self->engine));
    }
}

static void check_invariants(Windows *self)
{
    SimEngine *engine = self->engine;
    const uint64_t events = engine->is_checking ? sim_engine_events(engine) : 0;

    if (self->error == NULL && engine->is_checking &&
        events - engine->checked_events >= CHECK_EVENTS) {
        engine->checked_events = events;
        (void) engine_check(engine, &self->error);
    }
}

/* Within a window, on one thread, while a region has paused: no mail and no probes. */
static void pause_window(gpointer data)
{
    Windows *self = data;

    check_wanted(self);
    check_invariants(self);
    self->is_over = self->error != NULL;
    atomic_store(&self->run, 0);
}

/* Calls the pulse if all events before it have run. */
static void check_pulse(Windows *self, SimTime next)
{
    SimEngine *engine = self->engine;
    const SimTime reached = MIN(next, self->end);

    if (reached < engine->pulse_at || next == SIM_TIME_NEVER || self->error != NULL) {
        return;
    }
    const SimTime at = reached - reached % engine->pulse_cycles;
    const bool is_whole = at == engine->pulse_at;

    engine->pulse_at = at < SIM_TIME_NEVER - engine->pulse_cycles
                           ? at + engine->pulse_cycles
                           : SIM_TIME_NEVER;
    self->error = engine->pulse(engine->pulse_data, at, is_whole);
}

/* Is there another window, and how far does it reach? The only region that has events
 * in it, or NULL if there are several. */
static SimRegion *plan(Windows *self)
{
    SimEngine *engine = self->engine;
    const guint count = engine->config.region_count;
    SimRegion *only = NULL;
    guint awake = 0;
    SimTime next = SIM_TIME_NEVER;

    engine_flush_probes(engine, false);
    self->error = first_failure(engine);
    if (self->error == NULL) {
        next = next_time(engine); /* A region that failed is stuck within a cycle. */
    }
    check_wanted(self);
    check_invariants(self);
    check_pulse(self, next);
    if (self->error == NULL && next < self->end && next > self->limit) {
        self->error =
            g_error_new(SIM_ERROR, SIM_ERROR_TIME_LIMIT,
                        "cycle limit of %" G_GUINT64_FORMAT
                        " reached: the next event is at cycle %" G_GUINT64_FORMAT
                        " (--limit-cycles)",
                        self->limit, next);
    }
    self->is_over = self->error != NULL || next >= self->end;
    if (self->is_over) {
        engine_flush_probes(engine, true);
    }
    /* A single region needs no horizon: it waits for nobody. */
    const SimTime window = count == 1 ? SIM_TIME_NEVER : window_end(engine, next);
    const SimTime end = MIN(MIN(window, self->end), engine->pulse_at);
    const SimTime horizon =
        self->limit == SIM_TIME_NEVER ? end : MIN(end, self->limit + 1);

    for (guint i = 0; i < count; i++) {
        SimRegion *region = &engine->regions[i];

        region->window_end = horizon;
        if (region->next < horizon) {
            only = region;
            awake++;
        }
    }
    return awake == 1 ? only : NULL;
}

static void receive_all(SimEngine *engine)
{
    for (guint i = 0; i < engine->config.region_count; i++) {
        region_receive(&engine->regions[i]);
    }
}

/* Events of a region before it looks up. Windows end on their own; a region alone must
 * pause for the monitor, and one in an endless window for the others' sightings. */
static uint64_t budget_of(const SimEngine *engine)
{
    if (engine->config.region_count == 1) {
        return engine->monitor_interval;
    }
    return engine->config.window_cycles == SIM_TIME_NEVER ? 1 : UINT64_MAX / 2;
}

/* Between windows, on one thread. A window in which only one region has work is not
 * worth waking the others: it is run here and now. */
static void plan_window(gpointer data)
{
    Windows *self = data;
    SimEngine *engine = self->engine;
    SimRegion *only = plan(self);

    while (self->barrier != NULL && !self->is_over && only != NULL) {
        region_advance(only, budget_of(engine));
        if (region_is_within_cycle(only)) {
            break; /* too many events in a cycle: all threads pause */
        }
        receive_all(engine);
        only = plan(self);
    }
    atomic_store(&self->run, 0);
    atomic_store(&self->served, 0);
}

static void meet(Windows *self, BarrierFunc func)
{
    if (self->barrier != NULL) {
        barrier_wait(self->barrier, func, self);
    } else if (func != NULL) {
        func(self);
    }
}

static bool has_paused(const SimEngine *engine)
{
    for (guint i = 0; i < engine->config.region_count; i++) {
        if (region_is_within_cycle(&engine->regions[i])) {
            return true;
        }
    }
    return false;
}

/* The next region that nobody has begun with; false if there is none. Which thread runs
 * a region changes nothing but time. */
static bool take_region(Windows *self, atomic_uint *begun, SimRegion **region)
{
    const guint index = atomic_fetch_add(begun, 1);

    if (index >= self->engine->config.region_count) {
        return false;
    }
    *region = &self->engine->regions[index];
    return true;
}

static gpointer work(gpointer data)
{
    Windows *self = data;
    SimEngine *engine = self->engine;
    SimRegion *region;

    meet(self, plan_window);
    while (!self->is_over) {
        while (take_region(self, &self->run, &region)) {
            region_advance(region, budget_of(engine));
        }
        meet(self, NULL);
        if (has_paused(engine)) {
            meet(self, pause_window);
            continue;
        }
        while (take_region(self, &self->served, &region)) {
            region_receive(region);
        }
        meet(self, plan_window);
    }
    return NULL;
}

bool windows_run(SimEngine *engine, SimTime end, SimTime limit, GError **error)
{
    guint thread_count = MIN(engine->config.thread_count, engine->config.region_count);
    g_autoptr(Barrier) barrier = thread_count > 1 ? barrier_new(thread_count) : NULL;
    Windows windows = {
        .engine = engine,
        .end = end,
        .limit = limit,
        .barrier = barrier,
    };
    g_autofree GThread **threads = g_new(GThread *, thread_count);

    engine->monitored_at = g_get_monotonic_time();
    engine->monitor_interval = LEAST_MONITOR_EVENTS;

    for (guint i = 1; i < thread_count; i++) {
        threads[i] = g_thread_new("sim-window", work, &windows);
    }
    work(&windows);
    for (guint i = 1; i < thread_count; i++) {
        g_thread_join(threads[i]);
    }
    if (windows.error != NULL) {
        g_propagate_error(error, windows.error);
        return false;
    }
    return true;
}
