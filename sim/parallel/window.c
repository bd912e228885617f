/* The windows: regions run side by side up to a common horizon, then exchange mail. */
#include "sim/error.h"
#include "sim/parallel/engine_state.h"

enum {
    /* Between two calls of the monitor. An event may take a Lua kernel's microseconds,
     * or the milliseconds of a whole wafer's cycle. */
    MOST_MONITOR_EVENTS = 1 << 14,
    LEAST_MONITOR_EVENTS = 16,
    CHECK_EVENTS = 1 << 13, /* between two self-checks */
    LONG_US = 200000,
    SHORT_US = 50000,
    MUCH_MAIL = 256, /* events: some microseconds */
};

typedef struct {
    SimEngine *engine;
    SimTime end; /* the first cycle that is not to run */
    SimTime limit;
    SimCrew *crew; /* NULL with one thread */
    bool is_over;
    GError *error;
    SimRegion **awake; /* regions with events in this window */
    guint awake_count;
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

/* Within a window, while a region has paused: no mail and no probes. */
static void pause_window(Windows *self)
{
    check_wanted(self);
    check_invariants(self);
    self->is_over = self->error != NULL;
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

/* Is there another window, how far does it reach, and which regions have events in it?
 */
static void plan(Windows *self)
{
    SimEngine *engine = self->engine;
    const guint count = engine->config.region_count;
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

    self->awake_count = 0;
    for (guint i = 0; i < count; i++) {
        SimRegion *region = &engine->regions[i];

        region->window_end = horizon;
        region->posted = 0;
        if (region->next < horizon) {
            self->awake[self->awake_count++] = region;
        }
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

/* Mails of this window. */
static guint count_mail(const SimEngine *engine)
{
    guint count = 0;

    for (guint i = 0; i < engine->config.region_count; i++) {
        count += engine->regions[i].posted;
    }
    return count;
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

static void advance(gpointer data, guint job)
{
    const Windows *self = data;

    region_advance(self->awake[job], budget_of(self->engine));
}

static void receive(gpointer data, guint job)
{
    const Windows *self = data;

    region_receive(&self->engine->regions[job]);
}

/* Does the jobs on all threads if they are worth it, else on this one. */
static void share_out(Windows *self, guint jobs, SimCrewFunc func, bool is_worth)
{
    if (self->crew != NULL && is_worth) {
        sim_crew_run(self->crew, jobs, func, self);
        return;
    }
    for (guint i = 0; i < jobs; i++) {
        func(self, i);
    }
}

static void choose_company(Windows *self)
{
    if (self->crew != NULL) {
        sim_crew_rest(self->crew,
                      company_is_alone(&self->engine->company, g_get_monotonic_time(),
                                       sim_engine_events(self->engine)));
    }
}

static void exchange_mail(Windows *self)
{
    const guint mail = count_mail(self->engine);

    if (mail > 0) {
        share_out(self, self->engine->config.region_count, receive, mail > MUCH_MAIL);
    }
}

static void run(Windows *self)
{
    plan(self);
    while (!self->is_over) {
        choose_company(self);
        share_out(self, self->awake_count, advance, self->awake_count > 1);
        if (has_paused(self->engine)) {
            pause_window(self);
        } else {
            exchange_mail(self);
            plan(self);
        }
    }
}

bool windows_run(SimEngine *engine, SimTime end, SimTime limit, GError **error)
{
    const guint regions = engine->config.region_count;
    const bool has_crew = MIN(engine->config.thread_count, regions) > 1;
    g_autofree SimRegion **awake = g_new(SimRegion *, regions);
    Windows windows = {
        .engine = engine,
        .end = end,
        .limit = limit,
        .crew = has_crew ? sim_engine_crew(engine) : NULL,
        .awake = awake,
    };

    engine->monitored_at = g_get_monotonic_time();
    engine->monitor_interval = LEAST_MONITOR_EVENTS;
    run(&windows);
    showing_wait(&engine->showing);
    if (windows.error != NULL) {
        g_propagate_error(error, windows.error);
        return false;
    }
    return true;
}
