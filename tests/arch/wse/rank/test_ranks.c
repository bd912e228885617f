/* PEs in step: whenever anybody looks, they have done what they would have without. */
#include "arch/wse/fabric.h"
#include "arch/wse/rank/ranks.h"
#include "arch/wse/region.h"
#include "arch/wse/watch/watch.h"
#include "sim/narrow.h"
#include "sim/random.h"
#include "tests/arch/wse/case.h"
#include "tests/arch/wse/state_hash.h"

enum {
#ifdef GRIDLOOM_SANITIZE
    SEEDS = 6,
#else
    SEEDS = 40,
#endif
    LOOKS = 24,
    MOST_CYCLES = 24, /* from one to the next */
    COLOR = 4,
    LONG = 400,    /* see arch/wse/rank/fit.c */
    LONGER = 1000, /* likewise */
    ROWS = 64,
    COLUMNS = 28,
    CYCLES_AT_ONCE = 64, /* see ALONE_CYCLES in advance.c */
    DELAYS = 60,
    FULL = 6, /* wavelets for whom there is no room */
};

/* What is there at some cycles, the same ones of a seed. */
typedef struct {
    uint64_t hashes[LOOKS];
    SimTime cycles;
    guint in_step; /* PEs, summed over these cycles */
} Sight;

static Sight
sight_of(guint32 seed, const WseSpice *spice, WseFitWanted ranks, const SimWatch *watch)
{
    const WseWay way = {.thread_count = 1, .band_count = 1, .ranks = ranks};
    uint64_t random = seed;
    SimTime now = 0;
    WseCase self;
    Sight sight;

    memset(&sight, 0, sizeof sight);
    wse_case_open(&self, seed, &way, spice);
    assert_true(wse_run_load(&self.run, NULL));
    arch_wse_start(self.run.wse);
    for (guint i = 0; i < LOOKS; i++) {
        now += 1 + sim_random_next(&random) % MOST_CYCLES;
        if (watch != NULL && i == LOOKS / 2) {
            sim_engine_watch(self.run.engine, watch);
            wse_watch_go_on(wse_fabric_of(self.run.wse)->regions[0].fabric,
                            sim_u32(now));
        }
        assert_true(sim_engine_run_until(self.run.engine, now, SIM_TIME_NEVER, NULL));
        sight.in_step +=
            wse_ranks_in_step(wse_fabric_of(self.run.wse)->regions[0].ranks);
        sight.hashes[i] = state_hash(self.run.wse);
    }
    assert_true(sim_engine_run(self.run.engine, SIM_TIME_NEVER, NULL));
    if (watch != NULL) {
        arch_wse_finish_watch(self.run.wse);
        sim_engine_finish_watch(self.run.engine);
    }
    sight.cycles = sim_engine_now(self.run.engine);
    wse_case_close(&self);
    return sight;
}

static void assert_same(guint32 seed, const Sight *one, const Sight *other)
{
    for (guint i = 0; i < LOOKS; i++) {
        if (one->hashes[i] != other->hashes[i]) {
            fail_msg("seed %u: not the same at look %u", seed, i);
        }
    }
    assert_int_equal(one->cycles, other->cycles);
}

static void who_looks_sees_the_same(void **state)
{
    static const char *const narrow[] = {"ramp.in_latency_cycles=1",
                                         "router.link_buffer_wavelets=1",
                                         "queues.input_ramp_wavelets=1", NULL};
    static const char *const slow[] = {"ramp.in_latency_cycles=4",
                                       "ramp.out_latency_cycles=1", NULL};
    static const WseSpice spices[] = {
        {false, NULL}, {true, NULL}, {true, narrow}, {false, slow}};

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(spices); i++) {
        guint in_step = 0;

        for (guint32 seed = 1; seed <= SEEDS; seed++) {
            const Sight without = sight_of(seed, &spices[i], WSE_FIT_NOWHERE, NULL);
            const Sight with =
                sight_of(seed, &spices[i], WSE_FIT_WHEREVER_IT_CAN, NULL);

            assert_int_equal(without.in_step, 0);
            assert_same(seed, &without, &with);
            in_step += with.in_step;
        }
        assert_true(in_step > SEEDS * LOOKS);
    }
}

/* From then on, PEs are visited one by one. */
static void all_leave_when_somebody_begins_to_watch(void **state)
{
    static const WseSpice spice = {true, NULL};
    guint seeds = 0; /* that saw something */

    (void) state;
    for (guint32 seed = 1; seed <= SEEDS; seed++) {
        uint64_t seen[2] = {0};
        Sight sights[2];

        for (guint i = 0; i < 2; i++) {
            const SimWatch watch = {
                .func = record_hash, .data = &seen[i], .to = SIM_TIME_NEVER};

            sights[i] =
                sight_of(seed, &spice,
                         i == 0 ? WSE_FIT_NOWHERE : WSE_FIT_WHEREVER_IT_CAN, &watch);
        }
        assert_same(seed, &sights[0], &sights[1]);
        assert_int_equal(seen[0], seen[1]);
        seeds += seen[0] != 0 ? 1 : 0;
    }
    assert_true(seeds > SEEDS / 2);
}

/* A sender, PEs that pass its wavelets on, and one that takes them or some of them. */
typedef struct {
    guint columns;
    guint sent;
    guint taken;
    guint after;   /* elements that the last PE adds in its memory then */
    bool is_twice; /* see WseRunStep */
    const char *const *overrides;
} Row;

static void open_row(WseRun *run, const Row *row, WseFitWanted ranks)
{
    const WseRunStep send = {WSE_RUN_SEND,       COLOR,      0,
                             .count = row->sent, .value = 1, .is_twice = row->is_twice};
    const WseRunStep receive[] = {
        {WSE_RUN_RECEIVE, COLOR, 4, .count = row->taken, .is_sync = true},
        {WSE_RUN_COMPUTE, .count = row->after}};
    const ArchWseTiles between = {1, 0, row->columns - 1, 0, 1, 1};
    const ArchWseTiles last = wse_rig_one(row->columns - 1, 0);
    const WseRunStep hold = {WSE_RUN_COMPUTE, .count = 20};

    wse_run_open(run, row->columns, 1, row->overrides);
    wse_run_steps(run, wse_rig_one(0, 0), "sender", &send, 1);
    wse_run_steps(run, between, "between", &hold, 1);
    wse_run_steps(run, last, "receiver", receive, row->after > 0 ? 2 : 1);
    wse_rig_set_route(run->layout, wse_rig_one(0, 0), COLOR, R, E);
    wse_rig_set_route(run->layout, between, COLOR, W, E);
    wse_rig_set_route(run->layout, last, COLOR, W, R);
    run->options.is_functional = false;
    run->options.band_count = 1;
    run->options.ranks = ranks;
}

static char *deadlock_of(const Row *row, WseFitWanted ranks)
{
    WseRun run;

    open_row(&run, row, ranks);
    char *report = wse_run_into_deadlock(&run);

    wse_run_close(&run);
    return report;
}

static SimTime end_of(const Row *row, WseFitWanted ranks)
{
    WseRun run;

    open_row(&run, row, ranks);
    wse_run(&run);
    const SimTime end = sim_engine_now(run.engine);

    wse_run_close(&run);
    return end;
}

static const char *const slow_threads[] = {"pe.reissue_cycles=3", NULL};
static const char *const own_stalls[] = {"memory.stall_scope=thread", NULL};

static void deadlocks_are_seen_at_the_same_cycle(void **state)
{
    static const char *const *const chips[] = {NULL, slow_threads};

    (void) state;
    for (guint columns = 3; columns < 150; columns += 21) {
        for (guint taken = 1; taken < LONG; taken += 31) {
            const Row row = {.columns = columns,
                             .sent = LONG,
                             .taken = taken,
                             .is_twice = taken % 2 == 0,
                             .overrides = chips[taken / 31 % 2]};
            g_autofree char *without = deadlock_of(&row, WSE_FIT_NOWHERE);
            g_autofree char *with = deadlock_of(&row, WSE_FIT_WHEREVER_IT_CAN);
            g_autofree char *some = deadlock_of(&row, WSE_FIT_WHERE_IT_PAYS);

            assert_string_equal(without, with);
            assert_string_equal(without, some);
        }
    }
}

/* Wherever in the cycles that are run at once that is. */
static void runs_end_at_the_same_cycle(void **state)
{
    static const char *const *const chips[] = {NULL, slow_threads, own_stalls};

    (void) state;
    for (guint more = 0; more < CYCLES_AT_ONCE; more++) {
        for (guint i = 0; i < 2 * G_N_ELEMENTS(chips); i++) {
            const Row row = {.columns = COLUMNS,
                             .sent = LONG + more,
                             .taken = LONG + more,
                             .after = 3,
                             .is_twice = i % 2 == 1,
                             .overrides = chips[i / 2]};
            const SimTime without = end_of(&row, WSE_FIT_NOWHERE);

            assert_int_equal(end_of(&row, WSE_FIT_WHEREVER_IT_CAN), without);
            assert_int_equal(end_of(&row, WSE_FIT_WHERE_IT_PAYS), without);
        }
    }
}

/* A PE that nobody can be in step with any more, as it is told of a control wavelet
 * while the last of other wavelets is on its ramp: nobody takes either. */
static char *deaf_deadlock_of(guint before, guint delay, WseFitWanted ranks)
{
    static const char *const far[] = {"ramp.in_latency_cycles=4",
                                      "queues.input_ramp_wavelets=2", NULL};
    const ArchWseControl control = {ARCH_WSE_NOP, true};
    WseRun run;

    wse_run_open(&run, 3, 1, far);
    const WseRunStep controls[] = {
        {WSE_RUN_SEND, 5, 1, .count = before, .value = 1, .is_sync = true},
        {WSE_RUN_CONTROL, 5, 1, .count = 1, .is_sync = true,
         .bits = arch_wse_control_payload(&control, 1, 31)}};
    const WseRunStep send = {WSE_RUN_SEND, COLOR,      0,
                             .count = 2,   .value = 1, .delay = delay};
    const WseRunStep deaf[] = {{WSE_RUN_HOLD, COLOR, 4, .count = 0},
                               {WSE_RUN_HOLD, 5, 5, .count = 0}};

    wse_run_steps(&run, wse_rig_one(0, 0), "controls", controls, 2);
    wse_run_steps(&run, wse_rig_one(1, 0), "sender", &send, 1);
    wse_run_steps(&run, wse_rig_one(2, 0), "deaf", deaf, 2);
    wse_rig_set_route(run.layout, wse_rig_one(0, 0), 5, R, E);
    wse_rig_set_route(run.layout, wse_rig_one(1, 0), 5, W, E);
    wse_rig_set_route(run.layout, wse_rig_one(2, 0), 5, W, R);
    wse_rig_set_route(run.layout, wse_rig_one(1, 0), COLOR, R, E);
    wse_rig_set_route(run.layout, wse_rig_one(2, 0), COLOR, W, R);
    run.options.is_functional = false;
    run.options.band_count = 1;
    run.options.ranks = ranks;
    char *report = wse_run_into_deadlock(&run);

    wse_run_close(&run);
    return report;
}
static void wavelets_on_the_ramp_arrive_at_who_is_deaf(void **state)
{
    (void) state;
    for (guint before = 1; before < FULL; before++) {
        for (guint delay = 0; delay < DELAYS; delay++) {
            g_autofree char *without = deaf_deadlock_of(before, delay, WSE_FIT_NOWHERE);
            g_autofree char *with =
                deaf_deadlock_of(before, delay, WSE_FIT_WHEREVER_IT_CAN);

            assert_string_equal(without, with);
        }
    }
}

/* Of a wafer without folds that two threads go on with; every row is a stream from west
 * to east. */
static guint bands_of(guint wavelets)
{
    const WseRunStep send = {WSE_RUN_SEND, COLOR, 0, .count = wavelets, .value = 1};
    const WseRunStep receive = {WSE_RUN_RECEIVE, COLOR, 4, .count = wavelets};
    const WseRunStep pass = {WSE_RUN_COMPUTE, .count = 1};
    const ArchWseTiles first = {0, 0, 0, ROWS - 1, 1, 1};
    const ArchWseTiles between = {1, 0, COLUMNS - 2, ROWS - 1, 1, 1};
    const ArchWseTiles last = {COLUMNS - 1, 0, COLUMNS - 1, ROWS - 1, 1, 1};
    WseRun run;

    wse_run_open(&run, COLUMNS, ROWS, NULL);
    wse_run_steps(&run, first, "sender", &send, 1);
    wse_run_steps(&run, between, "between", &pass, 1);
    wse_run_steps(&run, last, "receiver", &receive, 1);
    wse_rig_set_route(run.layout, first, COLOR, R, E);
    wse_rig_set_route(run.layout, between, COLOR, W, E);
    wse_rig_set_route(run.layout, last, COLOR, W, R);
    run.options.is_functional = false;
    run.thread_count = 2;
    assert_true(wse_run_load(&run, NULL));
    const guint bands = wse_fabric_of(run.wse)->whole_bands.band_count;

    wse_run_close(&run);
    return bands;
}

static void only_long_streams_take_a_thread_alone(void **state)
{
    (void) state;
    assert_int_equal(bands_of(LONGER - 1), 2);
    assert_int_equal(bands_of(LONGER), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_looks_sees_the_same),
        cmocka_unit_test(all_leave_when_somebody_begins_to_watch),
        cmocka_unit_test(deadlocks_are_seen_at_the_same_cycle),
        cmocka_unit_test(runs_end_at_the_same_cycle),
        cmocka_unit_test(wavelets_on_the_ramp_arrive_at_who_is_deaf),
        cmocka_unit_test(only_long_streams_take_a_thread_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
