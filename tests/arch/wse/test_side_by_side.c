/* Bands that go on side by side: every strip does every cycle once, after those beside
 * it have done the one before, and nothing that goes on at the same time touches the
 * same strip. Which failure ends a run, and what is seen of it. */
#include "arch/wse/bands.h"
#include "sim/random.h"
#include "tests/arch/wse/run.h"

enum {
    MOST_STRIPS = 1024,
    CYCLES = 12,
    NOBODY = 0xff,
    COLUMNS = 2,
    ROWS = 24,
    COLOR = 4,
    LOST = 5, /* a color that leads over the edge */
    REPEATS = 20,
};

typedef struct {
    WseBands bands;
    guint done[WSE_MOST_BANDS];    /* parts */
    bool is_at_it[WSE_MOST_BANDS]; /* in the next one */
    uint32_t cycles[MOST_STRIPS];  /* done, by strip */
    guint8 band[MOST_STRIPS];      /* that touches it now */
} Wafer;

static guint done_by(const Wafer *self, guint band)
{
    return band < self->bands.band_count ? self->done[band] : G_MAXUINT;
}

static bool is_of_part(const Wafer *self, guint band, guint strip)
{
    const WseStrips middle = wse_bands_middle(&self->bands, band);
    const bool is_in_middle = strip >= middle.first && strip < middle.end;

    return is_in_middle != wse_bands_is_at_border(band, self->done[band]);
}

/* What a strip does in a cycle changes PEs of those beside it. */
static void touch(Wafer *self, guint band, guint strip)
{
    const guint first = strip == 0 ? 0 : strip - 1;
    const guint last = MIN(strip + 1, self->bands.strip_count - 1);
    const uint32_t cycle = self->done[band] / WSE_BAND_PARTS;

    assert_int_equal(self->cycles[strip], cycle);
    for (guint i = first; i <= last; i++) {
        assert_in_range(self->cycles[i], cycle, cycle + 1);
        assert_true(self->band[i] == NOBODY || self->band[i] == band);
        self->band[i] = (guint8) band;
    }
    self->cycles[strip]++;
}

/* A part takes from here until end_part(), and all that time it may touch its strips.
 */
static void begin_part(Wafer *self, guint band)
{
    const WseStrips all = wse_bands_all(&self->bands, band);

    self->is_at_it[band] = true;
    for (guint strip = all.first; strip < all.end; strip++) {
        if (is_of_part(self, band, strip)) {
            touch(self, band, strip);
        }
    }
}

static void end_part(Wafer *self, guint band)
{
    for (guint strip = 0; strip < self->bands.strip_count; strip++) {
        self->band[strip] = self->band[strip] == band ? NOBODY : self->band[strip];
    }
    self->is_at_it[band] = false;
    self->done[band]++;
}

static bool may_begin(const Wafer *self, guint band)
{
    return self->done[band] < WSE_BAND_PARTS * CYCLES &&
           wse_bands_may_begin(band, self->done[band], done_by(self, band - 1),
                               done_by(self, band + 1));
}

/* Begins or ends a part of a band, if there is one. */
static bool turn(Wafer *self, guint band)
{
    if (self->is_at_it[band]) {
        end_part(self, band);
        return true;
    }
    if (may_begin(self, band)) {
        begin_part(self, band);
        return true;
    }
    return false;
}

static bool is_stuck(const Wafer *self)
{
    for (guint band = 0; band < self->bands.band_count; band++) {
        if (self->is_at_it[band] || may_begin(self, band)) {
            return false;
        }
    }
    return true;
}

/* Rows are those of strips one after another, and all strips have rows. */
static void check_strips(const WseBands *self)
{
    guint before = 0;

    assert_int_equal(wse_bands_strip(self, 0), 0);
    for (guint row = 1; row < self->rows; row++) {
        const guint strip = wse_bands_strip(self, row);

        assert_in_range(strip, before, before + 1);
        before = strip;
    }
    assert_int_equal(before, self->strip_count - 1);
    assert_in_range(before, 0, MOST_STRIPS - 1);
}

static void check(guint rows, guint most, guint threads, uint64_t seed)
{
    Wafer wafer = {.bands = wse_bands_cut(rows, most, threads)};
    const WseBands *bands = &wafer.bands;
    uint64_t random = seed;

    assert_in_range(bands->band_count, 1, MIN(MIN(most, threads), WSE_MOST_BANDS));
    check_strips(bands);
    memset(wafer.band, NOBODY, sizeof wafer.band);
    while (!is_stuck(&wafer)) {
        (void) turn(&wafer, (guint) (sim_random_next(&random) % bands->band_count));
    }
    for (guint i = 0; i < bands->strip_count; i++) {
        assert_int_equal(wafer.cycles[i], CYCLES);
    }
}

static void all_strips_do_all_cycles_in_order(void **state)
{
    (void) state;
    for (guint rows = 1; rows <= 120; rows++) {
        for (guint threads = 1; threads <= 8; threads++) {
            check(rows, WSE_MOST_BANDS, threads, rows * 8 + threads);
        }
    }
    check(994, 31, 2, 1);
    check(994, 31, 31, 2);
    check(994, 2, 8, 3);
}

/* Two bands beside each other can both be at a part at any time but when one of them is
 * a whole part behind. */
static void bands_beside_each_other_go_on_together(void **state)
{
    Wafer wafer = {.bands = wse_bands_cut(40, 2, 2)};

    (void) state;
    assert_int_equal(wafer.bands.band_count, 2);
    memset(wafer.band, NOBODY, sizeof wafer.band);
    for (guint part = 0; part < WSE_BAND_PARTS * CYCLES; part++) {
        assert_true(turn(&wafer, 0));
        assert_true(turn(&wafer, 1));
        assert_true(turn(&wafer, 0));
        assert_true(turn(&wafer, 1));
    }
    assert_true(is_stuck(&wafer));
    assert_int_equal(wafer.done[1], WSE_BAND_PARTS * CYCLES);
}

static void few_rows_are_one_band(void **state)
{
    const WseBands small = wse_bands_cut(7, 15, 2);
    const WseBands one = wse_bands_cut(994, 1, 1);

    (void) state;
    assert_int_equal(small.band_count, 1);
    assert_int_equal(small.strip_count, 1);
    assert_int_equal(one.strip_count, 1);
}

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
        cmocka_unit_test(all_strips_do_all_cycles_in_order),
        cmocka_unit_test(bands_beside_each_other_go_on_together),
        cmocka_unit_test(few_rows_are_one_band),
        cmocka_unit_test(the_first_failure_ends_the_run),
        cmocka_unit_test(of_one_cycle_the_first_place_is_told),
        cmocka_unit_test(what_came_later_is_forgotten),
    };

    return cmocka_run_group_tests_name("arch.wse_side_by_side", tests, NULL, NULL);
}
