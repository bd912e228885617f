/* What the tests of the engine share: seeded numbers, and events that leave a trail. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <glib.h>

#include "sim/engine.h"
#include "sim/process.h"
#include "sim/random.h"

static inline void assert_error(const GError *error, GQuark domain, int code)
{
    assert_non_null(error);
    assert_int_equal(error->domain, domain);
    assert_int_equal(error->code, code);
}

/* 0 .. bound - 1. */
static inline guint random_below(uint64_t *state, guint bound)
{
    g_assert(bound > 0);
    return (guint) (sim_random_next(state) % bound);
}

/* Appends " name@time" to a trail: the order of events in one readable line. */
typedef struct {
    const char *name;
    GString *trail;
} Step;

static inline void leave_step(GString *trail, const char *name, SimTime now)
{
    g_string_append_printf(trail, " %s@%" G_GUINT64_FORMAT, name, now);
}

static inline void step(SimRegion *region, gpointer data)
{
    const Step *self = data;

    leave_step(self->trail, self->name, sim_region_now(region));
}

static inline SimEngine *engine_of(guint region_count, SimTime window_cycles)
{
    SimEngineConfig config = sim_engine_config_default();

    config.region_count = region_count;
    config.window_cycles = window_cycles;
    return sim_engine_new(config);
}

/* Runs to the end, which must come. */
static inline void run_to_end(SimEngine *engine)
{
    GError *error = NULL;
    bool is_done = sim_engine_run(engine, SIM_TIME_NEVER, &error);

    if (error != NULL) {
        fail_msg("%s", error->message);
    }
    assert_true(is_done);
}
