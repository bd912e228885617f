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

/* Lanes 0 to 7, of which everything is seen. */
static void watch(SimEngine *engine, SimProbeFunc func, gpointer data)
{
    (void) sim_engine_lanes(engine,
                            &(SimLaneGrid){.kind = "unit", .columns = 8, .rows = 1});
    sim_engine_watch(engine,
                     &(SimWatch){.func = func, .data = data, .to = SIM_TIME_NEVER});
}

static void see_all_kinds(SimRegion *region, gpointer data)
{
    (void) data;
    sim_region_slice(region, 4, "slice", 2, 9, NULL);
    sim_region_counter(region, 5, "counter", -7);
    sim_region_mark(region, 6, "mark", sim_region_now(region), NULL);
}

static void a_watcher_sees_what_was_probed(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(1, 1);
    SimRegion *region = sim_engine_region(engine, 0);
    g_autoptr(GString) trail = g_string_new(NULL);

    (void) state;
    watch(engine, note, trail);
    sim_region_at(region, 7, 0, see_all_kinds, NULL);

    assert_true(sim_region_is_watched(region));
    run_to_end(engine);

    assert_string_equal(trail->str,
                        " 0:slice:4:2-9=0 2:counter:5:7-7=-7 4:mark:6:7-7=0");
}

static void without_a_watcher_nothing_is_recorded(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(1, 1);
    SimRegion *region = sim_engine_region(engine, 0);

    (void) state;
    sim_region_at(region, 7, 0, see_all_kinds, NULL);

    assert_false(sim_region_is_watched(region));
    run_to_end(engine);

    assert_int_equal(sightings_used(&region->sightings), 0);
}

static void mark_name(SimRegion *region, gpointer data)
{
    sim_region_mark(region, 0, data, sim_region_now(region), NULL);
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
    watch(engine, note_name, trail);
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

    watch(engine, note_name, trail);
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

static void records_of_a_cycle_are_ordered_by_lane(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(2, 4);
    g_autoptr(GString) trail = g_string_new(NULL);

    (void) state;
    watch(engine, note_name, trail);
    for (guint i = 0; i < 2; i++) {
        sim_region_at(sim_engine_region(engine, i), 5, i, see_all_kinds, NULL);
        sim_region_at(sim_engine_region(engine, i), 5, 10 + i, mark_low_now,
                      (gpointer) (i == 0 ? "zero" : "one"));
    }

    run_to_end(engine);

    assert_string_equal(trail->str, " zero one slice slice counter counter mark mark");
}

/* Sixty records of a cycle, on each lane the later ones with lower keys. */
static void many_records_of_a_cycle_are_ordered_by_lane_and_key(void **state)
{
    static const char *const names[] = {"f", "e", "d", "c", "b", "a"};
    g_autoptr(SimEngine) engine = engine_of(6, 4);
    g_autoptr(GString) trail = g_string_new(NULL);
    g_autoptr(GString) expected = g_string_new(NULL);

    (void) state;
    watch(engine, note_name, trail);
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        for (guint j = 0; j < 10; j++) {
            sim_region_at(sim_engine_region(engine, i), 5, 60 - 10 * i + j, mark_name,
                          (gpointer) names[i]);
        }
    }
    for (guint i = 0; i < 60; i++) {
        g_string_append_printf(expected, " %s", names[5 - i / 10]);
    }

    run_to_end(engine);

    assert_string_equal(trail->str, expected->str);
}

static void what_was_seen_before_a_failure_is_shown(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(1, 1);
    g_autoptr(GString) trail = g_string_new(NULL);

    (void) state;
    watch(engine, note_name, trail);
    sim_region_at(sim_engine_region(engine, 0), 5, 0, mark_name, (gpointer) "seen");
    sim_region_at(sim_engine_region(engine, 0), 6, 0, mark_name, (gpointer) "unseen");

    assert_false(sim_engine_run(engine, 5, NULL));
    assert_string_equal(trail->str, " seen");
}

static void see_details(SimRegion *region, gpointer data)
{
    const SimProbeDetail detail = {.flow = 77,
                                   .argument_count = 1,
                                   .arguments = {{.name = "bytes", .value = 2048}}};

    (void) data;
    sim_region_slice(region, 1, "send", 0, 4, &detail);
    sim_region_stall(region, 1, "noc", 4, 6, NULL);
    sim_region_change(region, 2, "pages", 9, 3);
}

static void note_details(gpointer data, const SimProbeRecord *record)
{
    const SimProbeDetail *detail = &record->detail;

    g_string_append_printf(data, " %s@%u-%u/%u:%u", record->name, (guint) record->begin,
                           (guint) record->end, (guint) record->now,
                           (guint) detail->flow);
    for (guint i = 0; i < detail->argument_count; i++) {
        g_string_append_printf(data, ":%s=%d", detail->arguments[i].name,
                               (int) detail->arguments[i].value);
    }
}

static void records_carry_flows_and_arguments(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(1, 1);
    g_autoptr(GString) trail = g_string_new(NULL);

    (void) state;
    watch(engine, note_details, trail);
    sim_region_at(sim_engine_region(engine, 0), 3, 0, see_details, NULL);
    run_to_end(engine);

    assert_string_equal(trail->str,
                        " send@0-4/3:77:bytes=2048 noc@4-6/3:0 pages@9-9/3:0");
}

static void see_slices(SimRegion *region, gpointer data)
{
    (void) data;
    sim_region_slice(region, 0, "before", 0, 9, NULL);
    sim_region_slice(region, 0, "across", 5, 10, NULL);
    sim_region_slice(region, 0, "in", 12, 14, NULL);
    sim_region_slice(region, 0, "late", 20, 30, NULL);
    sim_region_slice(region, 0, "after", 21, 22, NULL);
}

static void a_window_leaves_out_what_is_not_in_it(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(1, 1);
    g_autoptr(GString) trail = g_string_new(NULL);

    (void) state;
    (void) sim_engine_lane(engine, "pcie");
    sim_engine_watch(
        engine, &(SimWatch){.func = note_name, .data = trail, .from = 10, .to = 20});
    sim_region_at(sim_engine_region(engine, 0), 30, 0, see_slices, NULL);
    run_to_end(engine);

    assert_string_equal(trail->str, " across in late");
}

static void see_flows(SimRegion *region, gpointer data)
{
    static const SimTime begins[] = {9, 10, 20, 21};

    (void) data;
    for (gsize i = 0; i < G_N_ELEMENTS(begins); i++) {
        sim_region_mark(region, 0, "arrive", 15,
                        &(SimProbeDetail){.flow = 1 + i,
                                          .flow_since = begins[i],
                                          .is_flow_end = true});
    }
}

static void flows_are_shown_that_begin_in_the_window(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(1, 1);
    g_autoptr(GString) trail = g_string_new(NULL);

    (void) state;
    (void) sim_engine_lane(engine, "pcie");
    sim_engine_watch(
        engine, &(SimWatch){.func = note_details, .data = trail, .from = 10, .to = 20});
    sim_region_at(sim_engine_region(engine, 0), 30, 0, see_flows, NULL);
    run_to_end(engine);

    assert_string_equal(trail->str, " arrive@15-15/30:0 arrive@15-15/30:2"
                                    " arrive@15-15/30:3 arrive@15-15/30:0");
}

static void see_changes(SimRegion *region, gpointer data)
{
    (void) data;
    sim_region_change(region, 0, "before", 4, 3);
    sim_region_change(region, 0, "in", 12, 1);
    sim_region_change(region, 0, "after", 21, 1);
}

static void changes_before_a_window_count_in_it(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(1, 1);
    g_autoptr(GString) trail = g_string_new(NULL);

    (void) state;
    (void) sim_engine_lane(engine, "pcie");
    sim_engine_watch(
        engine, &(SimWatch){.func = note_details, .data = trail, .from = 10, .to = 20});
    sim_region_at(sim_engine_region(engine, 0), 3, 0, see_changes, NULL);
    run_to_end(engine);

    assert_string_equal(trail->str, " before@10-10/3:0 in@12-12/3:0");
}

static SimLaneLevel choose_by_column(gpointer data, const SimLanePlace *place)
{
    (void) data;
    return place->x == 0   ? SIM_LANE_FULL
           : place->x == 1 ? SIM_LANE_OFF
                           : SIM_LANE_BLOCKS;
}

static void use_columns(SimRegion *region, gpointer data)
{
    (void) data;
    for (SimLane lane = 0; lane < 8; lane++) {
        sim_region_slice(region, lane, "work", 10, 20, NULL);
    }
    sim_region_stall(region, 7, "memory", 20, 50, NULL);
}

static void a_watcher_chooses_lanes(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(2, 4);
    g_autoptr(GString) trail = g_string_new(NULL);

    (void) state;
    (void) sim_engine_lanes(engine,
                            &(SimLaneGrid){.kind = "pe", .columns = 8, .rows = 1});
    sim_engine_watch(engine, &(SimWatch){.func = note,
                                         .data = trail,
                                         .to = SIM_TIME_NEVER,
                                         .choose = choose_by_column,
                                         .block_limit = 4});
    assert_true(sim_region_wants(sim_engine_region(engine, 0), 0));
    assert_false(sim_region_wants(sim_engine_region(engine, 0), 1));
    sim_region_at(sim_engine_region(engine, 0), 50, 0, use_columns, NULL);
    sim_region_at(sim_engine_region(engine, 1), 50, 0, use_columns, NULL);
    run_to_end(engine);
    assert_int_equal(sim_engine_lane_edge(engine, 3), 2);
    sim_engine_finish_watch(engine);

    /* Lanes 2 and 3 are a block, seen from both regions: 4 x 6 cycles, then 4 x 4. */
    assert_string_equal(trail->str,
                        " 0:work:0:10-20=0 0:work:0:10-20=0"
                        " 5:busy:2:0-16=24 5:busy:2:16-32=16 5:busy:2:32-48=0"
                        " 5:busy:2:48-64=0"
                        " 5:busy:4:0-16=24 5:busy:4:16-32=16 5:busy:4:32-48=0"
                        " 5:busy:4:48-64=0"
                        " 5:busy:6:0-16=24 5:busy:6:16-32=16 5:busy:6:32-48=0"
                        " 5:busy:6:48-64=0"
                        " 5:stalled:6:0-16=0 5:stalled:6:16-32=24"
                        " 5:stalled:6:32-48=32 5:stalled:6:48-64=4");
}

static void add_use(gpointer data, const SimProbeRecord *record)
{
    GArray *sums = data;

    g_array_append_val(sums, record->value);
    assert_int_equal(record->end - record->begin, 64);
}

static void use_long(SimRegion *region, gpointer data)
{
    (void) data;
    sim_region_slice(region, 2, "work", 0, 100, NULL);
    sim_region_slice(region, 2, "work", 11904, 12288, NULL);
}

/* 12288 cycles are 192 intervals of 64. */
static void intervals_of_use_grow_with_the_run(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(1, 1);
    g_autoptr(GArray) sums = g_array_new(FALSE, FALSE, sizeof(int64_t));

    (void) state;
    (void) sim_engine_lanes(engine,
                            &(SimLaneGrid){.kind = "pe", .columns = 3, .rows = 1});
    sim_engine_watch(engine, &(SimWatch){.func = add_use,
                                         .data = sums,
                                         .to = SIM_TIME_NEVER,
                                         .choose = choose_by_column});
    sim_region_at(sim_engine_region(engine, 0), 1, 0, use_long, NULL);
    run_to_end(engine);
    sim_engine_finish_watch(engine);

    assert_int_equal(sums->len, 192);
    assert_int_equal(g_array_index(sums, int64_t, 0), 64);
    assert_int_equal(g_array_index(sums, int64_t, 1), 36);
    assert_int_equal(g_array_index(sums, int64_t, 2), 0);
    assert_int_equal(g_array_index(sums, int64_t, 191), 64);
}

static void add_begin(gpointer data, const SimProbeRecord *record)
{
    GArray *sums = data;

    g_array_append_val(sums, record->begin);
}

static void use_once(SimRegion *region, gpointer data)
{
    (void) data;
    sim_region_slice(region, 2, "work", 1000, 1020, NULL);
}

/* The first run uses no lane; the second one begins at cycle 1000. */
static void intervals_begin_with_the_run_that_uses_lanes(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(2, 4);
    g_autoptr(GArray) begins = g_array_new(FALSE, FALSE, sizeof(SimTime));

    (void) state;
    (void) sim_engine_lanes(engine,
                            &(SimLaneGrid){.kind = "pe", .columns = 3, .rows = 1});
    sim_engine_watch(engine, &(SimWatch){.func = add_begin,
                                         .data = begins,
                                         .to = SIM_TIME_NEVER,
                                         .choose = choose_by_column});
    run_to_end(engine);
    sim_engine_idle_until(engine, 1000);
    sim_region_at(sim_engine_region(engine, 1), 1020, 0, use_once, NULL);
    run_to_end(engine);
    sim_engine_finish_watch(engine);

    assert_int_equal(begins->len, 2);
    assert_int_equal(g_array_index(begins, SimTime, 0), 1000);
    assert_int_equal(g_array_index(begins, SimTime, 1), 1016);
}

static void lanes_of_a_grid_have_places(void **state)
{
    static const char *const units[] = {"unpack", "math", "pack"};
    g_autoptr(SimEngine) engine = engine_of(1, 1);

    (void) state;
    SimLane pcie = sim_engine_lane(engine, "pcie");
    SimLane first =
        sim_engine_lanes(engine, &(SimLaneGrid){.kind = "core",
                                                .columns = 8,
                                                .rows = 7,
                                                .units = units,
                                                .unit_count = G_N_ELEMENTS(units)});
    SimLane math = first + (3 + 8 * 4) * 3 + 1;
    SimLanePlace place = sim_engine_lane_place(engine, math);
    g_autofree char *name = sim_engine_lane_name(engine, math);
    g_autofree char *alone = sim_engine_lane_name(engine, pcie);

    assert_int_equal(sim_engine_lane(engine, "pcie"), pcie);
    assert_int_equal(sim_engine_lane_count(engine), 1 + 8 * 7 * 3);
    assert_int_equal(place.x, 3);
    assert_int_equal(place.y, 4);
    assert_string_equal(place.unit, "math");
    assert_string_equal(name, "core[3,4].math");
    assert_string_equal(alone, "pcie");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_watcher_sees_what_was_probed),
        cmocka_unit_test(without_a_watcher_nothing_is_recorded),
        cmocka_unit_test(records_of_regions_are_ordered_by_time_and_key),
        cmocka_unit_test(the_order_does_not_depend_on_how_regions_are_cut),
        cmocka_unit_test(records_of_a_cycle_are_ordered_by_lane),
        cmocka_unit_test(many_records_of_a_cycle_are_ordered_by_lane_and_key),
        cmocka_unit_test(what_was_seen_before_a_failure_is_shown),
        cmocka_unit_test(records_carry_flows_and_arguments),
        cmocka_unit_test(a_window_leaves_out_what_is_not_in_it),
        cmocka_unit_test(flows_are_shown_that_begin_in_the_window),
        cmocka_unit_test(changes_before_a_window_count_in_it),
        cmocka_unit_test(a_watcher_chooses_lanes),
        cmocka_unit_test(intervals_of_use_grow_with_the_run),
        cmocka_unit_test(intervals_begin_with_the_run_that_uses_lanes),
        cmocka_unit_test(lanes_of_a_grid_have_places),
    };

    return cmocka_run_group_tests_name("sim.probe", tests, NULL, NULL);
}
