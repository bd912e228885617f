/* Tests of probes: what the watcher sees, and in which order. */
#include <stdbool.h>

#include "sim/parallel/engine_state.h"
#include "sim/probe.h"
#include "tests/sim/support.h"

static void note(gpointer data, const SimProbeRecord *record)
{
    GString *trail = data;

    g_string_append_printf(trail,
                           " %u:%s:%u:%" G_GUINT64_FORMAT "-%" G_GUINT64_FORMAT
                           "=%" G_GINT64_FORMAT,
                           record->kind, record->name, record->lane, record->begin,
                           record->end, record->value);
}

static void note_name(gpointer data, const SimProbeRecord *record)
{
    g_string_append_printf(data, " %s", record->name);
}

static void see_all_kinds(SimRegion *region, gpointer data)
{
    (void) data;
    sim_region_slice(region, 4, "slice", 2, 9);
    sim_region_counter(region, 5, "counter", -7);
    sim_region_mark(region, 6, "mark");
}

static void a_watcher_sees_what_was_probed(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(1, 1);
    SimRegion *region = sim_engine_region(engine, 0);
    g_autoptr(GString) trail = g_string_new(NULL);

    (void) state;
    sim_engine_watch(engine, note, trail);
    sim_region_at(region, 7, 0, see_all_kinds, NULL);

    assert_true(sim_region_is_watched(region));
    run_to_end(engine);

    assert_string_equal(trail->str,
                        " 0:slice:4:2-9=0 1:counter:5:7-7=-7 2:mark:6:7-7=0");
}

static void without_a_watcher_nothing_is_recorded(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(1, 1);
    SimRegion *region = sim_engine_region(engine, 0);

    (void) state;
    sim_region_at(region, 7, 0, see_all_kinds, NULL);

    assert_false(sim_region_is_watched(region));
    run_to_end(engine);

    assert_int_equal(region->sightings->len, 0);
}

static void mark_name(SimRegion *region, gpointer data)
{
    sim_region_mark(region, 0, data);
}

static void records_of_regions_are_ordered_by_time_and_key(void **state)
{
    static const struct {
        guint region;
        SimTime when;
        SimKey key;
        const char *name;
    } events[] = {
        {2, 5, 1, "c"}, {0, 5, 2, "d"}, {1, 3, 9, "a"},   {1, 5, 0, "b"},
        {2, 5, 7, "f"}, {0, 5, 7, "e"}, {0, 900, 0, "h"}, {2, 20, 0, "g"},
    };
    g_autoptr(SimEngine) engine = engine_of(3, 16);
    g_autoptr(GString) trail = g_string_new(NULL);

    (void) state;
    sim_engine_watch(engine, note_name, trail);
    for (gsize i = 0; i < G_N_ELEMENTS(events); i++) {
        sim_region_at(sim_engine_region(engine, events[i].region), events[i].when,
                      events[i].key, mark_name, (gpointer) events[i].name);
    }

    run_to_end(engine);

    assert_string_equal(trail->str, " a b c d e f g h");
}

/* Runs unseen, and lets an event with a low key be seen in the same cycle. */
static void mark_low_now(SimRegion *region, gpointer data)
{
    sim_region_at(region, sim_region_now(region), 3, mark_name, data);
}

static void check_late_event(guint region_count)
{
    g_autoptr(SimEngine) engine = engine_of(region_count, 4);
    SimRegion *first = sim_engine_region(engine, 0);
    SimRegion *last = sim_engine_region(engine, region_count - 1);
    g_autoptr(GString) trail = g_string_new(NULL);

    sim_engine_watch(engine, note_name, trail);
    sim_region_at(first, 5, 8, mark_name, (gpointer) "eight");
    sim_region_at(first, 5, 10, mark_low_now, (gpointer) "three");
    sim_region_at(last, 5, 5, mark_name, (gpointer) "five");

    run_to_end(engine);

    assert_string_equal(trail->str, " three five eight");
}

/* An event for the present cycle may have a lower key than those that ran before. */
static void the_order_does_not_depend_on_how_regions_are_cut(void **state)
{
    (void) state;

    check_late_event(1);
    check_late_event(2);
}

static void records_of_one_event_keep_their_order(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(2, 4);
    g_autoptr(GString) trail = g_string_new(NULL);

    (void) state;
    sim_engine_watch(engine, note_name, trail);
    for (guint i = 0; i < 2; i++) {
        sim_region_at(sim_engine_region(engine, i), 5, i, see_all_kinds, NULL);
        sim_region_at(sim_engine_region(engine, i), 5, 10 + i, mark_low_now,
                      (gpointer) (i == 0 ? "zero" : "one"));
    }

    run_to_end(engine);

    assert_string_equal(trail->str, " slice counter mark slice counter mark zero one");
}

static void what_was_seen_before_a_failure_is_shown(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(1, 1);
    g_autoptr(GString) trail = g_string_new(NULL);

    (void) state;
    sim_engine_watch(engine, note_name, trail);
    sim_region_at(sim_engine_region(engine, 0), 5, 0, mark_name, (gpointer) "seen");
    sim_region_at(sim_engine_region(engine, 0), 6, 0, mark_name, (gpointer) "unseen");

    assert_false(sim_engine_run(engine, 5, NULL));
    assert_string_equal(trail->str, " seen");
}

static void a_name_is_one_lane(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(1, 1);

    (void) state;
    SimLane math = sim_engine_lane(engine, "core[3,4].math");
    SimLane east = sim_engine_lane(engine, "noc0[3,4].east");

    assert_int_not_equal(math, east);
    assert_int_equal(sim_engine_lane(engine, "core[3,4].math"), math);
    assert_string_equal(sim_engine_lane_name(engine, math), "core[3,4].math");
    assert_string_equal(sim_engine_lane_name(engine, east), "noc0[3,4].east");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_watcher_sees_what_was_probed),
        cmocka_unit_test(without_a_watcher_nothing_is_recorded),
        cmocka_unit_test(records_of_regions_are_ordered_by_time_and_key),
        cmocka_unit_test(the_order_does_not_depend_on_how_regions_are_cut),
        cmocka_unit_test(records_of_one_event_keep_their_order),
        cmocka_unit_test(what_was_seen_before_a_failure_is_shown),
        cmocka_unit_test(a_name_is_one_lane),
    };

    return cmocka_run_group_tests_name("sim.probe", tests, NULL, NULL);
}
