/* The engine: makes regions, runs them, and says why a run ended. */
#include "sim/engine.h"

#include "sim/alike.h"
#include "sim/error.h"
#include "sim/parallel/engine_state.h"

enum {
    RING_CYCLES_MINIMUM = 64,
    RING_CYCLES_DEFAULT = 1024,
    RING_CYCLES_MAXIMUM = 1 << 20,
};

SimEngineConfig sim_engine_config_default(void)
{
    return (SimEngineConfig){
        .region_count = 1,
        .thread_count = 1,
        .window_cycles = 1,
        .ring_cycles = RING_CYCLES_DEFAULT,
    };
}

static void free_grid(gpointer data)
{
    LaneGrid *grid = data;

    lane_spread_free(grid->columns);
    lane_spread_free(grid->rows);
    g_free(grid->grid);
}

SimEngine *sim_engine_new(SimEngineConfig config)
{
    g_return_val_if_fail(config.region_count >= 1, NULL);
    g_return_val_if_fail(config.thread_count >= 1, NULL);
    g_return_val_if_fail(config.window_cycles >= 1, NULL);
    g_return_val_if_fail(config.ring_cycles >= RING_CYCLES_MINIMUM &&
                             config.ring_cycles <= RING_CYCLES_MAXIMUM &&
                             (config.ring_cycles & (config.ring_cycles - 1)) == 0,
                         NULL);

    SimEngine *self = g_new0(SimEngine, 1);

    self->config = config;
    self->pulse_at = SIM_TIME_NEVER;
    self->audits = g_array_new(FALSE, FALSE, sizeof(Audit));
    self->checks = g_array_new(FALSE, FALSE, sizeof(Audit));
    self->counters = g_ptr_array_new_with_free_func(g_free);
    self->grids = g_array_new(FALSE, FALSE, sizeof(LaneGrid));
    g_array_set_clear_func(self->grids, free_grid);
    self->levels = g_byte_array_new();
    self->regions = g_new0(SimRegion, config.region_count);
    for (guint i = 0; i < config.region_count; i++) {
        region_init(&self->regions[i], self, i, config.ring_cycles);
    }
    return self;
}

void sim_engine_free(SimEngine *self)
{
    if (self != NULL) {
        showing_clear(&self->showing);
        for (guint i = 0; i < self->config.region_count; i++) {
            region_clear(&self->regions[i]);
        }
        g_free(self->regions);
        sim_crew_free(self->crew);
        g_array_unref(self->audits);
        g_array_unref(self->checks);
        g_ptr_array_unref(self->counters);
        g_array_unref(self->grids);
        g_byte_array_unref(self->levels);
        g_free(self);
    }
}

SimRegion *sim_engine_region(SimEngine *self, guint index)
{
    g_return_val_if_fail(index < self->config.region_count, NULL);

    return &self->regions[index];
}

guint sim_engine_region_count(const SimEngine *self)
{
    return self->config.region_count;
}

guint sim_engine_thread_count(const SimEngine *self)
{
    return self->config.thread_count;
}

SimCrew *sim_engine_crew(SimEngine *self)
{
    if (self->crew == NULL) {
        self->crew = sim_crew_new(self->config.thread_count);
    }
    return self->crew;
}

uint64_t sim_engine_events(const SimEngine *self)
{
    uint64_t events = 0;

    for (guint i = 0; i < self->config.region_count; i++) {
        events += self->regions[i].events;
    }
    return events;
}

SimTime sim_engine_now(const SimEngine *self)
{
    SimTime now = 0;

    for (guint i = 0; i < self->config.region_count; i++) {
        now = MAX(now, self->regions[i].now);
    }
    return now;
}

SimTime sim_engine_slowest(SimEngine *self)
{
    SimTime next = SIM_TIME_NEVER;

    for (guint i = 0; i < self->config.region_count; i++) {
        next = MIN(next, queue_next(&self->regions[i].queue));
    }
    return next == SIM_TIME_NEVER ? sim_engine_now(self) : next;
}

void sim_engine_set_monitor(SimEngine *self, SimMonitorFunc func, gpointer data)
{
    self->monitor = func;
    self->monitor_data = data;
}

void sim_engine_set_pulse(SimEngine *self,
                          SimTime cycles,
                          SimPulseFunc func,
                          gpointer data)
{
    self->pulse_cycles = cycles;
    self->pulse = func;
    self->pulse_data = data;
    self->pulse_at = SIM_TIME_NEVER;
    if (cycles > 0 && cycles < SIM_TIME_NEVER - sim_engine_now(self)) {
        self->pulse_at = (sim_engine_now(self) / cycles + 1) * cycles;
    }
}

static void add(GArray *audits, SimAuditFunc func, gpointer data)
{
    Audit audit = {.func = func, .data = data};

    g_array_append_val(audits, audit);
}

static void remove_from(GArray *audits, SimAuditFunc func, gconstpointer data)
{
    for (guint i = 0; i < audits->len; i++) {
        const Audit *audit = &g_array_index(audits, Audit, i);

        if (audit->func == func && audit->data == data) {
            g_array_remove_index(audits, i);
            return;
        }
    }
}

void sim_engine_add_audit(SimEngine *self, SimAuditFunc func, gpointer data)
{
    add(self->audits, func, data);
}

void sim_engine_remove_audit(SimEngine *self, SimAuditFunc func, gconstpointer data)
{
    remove_from(self->audits, func, data);
}

void sim_engine_add_check(SimEngine *self, SimAuditFunc func, gpointer data)
{
    add(self->checks, func, data);
}

void sim_engine_remove_check(SimEngine *self, SimAuditFunc func, gconstpointer data)
{
    remove_from(self->checks, func, data);
}

void sim_engine_set_checking(SimEngine *self, bool is_checking)
{
    self->is_checking = is_checking;
}

/* What was posted between runs has waited in the outboxes. */
static void deliver_mail(SimEngine *self)
{
    for (guint i = 0; i < self->config.region_count; i++) {
        region_receive(&self->regions[i]);
    }
}

void sim_engine_idle_until(SimEngine *self, SimTime when)
{
    deliver_mail(self);
    for (guint i = 0; i < self->config.region_count; i++) {
        SimRegion *region = &self->regions[i];

        g_return_if_fail(queue_next(&region->queue) >= when);
        if (when > region->queue.now) {
            queue_skip_to(&region->queue, when);
        }
        region->now = MAX(region->now, when);
    }
}

/* Regions stop at different cycles; the next run starts all at the latest one. */
static void align_regions(SimEngine *self)
{
    sim_engine_idle_until(self, sim_engine_now(self));
}

void sim_engine_list_waiters(const SimEngine *self, GPtrArray *lines)
{
    for (guint i = 0; i < self->audits->len; i++) {
        const Audit *audit = &g_array_index(self->audits, Audit, i);

        audit->func(audit->data, lines);
    }
}

static bool check_waiters(SimEngine *self, GError **error)
{
    g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *list = NULL;

    sim_engine_list_waiters(self, lines);
    if (lines->len == 0) {
        return true;
    }
    const guint count = sim_alike_fold(lines);

    g_ptr_array_add(lines, NULL);
    list = g_strjoinv("\n  ", (char **) lines->pdata);
    return sim_fail(error, SIM_ERROR, SIM_ERROR_DEADLOCK,
                    "deadlock at cycle %" G_GUINT64_FORMAT
                    ": nothing can happen any more, "
                    "%u still wait%s:\n  %s",
                    sim_engine_now(self), count, count == 1 ? "s" : "", list);
}

static bool run(SimEngine *self, SimTime end, SimTime limit, GError **error)
{
    deliver_mail(self);
    engine_begin_use(self);
    self->is_spent = true;
    self->is_spent = !windows_run(self, end, limit, error);
    return !self->is_spent;
}

bool sim_engine_run(SimEngine *self, SimTime limit, GError **error)
{
    g_return_val_if_fail(!self->is_spent, false);

    if (!run(self, SIM_TIME_NEVER, limit, error)) {
        return false;
    }
    align_regions(self);
    self->is_spent = !check_waiters(self, error) || !engine_check(self, error);
    return !self->is_spent;
}

SimTime sim_engine_next(SimEngine *self)
{
    SimTime next = SIM_TIME_NEVER;

    deliver_mail(self);
    for (guint i = 0; i < self->config.region_count; i++) {
        next = MIN(next, queue_next(&self->regions[i].queue));
    }
    return next;
}

bool sim_engine_run_until(SimEngine *self, SimTime end, SimTime limit, GError **error)
{
    g_return_val_if_fail(!self->is_spent, false);

    return run(self, end, limit, error);
}
