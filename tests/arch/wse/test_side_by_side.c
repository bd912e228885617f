/* Bands that go on side by side: which failure ends a run, and what is seen of it. */
#include "tests/arch/wse/run.h"

enum {
    COLUMNS = 2,
    ROWS = 24,
    COLOR = 4,
    LOST = 5, /* a color that leads over the edge */
    REPEATS = 20,
};

/* Sends to a PE that does not take it: the run fails. */
static void put_failing(const WseRun *run, guint row, guint delay)
{
    const WseRunStep step = {WSE_RUN_SEND, COLOR, 2, .count = 1, .delay = delay};

    wse_run_steps(run, wse_rig_one(0, row), "failing", &step, 1);
    wse_rig_set_route(run->layout, wse_rig_one(0, row), COLOR, R, E);
}

/* Sends over the edge, which is told when the run is over. */
static void put_losing(const WseRun *run, guint row, guint delay)
{
    const WseRunStep step = {WSE_RUN_SEND, LOST, 3, .count = 40, .delay = delay};

    wse_run_steps(run, wse_rig_one(0, row), "losing", &step, 1);
    wse_rig_set_route(run->layout, wse_rig_one(0, row), LOST, R, W);
}

/* Takes nothing from the fabric. */
static void put_idle(const WseRun *run, guint row)
{
    const WseRunStep step = {WSE_RUN_COMPUTE, .count = 2, .is_sync = true};

    wse_run_steps(run, wse_rig_one(1, row), "idle", &step, 1);
}

typedef struct {
    guint row;
    guint delay;
} Event;

typedef struct {
    Event failing[3];
    guint losing; /* delay of what all other rows lose */
} Plan;

static bool is_failing(const Plan *plan, guint row)
{
    for (guint i = 0; i < G_N_ELEMENTS(plan->failing); i++) {
        if (plan->failing[i].row == row) {
            return true;
        }
    }
    return false;
}

static void open_run(WseRun *run, const Plan *plan, guint bands, guint threads)
{
    wse_run_open(run, COLUMNS, ROWS, NULL);
    run->options.band_count = bands;
    run->thread_count = threads;
    for (guint i = 0; i < G_N_ELEMENTS(plan->failing); i++) {
        put_failing(run, plan->failing[i].row, plan->failing[i].delay);
    }
    for (guint row = 0; row < ROWS; row++) {
        put_idle(run, row);
        if (!is_failing(plan, row)) {
            put_losing(run, row, plan->losing);
        }
    }
    arch_wse_layout_allow_loose_ends(run->layout);
}

/* What the run says, and what was lost by then. */
static char *outcome_of(const Plan *plan, guint bands, guint threads)
{
    g_autoptr(GError) error = NULL;
    WseRun run;

    open_run(&run, plan, bands, threads);
    assert_false(wse_run_try(&run, &error));
    g_autofree char *loss = arch_wse_loss(run.wse);
    char *outcome =
        g_strdup_printf("%s; %s", error->message, loss != NULL ? loss : "no loss");

    wse_run_close(&run);
    return outcome;
}

static void assert_same_for_all(const Plan *plan, const char *place, bool has_loss)
{
    static const guint ways[][2] = {{1, 2}, {2, 2}, {2, 3}, {4, 4}, {4, 2}};
    g_autofree char *expected = outcome_of(plan, 1, 1);

    if (strstr(expected, place) == NULL) {
        fail_msg("%s", expected);
    }
    assert_true((strstr(expected, "no loss") == NULL) == has_loss);
    for (guint i = 0; i < G_N_ELEMENTS(ways) * REPEATS; i++) {
        const guint *way = ways[i % G_N_ELEMENTS(ways)];
        g_autofree char *outcome = outcome_of(plan, way[0], way[1]);

        assert_string_equal(outcome, expected);
    }
}

static void the_first_failure_ends_the_run(void **state)
{
    const Plan earlier_below = {{{3, 101}, {20, 100}, {10, 101}}, 20};
    const Plan earlier_above = {{{3, 100}, {20, 101}, {12, 102}}, 20};

    (void) state;
    assert_same_for_all(&earlier_below, "pe[0,20]", true);
    assert_same_for_all(&earlier_above, "pe[0,3]", true);
}

static void of_one_cycle_the_first_place_is_told(void **state)
{
    const Plan plan = {{{17, 100}, {11, 100}, {23, 100}}, 20};

    (void) state;
    assert_same_for_all(&plan, "pe[0,11]", true);
}

/* Bands may be further when one fails, which nobody sees. */
static void what_came_later_is_forgotten(void **state)
{
    const Plan below = {{{2, 100}, {3, 101}, {4, 101}}, 101};
    const Plan above = {{{23, 100}, {22, 101}, {21, 101}}, 101};

    (void) state;
    assert_same_for_all(&below, "pe[0,2]", false);
    assert_same_for_all(&above, "pe[0,23]", false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_failure_ends_the_run),
        cmocka_unit_test(of_one_cycle_the_first_place_is_told),
        cmocka_unit_test(what_came_later_is_forgotten),
    };

    return cmocka_run_group_tests_name("arch.wse_side_by_side", tests, NULL, NULL);
}
