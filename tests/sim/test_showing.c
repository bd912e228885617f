/* Tests of showing: a watcher gets the same records beside the run as between windows.
 */
#include "sim/parallel/engine_state.h"
#include "sim/probe.h"
#include "tests/sim/support.h"

enum {
    REGIONS = 3,
    LANES = 40,
    EVENTS = 6000,    /* of a region */
    SIGHTINGS = 7,    /* of an event */
    LAST_CYCLE = 400, /* so that many events share one */
};

static uint64_t seeds[REGIONS * EVENTS]; /* of events: what they see */

/* What the watcher got: how many records, a sum that depends on their order, and who
 * handed them over. */
typedef struct {
    guint count;
    uint64_t sum;
    guint elsewhere; /* on other threads than `thread` */
    GThread *thread;
} Diary;

static void mix(Diary *self, uint64_t value)
{
    self->sum = (self->sum ^ value) * UINT64_C(0x100000001b3);
}

static void note(gpointer data, const SimProbeRecord *record)
{
    Diary *self = data;
    const SimProbeDetail *detail = &record->detail;

    self->count++;
    self->elsewhere += g_thread_self() != self->thread;
    mix(self, record->kind);
    mix(self, record->lane);
    mix(self, g_str_hash(record->name));
    mix(self, record->now);
    mix(self, record->begin);
    mix(self, record->end);
    mix(self, (uint64_t) record->value);
    mix(self, detail->flow);
    mix(self, detail->flow_since);
    mix(self, detail->is_flow_end);
    mix(self, detail->has_cause ? detail->cause : LANES);
    mix(self, detail->cause_at);
    for (guint i = 0; i < detail->argument_count; i++) {
        mix(self, g_str_hash(detail->arguments[i].name));
        mix(self, (uint64_t) detail->arguments[i].value);
    }
}

/* A detail with any of its parts. */
static SimProbeDetail detail_of(uint64_t *random, SimTime now)
{
    SimProbeDetail detail = {.argument_count =
                                 (guint8) random_below(random, SIM_PROBE_ARGUMENTS)};

    if (random_below(random, 4) == 0) {
        detail.flow = 1 + random_below(random, EVENTS);
        detail.flow_since = 1 + random_below(random, (guint) now + 1);
        detail.is_flow_end = random_below(random, 2) == 0;
    }
    if (random_below(random, 2) == 0) {
        detail.has_cause = true;
        detail.cause = random_below(random, LANES);
        detail.cause_at = now;
    }
    for (guint i = 0; i < detail.argument_count; i++) {
        detail.arguments[i] = (SimProbeArgument){
            .name = i % 2 == 0 ? "even" : "odd",
            .value = (int64_t) random_below(random, EVENTS) - EVENTS / 2};
    }
    return detail;
}

static void see(SimRegion *region, SimLane lane, uint64_t *random)
{
    const SimTime now = sim_region_now(region);
    const SimProbeDetail detail = detail_of(random, now);

    switch (random_below(random, 5)) {
    case 0:
        sim_region_slice(region, lane, "slice", now, now + 3, &detail);
        return;
    case 1:
        sim_region_stall(region, lane, "stall", now, now + 2, &detail);
        return;
    case 2:
        sim_region_counter(region, lane, "counter", random_below(random, 3));
        return;
    case 3:
        sim_region_change(region, lane, "change", now + 1, -4);
        return;
    default:
        sim_region_mark(region, lane, "mark", now, NULL);
        return;
    }
}

static void see_some(SimRegion *region, gpointer data)
{
    uint64_t random = *(const uint64_t *) data;

    for (guint i = 0; i < SIGHTINGS; i++) {
        see(region, random_below(&random, LANES), &random);
    }
}

static Diary run(guint thread_count, bool is_beside)
{
    SimEngineConfig config = sim_engine_config_default();
    Diary diary = {.thread = g_thread_self()};
    uint64_t random = 7;

    config.region_count = REGIONS;
    config.thread_count = thread_count;
    config.window_cycles = 8;
    g_autoptr(SimEngine) engine = sim_engine_new(config);

    (void) sim_engine_lanes(engine, &(SimLaneGrid){.kind = "unit", .columns = LANES});
    sim_engine_watch(engine, &(SimWatch){.func = note,
                                         .data = &diary,
                                         .to = SIM_TIME_NEVER,
                                         .is_beside = is_beside});
    for (guint i = 0; i < REGIONS * EVENTS; i++) {
        sim_region_at(sim_engine_region(engine, i % REGIONS),
                      1 + random_below(&random, LAST_CYCLE), random_below(&random, 5),
                      see_some, &seeds[i]);
    }
    run_to_end(engine);
    assert_int_equal(diary.count, REGIONS * EVENTS * SIGHTINGS); /* all, on return */
    return diary;
}

static void records_beside_the_run_are_the_same(void **state)
{
    const Diary between = run(1, false);

    (void) state;
    assert_int_equal(between.elsewhere, 0);
    for (guint threads = 1; threads <= REGIONS; threads++) {
        const Diary beside = run(threads, true);

        assert_int_equal(beside.sum, between.sum);
        assert_int_equal(beside.elsewhere > 0, g_get_num_processors() > 1);
    }
}

static void add_lanes(SimRegion *region, gpointer data)
{
    see_some(region, &seeds[0]);
    (void) sim_engine_lane(data, "late");
}

/* A watcher may ask for the name of a lane while others are added. */
static void name_lane(gpointer data, const SimProbeRecord *record)
{
    g_autofree char *name = sim_engine_lane_name(data, record->lane);

    assert_true(g_str_has_prefix(name, "unit["));
}

static void lanes_may_be_added_during_a_run(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(1, 1);
    SimRegion *region = sim_engine_region(engine, 0);

    (void) state;
    (void) sim_engine_lanes(engine, &(SimLaneGrid){.kind = "unit", .columns = LANES});
    sim_engine_watch(engine, &(SimWatch){.func = name_lane,
                                         .data = engine,
                                         .to = SIM_TIME_NEVER,
                                         .is_beside = true});
    for (guint i = 1; i <= EVENTS; i++) {
        sim_region_at(region, i, 0, i == EVENTS - 1 ? add_lanes : see_some,
                      i == EVENTS - 1 ? (gpointer) engine : &seeds[i]);
    }
    run_to_end(engine);
    assert_int_equal(sim_engine_lane_count(engine), LANES + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_beside_the_run_are_the_same),
        cmocka_unit_test(lanes_may_be_added_during_a_run),
    };

    for (guint i = 0; i < G_N_ELEMENTS(seeds); i++) {
        seeds[i] = i + 1;
    }
    return cmocka_run_group_tests_name("sim.showing", tests, NULL, NULL);
}
