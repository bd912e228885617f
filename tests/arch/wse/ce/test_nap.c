/* Compute elements nap until a wavelet comes, which finds them where they would be.
 * That naps change nothing else is tested with random programs (test_stress.c). */
#include "arch/wse/fabric.h"
#include "arch/wse/region.h"
#include "tests/arch/wse/run.h"

enum {
    COLOR = 4,
    BACK = 5,
    WORDS = 3,
    LATEST = 160, /* delay of the sender: the receiver's set-ups are over long before */
};

typedef struct {
    SimTime ends[2];
    SimTime now; /* the engine's, when all is over */
    uint64_t polls;
} Outcome;

static void look(gpointer data, const SimProbeRecord *record)
{
    guint *records = data;

    (void) record;
    (*records)++;
}

/* PE 0 sends after `delay` cycles. PE 1 has set up something to pass them on, something
 * to take its own when they are back, and two sums. */
static Outcome outcome_of(guint delay, ArchWseGrain grain, bool is_watched)
{
    const WseRunStep sender[] = {
        {WSE_RUN_SEND, COLOR, 0, .count = WORDS, .value = 1, .delay = delay},
        {WSE_RUN_RECEIVE, BACK, 4, .count = WORDS}};
    static const WseRunStep passer[] = {
        {WSE_RUN_RELAY, COLOR, 4, .count = WORDS, .value = 1, .onward = BACK},
        {WSE_RUN_COMPUTE, .count = 20, .is_sync = true},
        {WSE_RUN_COMPUTE, .count = 30, .is_sync = true}};
    guint records = 0;
    WseRun run;

    wse_run_open(&run, 2, 1, NULL);
    wse_run_steps(&run, wse_rig_one(0, 0), "sender", sender, G_N_ELEMENTS(sender));
    wse_run_steps(&run, wse_rig_one(1, 0), "passer", passer, G_N_ELEMENTS(passer));
    wse_rig_set_route(run.layout, wse_rig_one(0, 0), COLOR, R, E);
    wse_rig_set_route(run.layout, wse_rig_one(1, 0), COLOR, W, R);
    wse_rig_set_route(run.layout, wse_rig_one(1, 0), BACK, R, W);
    wse_rig_set_route(run.layout, wse_rig_one(0, 0), BACK, E, R);
    run.options.grain = grain;
    if (is_watched) {
        run.watch = (SimWatch){.func = look, .data = &records, .to = SIM_TIME_NEVER};
    }
    wse_run(&run);
    const Outcome outcome = {
        .ends = {wse_run_end(&run, 0, 0), wse_run_end(&run, 1, 0)},
        .now = sim_engine_now(run.engine),
        .polls = wse_fabric_of(run.wse)->regions[0].polls,
    };

    wse_run_assert(&run, 0, 0, "r1", 0, 1, 2);
    wse_run_close(&run);
    return outcome;
}

/* Whoever is watched does not nap. */
static void a_wavelet_finds_a_ce_where_it_would_be(void **state)
{
    (void) state;
    for (guint grain = 0; grain < 2; grain++) {
        for (guint delay = 0; delay <= LATEST; delay++) {
            const Outcome seen = outcome_of(delay, (ArchWseGrain) grain, true);
            const Outcome alone = outcome_of(delay, (ArchWseGrain) grain, false);

            if (seen.ends[0] != alone.ends[0] || seen.ends[1] != alone.ends[1] ||
                seen.now != alone.now) {
                fail_msg("delay %u: not the same", delay);
            }
            assert_true(alone.polls < seen.polls);
        }
    }
}

/* A PE whose set-ups end after all visits ends the run when it does. */
static void a_run_ends_with_what_is_done_in_a_nap(void **state)
{
    (void) state;
    static const WseRunStep steps[] = {{WSE_RUN_COMPUTE, .count = 20, .is_sync = true}};
    SimTime nows[2];

    for (guint i = 0; i < 2; i++) {
        guint records = 0;
        WseRun run;

        wse_run_open(&run, 1, 1, NULL);
        wse_run_steps(&run, wse_rig_one(0, 0), "busy", steps, 1);
        if (i == 1) {
            run.watch =
                (SimWatch){.func = look, .data = &records, .to = SIM_TIME_NEVER};
        }
        wse_run(&run);
        nows[i] = sim_engine_now(run.engine);
        assert_true(nows[i] > wse_run_end(&run, 0, 0));
        wse_run_close(&run);
    }
    assert_int_equal(nows[0], nows[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wavelet_finds_a_ce_where_it_would_be),
        cmocka_unit_test(a_run_ends_with_what_is_done_in_a_nap),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
