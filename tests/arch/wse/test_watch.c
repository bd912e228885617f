/* What is seen of wafers: times of slices, stalls, switches and streams. */
#include "tests/arch/wse/sight.h"

enum {
    COLOR = 4,
    FLOW_SHIFT = 40,
};

typedef struct {
    WseRun run;
    WseSight sight;
} Rig;

static uint32_t command(ArchWseCommand which)
{
    const ArchWseControl control = {.command = which, .is_ce_filtered = true};

    return arch_wse_control_payload(&control, 1, 31);
}

/* Five wavelets from PE 0 to PE 1, which passes them on to PE 2; PE 0 then adds. */
static void open_row(Rig *rig, const char *const *overrides)
{
    const WseRunStep send[] = {
        {WSE_RUN_SEND, COLOR, 0, .count = 5, .value = 1},
        {WSE_RUN_COMPUTE, .count = 8},
    };
    const WseRunStep receive = {WSE_RUN_RECEIVE, COLOR, 4, .count = 5,
                                .is_marked = true};
    WseRun *run = &rig->run;

    wse_run_open(run, 3, 1, overrides);
    wse_run_steps(run, wse_rig_one(0, 0), "send", send, G_N_ELEMENTS(send));
    wse_run_steps(run, wse_rig_one(1, 0), "receive", &receive, 1);
    wse_run_steps(run, wse_rig_one(2, 0), "receive", &receive, 1);
    wse_rig_set_route(run->layout, wse_rig_one(0, 0), COLOR, R, E);
    wse_rig_set_route(run->layout, wse_rig_one(1, 0), COLOR, W, E | R);
    wse_rig_set_route(run->layout, wse_rig_one(2, 0), COLOR, W, R);
    wse_sight_open(&rig->sight, run);
}

static void close_rig(Rig *rig)
{
    wse_sight_close(&rig->sight);
    wse_run_close(&rig->run);
}

/* Dispatch takes 10 cycles, a set-up 28 and 6 more; a wavelet of a microthread may
 * issue from 44 on, when the main thread has the slot until 72. */
static void operations_are_slices_of_their_threads(void **state)
{
    (void) state;
    Rig rig;

    open_row(&rig, NULL);
    wse_run(&rig.run);

    wse_sight_assert(&rig.sight, 0, 0, "thread0", " fmovs@44-77");
    wse_sight_assert(&rig.sight, 1, 0, "thread4", " fmovs@44-83");
    wse_sight_assert(&rig.sight, 2, 0, "thread4", " fmovs@44-84");
    close_rig(&rig);
}

static void tasks_and_synchronous_operations_are_slices_of_the_main_thread(void **state)
{
    (void) state;
    Rig rig;

    open_row(&rig, NULL);
    wse_run(&rig.run);

    wse_sight_assert(&rig.sight, 0, 0, "main", " work@0-78 fadds@78-84");
    wse_sight_assert(&rig.sight, 1, 0, "main", " work@0-44 work@83-93");
    close_rig(&rig);
}

static void the_issue_slot_shows_busy_cycles_and_stalls(void **state)
{
    (void) state;
    Rig rig;

    open_row(&rig, NULL);
    wse_run(&rig.run);

    wse_sight_assert(
        &rig.sight, 0, 0, "ce",
        " work@10-38 work@44-72 fmovs@72-77 fadds@78-82 !memory_idle@82-84");
    wse_sight_assert(&rig.sight, 1, 0, "ce", " work@10-38 fmovs@78-83");
    close_rig(&rig);
}

/* 8 numbers take 4 cycles and 2 more; then a set-up of the task again. */
static void work_belongs_to_operations_and_then_to_tasks_again(void **state)
{
    (void) state;
    const WseRunStep steps[] = {
        {WSE_RUN_COMPUTE, .count = 8},
        {WSE_RUN_COMPUTE, .count = 8},
    };
    Rig rig;

    wse_run_open(&rig.run, 1, 1, NULL);
    wse_run_steps(&rig.run, wse_rig_one(0, 0), "add", steps, G_N_ELEMENTS(steps));
    wse_sight_open(&rig.sight, &rig.run);
    wse_run(&rig.run);

    wse_sight_assert(&rig.sight, 0, 0, "ce",
                     " work@10-38 fadds@44-48 !memory_idle@48-50 work@50-78 "
                     "fadds@84-88 !memory_idle@88-90");
    wse_sight_assert(&rig.sight, 0, 0, "main",
                     " work@0-44 fadds@44-50 work@50-84 fadds@84-90");
    close_rig(&rig);
}

/* Memory makes one thread wait, not the CE: its stalls overlap with what others do. */
static void stalls_of_a_thread_are_seen_too(void **state)
{
    (void) state;
    static const char *const overrides[] = {"memory.stall_scope=thread", NULL};
    Rig rig;

    open_row(&rig, overrides);
    wse_run(&rig.run);

    wse_sight_assert(
        &rig.sight, 0, 0, "ce",
        " work@10-38 work@44-72 fmovs@72-77 fadds@78-82 !memory_idle@82-84");
    wse_sight_assert(&rig.sight, 0, 0, "main", " work@0-78 fadds@78-84");
    close_rig(&rig);
}

static void links_and_ramps_are_taken_wavelet_by_wavelet(void **state)
{
    (void) state;
    Rig rig;

    open_row(&rig, NULL);
    wse_run(&rig.run);

    wse_sight_assert(&rig.sight, 0, 0, "east",
                     " wavelets@75-76 wavelets@76-77 wavelets@77-78 wavelets@78-79 "
                     "wavelets@79-80");
    wse_sight_assert(&rig.sight, 0, 0, "west", "");
    wse_sight_assert(&rig.sight, 1, 0, "ramp", " in@76-81");
    wse_sight_assert(&rig.sight, 2, 0, "ramp", " in@77-82");
    close_rig(&rig);
}

static void or_stream_by_stream(void **state)
{
    (void) state;
    Rig rig;

    open_row(&rig, NULL);
    rig.run.options.grain = ARCH_WSE_GRAIN_STREAM;
    wse_run(&rig.run);

    wse_sight_assert(&rig.sight, 0, 0, "east", " wavelets@75-80");
    wse_sight_assert(&rig.sight, 1, 0, "ramp", " in@76-81");
    wse_sight_assert(&rig.sight, 0, 0, "ce",
                     " work@10-38 work@44-72 fmovs@72-77 fadds@78-82 "
                     "!memory_idle@82-84");
    close_rig(&rig);
}

/* The first record of a lane. */
static const SimProbeRecord *record_of(const Rig *rig, guint x, const char *unit)
{
    const SimLane lane = wse_sight_lane(&rig->sight, x, 0, unit);

    for (guint i = 0; i < rig->sight.records->len; i++) {
        const SimProbeRecord *record =
            &g_array_index(rig->sight.records, SimProbeRecord, i);

        if (record->lane == lane) {
            return record;
        }
    }
    fail_msg("nothing of pe[%u,0].%s", x, unit);
    return NULL;
}

static void assert_argument(const SimProbeRecord *record,
                            guint index,
                            const char *name,
                            int64_t value)
{
    assert_true(index < record->detail.argument_count);
    assert_string_equal(record->detail.arguments[index].name, name);
    assert_int_equal(record->detail.arguments[index].value, value);
}

static void operations_say_color_and_length(void **state)
{
    (void) state;
    Rig rig;

    open_row(&rig, NULL);
    wse_run(&rig.run);
    const SimProbeRecord *send = record_of(&rig, 0, "thread0");
    const SimProbeRecord *arrival = record_of(&rig, 2, "router");

    assert_int_equal(send->detail.argument_count, 3);
    assert_argument(send, 0, "color", COLOR);
    assert_argument(send, 1, "length", 5);
    assert_argument(send, 2, "sram_bytes", 5 * 4); /* what it reads */
    assert_argument(arrival, 0, "color", COLOR);
    assert_argument(arrival, 1, "x", 0);
    assert_argument(arrival, 2, "y", 0);
    close_rig(&rig);
}

/* PE 1 is on the way, PE 2 the end. */
static void streams_flow_from_operation_to_arrival(void **state)
{
    (void) state;
    Rig rig;

    open_row(&rig, NULL);
    wse_run(&rig.run);
    const SimProbeRecord *send = record_of(&rig, 0, "thread0");
    const SimProbeRecord *way = record_of(&rig, 1, "router");
    const SimProbeRecord *end = record_of(&rig, 2, "router");

    wse_sight_assert(&rig.sight, 1, 0, "router", " arrive@76");
    wse_sight_assert(&rig.sight, 2, 0, "router", " arrive@77");
    assert_int_not_equal(send->detail.flow, 0);
    assert_false(send->detail.is_flow_end);
    assert_int_equal(way->detail.flow, send->detail.flow);
    assert_false(way->detail.is_flow_end);
    assert_int_equal(end->detail.flow, send->detail.flow);
    assert_true(end->detail.is_flow_end);
    assert_int_equal(send->detail.flow >> FLOW_SHIFT, send->lane);
    assert_int_equal(wse_sight_check(&rig.sight), 1);
    close_rig(&rig);
}

/* PE 1 sends to both sides and to itself. */
static void forks_are_followed_one_way_and_echoes_are_not(void **state)
{
    (void) state;
    const WseRunStep both[] = {
        {WSE_RUN_RECEIVE, COLOR, 4, .count = 2},
        {WSE_RUN_SEND, COLOR, 0, .count = 2, .value = 1},
    };
    const WseRunStep receive = {WSE_RUN_RECEIVE, COLOR, 4, .count = 2};
    Rig rig;
    WseRun *run = &rig.run;

    wse_run_open(run, 3, 1, NULL);
    wse_run_steps(run, wse_rig_one(1, 0), "both", both, G_N_ELEMENTS(both));
    wse_run_steps(run, wse_rig_one(0, 0), "west", &receive, 1);
    wse_run_steps(run, wse_rig_one(2, 0), "east", &receive, 1);
    wse_rig_set_route(run->layout, wse_rig_one(0, 0), COLOR, E, R);
    wse_rig_set_route(run->layout, wse_rig_one(1, 0), COLOR, R, W | E | R);
    wse_rig_set_route(run->layout, wse_rig_one(2, 0), COLOR, W, R);
    wse_sight_open(&rig.sight, run);
    wse_run(run);

    assert_int_equal(wse_sight_check(&rig.sight), 1);
    assert_true(record_of(&rig, 0, "router")->detail.is_flow_end);
    wse_sight_assert(&rig.sight, 1, 0, "router", "");
    wse_sight_assert(&rig.sight, 2, 0, "router", "");
    close_rig(&rig);
}

/* After one of three PEs, one of two. */
static void a_layout_of_another_size_has_lanes_of_its_own(void **state)
{
    (void) state;
    Rig rig;

    open_row(&rig, NULL);
    wse_run(&rig.run);

    ArchWseLayout *layout = wse_rig_layout_new(rig.run.params, 2, 1);

    wse_rig_set_code(layout, wse_rig_all(layout),
                     wse_rig_program_new(rig.run.params, "none", 0, 0));
    assert_true(arch_wse_load(rig.run.wse, layout, &rig.run.options, NULL));
    sim_engine_watch(rig.run.engine, &rig.run.watch);
    arch_wse_start(rig.run.wse);
    assert_true(sim_engine_run(rig.run.engine, SIM_TIME_NEVER, NULL));
    arch_wse_finish_watch(rig.run.wse);

    const SimLane lane = sim_engine_lane_count(rig.run.engine) - 1;
    g_autofree char *name = sim_engine_lane_name(rig.run.engine, lane);

    assert_string_equal(name, "pe2[1,0].south");
    close_rig(&rig);
}

/* What begins in time has its end, however late; else there is neither. */
static void check_window(SimTime from, SimTime to, guint flows)
{
    Rig rig;

    open_row(&rig, NULL);
    rig.run.watch.from = from;
    rig.run.watch.to = to;
    wse_run(&rig.run);

    assert_int_equal(wse_sight_check(&rig.sight), flows);
    close_rig(&rig);
}

static void windows_leave_flows_whole(void **state)
{
    (void) state;
    check_window(0, 50, 1);
    check_window(45, 50, 1);
    check_window(46, SIM_TIME_NEVER, 0);
    check_window(0, 44, 0);
}

/* The switch of PE 1: from the west, then closed, then from the west again. */
static void open_switch(Rig *rig, const char *const *names, bool is_ring)
{
    const WseRunStep send[] = {
        {WSE_RUN_SEND, COLOR, 0, .count = 2, .value = 1, .is_sync = true},
        {WSE_RUN_CONTROL, COLOR, 0, .count = 1, .bits = command(ARCH_WSE_SWITCH_ADV),
         .is_sync = true},
        {WSE_RUN_SEND, COLOR, 0, .count = 2, .value = 1, .is_sync = true},
        {WSE_RUN_CONTROL, COLOR, 0, .count = 1, .bits = command(ARCH_WSE_SWITCH_ADV),
         .is_sync = true},
    };
    const WseRunStep receive = {WSE_RUN_RECEIVE, COLOR, 4, .count = 4};
    ArchWseColorConfig config = {
        .position_count = 2,
        .positions = {{W, R}, {.rx = W}},
        .is_ring = is_ring,
    };
    WseRun *run = &rig->run;

    for (guint i = 0; names != NULL && i < config.position_count; i++) {
        config.names[i] = names[i];
    }
    wse_run_open(run, 2, 1, NULL);
    wse_run_steps(run, wse_rig_one(0, 0), "send", send, G_N_ELEMENTS(send));
    wse_run_steps(run, wse_rig_one(1, 0), "receive", &receive, 1);
    wse_rig_set_route(run->layout, wse_rig_one(0, 0), COLOR, R, E);
    wse_rig_set_config(run->layout, wse_rig_one(1, 0), COLOR, &config);
    wse_sight_open(&rig->sight, run);
}

/* The control wavelet is issued at 44 + 2 + 34 = 80, leaves PE 0 three cycles later and
 * PE 1 one more: from the next cycle on the switch is elsewhere. */
static void switches_are_slices_named_by_position(void **state)
{
    (void) state;
    static const char *const names[] = {"Root", "Last"};
    Rig rig;

    open_switch(&rig, names, true);
    wse_run(&rig.run);

    wse_sight_assert(&rig.sight, 1, 0, "switch0", " Root@0-85 Last@85-156");
    assert_argument(record_of(&rig, 1, "switch0"), 0, "color", COLOR);
    assert_argument(record_of(&rig, 1, "switch0"), 1, "position", 0);
    wse_sight_assert(&rig.sight, 0, 0, "switch0", "");
    close_rig(&rig);
}

static void or_by_number(void **state)
{
    (void) state;
    Rig rig;

    open_switch(&rig, NULL, false);
    wse_run(&rig.run);

    wse_sight_assert(&rig.sight, 1, 0, "switch0",
                     " color 4: position 0@0-85 color 4: position 1@85-152");
    close_rig(&rig);
}

static void operations_that_never_end_are_seen(void **state)
{
    (void) state;
    const WseRunStep receive = {WSE_RUN_RECEIVE, COLOR, 4, .count = 4};
    const WseRunStep send = {WSE_RUN_SEND, COLOR,      0,
                             .count = 2,   .value = 1, .is_sync = true};
    Rig rig;

    wse_run_open(&rig.run, 2, 1, NULL);
    wse_run_steps(&rig.run, wse_rig_one(0, 0), "send", &send, 1);
    wse_run_steps(&rig.run, wse_rig_one(1, 0), "receive", &receive, 1);
    wse_rig_set_route(rig.run.layout, wse_rig_one(0, 0), COLOR, R, E);
    wse_rig_set_route(rig.run.layout, wse_rig_one(1, 0), COLOR, W, R);
    wse_sight_open(&rig.sight, &rig.run);

    g_autofree char *report = wse_run_into_deadlock(&rig.run);

    wse_sight_assert(&rig.sight, 1, 0, "thread4", " fmovs@44-52");
    wse_sight_assert(&rig.sight, 1, 0, "ce", " work@10-38 fmovs@50-52");
    close_rig(&rig);
}

/* Nothing of a PE that nobody wants, and no streams where not everybody is seen. */
static SimLaneLevel only_the_first(gpointer data, const SimLanePlace *place)
{
    (void) data;
    return place->x == 0 ? SIM_LANE_FULL : SIM_LANE_OFF;
}

static void some_pes_may_be_left_out(void **state)
{
    (void) state;
    Rig rig;

    open_row(&rig, NULL);
    rig.run.watch.choose = only_the_first;
    wse_run(&rig.run);

    wse_sight_assert(&rig.sight, 0, 0, "thread0", " fmovs@44-77");
    wse_sight_assert(&rig.sight, 1, 0, "thread4", "");
    assert_int_equal(wse_sight_check(&rig.sight), 0);
    close_rig(&rig);
}

/* The second call begins when the first is seen to its end. */
static void calls_of_the_host_are_seen(void **state)
{
    (void) state;
    const ArchWseLaunch call = {.tiles = wse_rig_one(0, 0), .function = "f"};
    Rig rig;
    guint function = 0;

    wse_run_open(&rig.run, 1, 1, NULL);
    ArchWseProgram *program = arch_wse_program_new(rig.run.params, "p");

    assert_true(arch_wse_program_function(program, "f", &function, NULL));
    assert_true(arch_wse_program_begin_function(program, function, NULL));
    assert_true(arch_wse_program_unblock_stream(program, NULL));
    assert_true(arch_wse_program_end_function(program, NULL));
    assert_true(arch_wse_program_entry(program, function, NULL));
    assert_true(arch_wse_layout_set_tile_code(rig.run.layout, wse_rig_one(0, 0),
                                              program, NULL));
    wse_sight_open(&rig.sight, &rig.run);
    rig.run.engine = sim_engine_new(sim_engine_config_default());
    rig.run.wse = arch_wse_new(rig.run.engine, rig.run.params);
    assert_true(arch_wse_load(rig.run.wse, g_steal_pointer(&rig.run.layout),
                              &rig.run.options, NULL));
    sim_engine_watch(rig.run.engine, &rig.run.watch);
    arch_wse_start(rig.run.wse);
    for (guint i = 0; i < 2; i++) {
        assert_true(arch_wse_launch(rig.run.wse, &call, NULL));
        assert_true(sim_engine_run(rig.run.engine, SIM_TIME_NEVER, NULL));
        arch_wse_finish_watch(rig.run.wse);
    }
    sim_engine_finish_watch(rig.run.engine);
    wse_sight_assert(&rig.sight, 0, 0, "main", " f@0-17 f@18-35");
    close_rig(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_are_slices_of_their_threads),
        cmocka_unit_test(
            tasks_and_synchronous_operations_are_slices_of_the_main_thread),
        cmocka_unit_test(the_issue_slot_shows_busy_cycles_and_stalls),
        cmocka_unit_test(work_belongs_to_operations_and_then_to_tasks_again),
        cmocka_unit_test(stalls_of_a_thread_are_seen_too),
        cmocka_unit_test(links_and_ramps_are_taken_wavelet_by_wavelet),
        cmocka_unit_test(or_stream_by_stream),
        cmocka_unit_test(operations_say_color_and_length),
        cmocka_unit_test(streams_flow_from_operation_to_arrival),
        cmocka_unit_test(forks_are_followed_one_way_and_echoes_are_not),
        cmocka_unit_test(a_layout_of_another_size_has_lanes_of_its_own),
        cmocka_unit_test(windows_leave_flows_whole),
        cmocka_unit_test(switches_are_slices_named_by_position),
        cmocka_unit_test(or_by_number),
        cmocka_unit_test(operations_that_never_end_are_seen),
        cmocka_unit_test(some_pes_may_be_left_out),
        cmocka_unit_test(calls_of_the_host_are_seen),
    };

    return cmocka_run_group_tests_name("arch.wse_watch", tests, NULL, NULL);
}
