/* Events per second of the engine: the hold model at three sizes, beside SimGrid. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <glib.h>
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>

#include "sim/engine.h"
#include "sim/random.h"

enum {
    NEAR_CYCLES = 64,   /* delays are 1..64 ... */
    FAR_ONE_IN = 100,   /* ... but for one in a hundred beyond the ring, */
    CANCEL_ONE_IN = 16, /* and now and then a timer is set and cancelled again */
    FAR_CYCLES = 5000,
    WINDOW_CYCLES = 16,
    REPEATS = 3,
};

/* A component that always has one event pending. */
typedef struct {
    uint64_t random;
    SimKey key;
    uint64_t handled;
    SimTime until;
} Component;

static SimTime next_delay(uint64_t random)
{
    SimTime delay = 1 + (random & (NEAR_CYCLES - 1));

    return (uint32_t) (random >> 32) % FAR_ONE_IN == 0 ? delay + FAR_CYCLES : delay;
}

static void hold(SimRegion *region, gpointer data)
{
    Component *self = data;
    uint64_t random = sim_random_next(&self->random);
    SimTime when = sim_region_now(region) + next_delay(random);

    self->handled++;
    if (when > self->until) {
        return;
    }
    if ((random >> 8) % CANCEL_ONE_IN == 0) {
        SimEvent timer = sim_region_at(region, when, self->key, hold, self);

        if (!sim_region_cancel(region, timer)) {
            abort();
        }
    }
    sim_region_at(region, when, self->key, hold, self);
}

static double run_gridloom(guint component_count, guint threads, SimTime cycles)
{
    SimEngineConfig config = sim_engine_config_default();

    config.region_count = threads;
    config.thread_count = threads;
    config.window_cycles = WINDOW_CYCLES;

    g_autoptr(SimEngine) engine = sim_engine_new(config);
    g_autofree Component *components = g_new0(Component, component_count);

    for (guint i = 0; i < component_count; i++) {
        SimRegion *region = sim_engine_region(
            engine, (guint) ((uint64_t) i * threads / component_count));

        components[i].random = i;
        components[i].key = sim_key(i, 0);
        components[i].until = cycles;
        sim_region_at(region, 1 + i % NEAR_CYCLES, components[i].key, hold,
                      &components[i]);
    }
    gint64 start = g_get_monotonic_time();

    if (!sim_engine_run(engine, SIM_TIME_NEVER, NULL)) {
        abort();
    }
    gint64 end = g_get_monotonic_time();

    return (double) sim_engine_events(engine) * 1e6 / (double) (end - start);
}

/* The best of several: other programs only ever make it slower. */
static double
best_of_gridloom(guint component_count, guint threads, SimTime cycles, guint repeats)
{
    double best = 0;

    for (guint i = 0; i < repeats; i++) {
        best = MAX(best, run_gridloom(component_count, threads, cycles));
    }
    return best;
}

static void report(const char *engine, guint components, guint threads, double rate)
{
    printf("{\"engine\": \"%s\", \"components\": %u, \"threads\": %u, "
           "\"events_per_second\": %.0f}\n",
           engine, components, threads, rate);
    (void) fflush(stdout);
}

/* The same hold model with SimGrid: an actor per component that sleeps. */
static void sleep_actor(int argc, char *argv[])
{
    uint64_t random = strtoull(argv[argc - 2], NULL, 10);
    guint sleeps = (guint) strtoul(argv[argc - 1], NULL, 10);

    for (guint i = 0; i < sleeps; i++) {
        sg_actor_sleep_for((double) next_delay(sim_random_next(&random)) * 1e-9);
    }
}

static double run_simgrid(guint component_count, guint sleeps, const char *platform)
{
    char *argv[] = {(char *) "bench_engine", (char *) "--cfg=surf/precision:1e-12",
                    (char *) "--log=root.thres:critical", NULL};
    int argc = 3;

    simgrid_init(&argc, argv);
    simgrid_load_platform(platform);

    sg_host_t host = sg_host_by_name("host");
    char sleeps_text[16];

    (void) snprintf(sleeps_text, sizeof sleeps_text, "%u", sleeps);
    for (guint i = 0; i < component_count; i++) {
        char seed[16];
        const char *args[] = {"sleeper", seed, sleeps_text};

        (void) snprintf(seed, sizeof seed, "%u", i);
        sg_actor_create("sleeper", host, sleep_actor, 3, (char *const *) args);
    }
    gint64 start = g_get_monotonic_time();

    simgrid_run();
    gint64 end = g_get_monotonic_time();

    return (double) component_count * sleeps * 1e6 / (double) (end - start);
}

int main(int argc, char **argv)
{
    static const struct {
        guint components;
        SimTime cycles;
    } cases[] = {{1024, 600000}, {65536, 16000}, {1048576, 1600}};
    const bool is_quick = argc > 1 && g_str_equal(argv[1], "--quick");

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        for (guint threads = 1; threads <= 2; threads++) {
            SimTime cycles = is_quick ? cases[i].cycles / 16 : cases[i].cycles;

            report("gridloom", cases[i].components, threads,
                   best_of_gridloom(cases[i].components, threads, cycles,
                                    is_quick ? 1 : REPEATS));
        }
    }
    report("simgrid", 1024, 1,
           run_simgrid(1024, is_quick ? 20 : 500,
                       GRIDLOOM_SOURCE_DIR "/arch/systems/default.xml"));
    return 0;
}
