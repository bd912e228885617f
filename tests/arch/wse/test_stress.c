/* Random programs on random fabrics: the same for any threads and regions, with data
 * and without; and what is far in time or has to be given back. */
#include <string.h>

#include "arch/error.h"
#include "arch/wse/data/backlog.h"
#include "tests/arch/wse/case.h"
#include "tests/arch/wse/state_hash.h"

enum {
#ifdef GRIDLOOM_SANITIZE /* each goes all ways, and none is about how many */
    SEEDS = 4,
#else
    SEEDS = 16,
#endif
    COLOR = 4,
};

typedef struct {
    uint64_t hash;
    guint data; /* hash of all arrays, 0 without data */
    SimTime cycles;
    uint64_t links;
} Outcome;

static guint data_of(const WseCase *self)
{
    guint hash = 1;

    for (guint i = 0; i < self->columns * self->rows; i++) {
        for (guint j = 0; j < self->steps[i]->len; j++) {
            const WseRunStep *step = &g_array_index(self->steps[i], WseRunStep, j);
            g_autofree char *name = g_strdup_printf("r%u", j);
            guint32 words[WSE_CASE_COUNT] = {0};

            if (step->kind == WSE_RUN_RECEIVE) {
                ArchWsePart part = {wse_rig_one(i % self->columns, i / self->columns),
                                    name, 0, step->count};

                assert_true(arch_wse_read(self->run.wse, &part, words,
                                          step->count * sizeof *words, NULL));
                for (guint k = 0; k < step->count; k++) {
                    assert_true(words[k] != 0);
                    hash = hash * 31 + words[k];
                }
            }
        }
    }
    return hash;
}

/* Every payload has been given back when all is computed: new ones get all the lowest
 * numbers. */
static void assert_no_payloads(const ArchWse *wse)
{
    enum {
        MANY = 4096,
    };
    const WseFabric *fabric = wse_fabric_of(wse);

    for (guint i = 0; i < fabric->pe_count; i++) {
        (void) wse_backlog_memory(&fabric->regions[0], i);
    }

    for (guint i = 0; i < fabric->region_count; i++) {
        uint32_t highest = 0;

        for (guint j = 0; j < MANY; j++) {
            uint32_t number = wse_payloads_add(fabric->regions[i].payloads, 1);

            assert_int_equal(wse_payload_owner(number), i);
            highest = MAX(highest, number - (i << 26));
        }
        assert_int_equal(highest, MANY - 1);
    }
}

static void look(gpointer data, const SimProbeRecord *record)
{
    guint *records = data;

    (void) record;
    (*records)++;
}

/* `spice` and `watch` may be NULL. */
static Outcome seen_outcome_of(guint32 seed,
                               const WseWay *way,
                               const WseSpice *spice,
                               const SimWatch *watch)
{
    WseCase self;

    wse_case_open(&self, seed, way, spice);
    if (watch != NULL) {
        self.run.watch = *watch;
    }
    wse_run(&self.run);

    ArchWseProfile profile = arch_wse_profile(self.run.wse);
    const Outcome outcome = {
        .hash = state_hash(self.run.wse),
        .data = way->is_functional ? data_of(&self) : 0,
        .cycles = profile.cycles,
        .links = profile.link_wavelets,
    };

    if (way->is_functional) {
        assert_no_payloads(self.run.wse);
    }
    wse_case_close(&self);
    return outcome;
}

static Outcome outcome_of(guint32 seed, const WseWay *way)
{
    return seen_outcome_of(seed, way, NULL, NULL);
}

static void assert_same(guint32 seed, const Outcome *one, const Outcome *other)
{
    if (one->hash != other->hash || one->cycles != other->cycles ||
        one->links != other->links) {
        fail_msg("seed %u: %" G_GUINT64_FORMAT " cycles, or %" G_GUINT64_FORMAT, seed,
                 one->cycles, other->cycles);
    }
}

static void threads_and_bands_change_nothing(void **state)
{
    (void) state;
    static const WseWay ways[] = {
        {1, 4, true, 0, 0},
        {2, 1, true, 0, 0},
        {2, 2, true, 0, 0},
        {4, 3, true, 0, 0},
        {8, 4, true, 0, 0},
        {1, 8, true, 0, 0},
        {1, 1, false, 0, 0},
        {4, 3, false, 0, 0},
        {2, 2, false, 0, 0},
        {.thread_count = 1, .band_count = 1, .ranks = WSE_FIT_WHEREVER_IT_CAN},
    };

    for (guint32 seed = 1; seed <= SEEDS; seed++) {
        uint32_t data[2];

        for (guint grain = 0; grain < 2; grain++) {
            const WseWay plain = {1, 1, true, (ArchWseGrain) grain, 0};
            const Outcome expected = outcome_of(seed, &plain);

            data[grain] = expected.data;
            for (gsize i = 0; i < G_N_ELEMENTS(ways); i++) {
                WseWay way = ways[i];

                way.grain = (ArchWseGrain) grain;

                const Outcome outcome = outcome_of(seed, &way);

                assert_same(seed, &expected, &outcome);
                if (way.is_functional) {
                    assert_int_equal(outcome.data, expected.data);
                }
            }
        }
        assert_int_equal(data[0], data[1]);
    }
}

/* Usual hops and steps have a short way, which nobody sees, and CEs go ahead of the
 * fabric where that concerns nobody: watched ones do neither. */
static void assert_seen_as_alone(guint32 seed, const WseSpice *spice)
{
    static const WseWay ways[] = {
        {1, 1, true, ARCH_WSE_GRAIN_WAVELET, WSE_FIT_WHERE_IT_PAYS},
        {1, 1, false, ARCH_WSE_GRAIN_WAVELET, WSE_FIT_WHERE_IT_PAYS},
        {1, 1, false, ARCH_WSE_GRAIN_WAVELET, WSE_FIT_WHEREVER_IT_CAN},
        {1, 1, true, ARCH_WSE_GRAIN_STREAM, WSE_FIT_WHERE_IT_PAYS},
        {1, 1, false, ARCH_WSE_GRAIN_STREAM, WSE_FIT_WHERE_IT_PAYS},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(ways); i++) {
        const WseWay way = ways[i];
        guint records = 0;
        const SimWatch watch = {.func = look, .data = &records, .to = SIM_TIME_NEVER};
        const Outcome watched = seen_outcome_of(seed, &way, spice, &watch);
        const Outcome alone = seen_outcome_of(seed, &way, spice, NULL);

        assert_true(records > 0);
        assert_same(seed, &watched, &alone);
        assert_int_equal(watched.data, alone.data);
    }
}

static void the_short_way_takes_as_long(void **state)
{
    static const char *const near[] = {"ramp.in_latency_cycles=1",
                                       "queues.input_ramp_wavelets=1", NULL};
    static const char *const far[] = {
        "ramp.in_latency_cycles=12", "queues.input_ramp_wavelets=9",
        "queues.credit_return_cycles=5", "ramp.out_latency_cycles=1", NULL};
    static const char *const at_once[] = {"task.dispatch_cycles=0",
                                          "dsd.setup_busy_cycles=0",
                                          "dsd.setup_latency_cycles=0", NULL};
    static const WseSpice spices[] = {{false, NULL}, {true, NULL}, {true, near},
                                      {false, far},  {true, far},  {true, at_once}};

    (void) state;
    for (guint32 seed = 1; seed <= 2 * SEEDS; seed++) {
        for (guint i = 0; i < G_N_ELEMENTS(spices); i++) {
            assert_seen_as_alone(seed, &spices[i]);
        }
    }
}

/* A wavelet that was made at the pace of a stream arrives with it, not before, though
 * the PE is visited before: PE 2 takes it beside others that come from PE 3. */
static SimTime end_of_late_wavelet(bool is_functional, const SimWatch *watch)
{
    static const WseRunStep stream[] = {{WSE_RUN_SEND, 4, 0, .count = 60, .value = 1}};
    static const WseRunStep relay[] = {
        {WSE_RUN_RELAY, 4, 4, .count = 1, .value = 1, .onward = 5, .is_sync = true},
        {WSE_RUN_RECEIVE, 4, 4, .count = 59, .is_sync = true}};
    static const WseRunStep both[] = {
        {WSE_RUN_RECEIVE, 5, 5, .count = 1, .is_marked = true},
        {WSE_RUN_RECEIVE, 3, 3, .count = 4, .is_marked = true}};
    static const WseRunStep others[] = {
        {WSE_RUN_SEND, 3, 0, .count = 4, .value = 1, .delay = 30}};
    WseRun run;

    wse_run_open(&run, 4, 1, NULL);
    wse_run_steps(&run, wse_rig_one(0, 0), "stream", stream, 1);
    wse_run_steps(&run, wse_rig_one(1, 0), "relay", relay, 2);
    wse_run_steps(&run, wse_rig_one(2, 0), "both", both, 2);
    wse_run_steps(&run, wse_rig_one(3, 0), "others", others, 1);
    wse_rig_set_route(run.layout, wse_rig_one(0, 0), 4, R, E);
    wse_rig_set_route(run.layout, wse_rig_one(1, 0), 4, W, R);
    wse_rig_set_route(run.layout, wse_rig_one(1, 0), 5, R, E);
    wse_rig_set_route(run.layout, wse_rig_one(2, 0), 5, W, R);
    wse_rig_set_route(run.layout, wse_rig_one(3, 0), 3, R, W);
    wse_rig_set_route(run.layout, wse_rig_one(2, 0), 3, E, R);
    run.options.grain = ARCH_WSE_GRAIN_STREAM;
    run.options.is_functional = is_functional;
    if (watch != NULL) {
        run.watch = *watch;
    }
    wse_run(&run);
    const SimTime end = wse_run_end(&run, 2, 0);

    wse_run_close(&run);
    return end;
}

static void a_late_wavelet_is_late_for_all(void **state)
{
    (void) state;
    guint records = 0;
    const SimWatch watch = {.func = look, .data = &records, .to = SIM_TIME_NEVER};
    const SimTime expected = end_of_late_wavelet(true, NULL);

    assert_int_equal(expected, 116);
    assert_int_equal(end_of_late_wavelet(false, NULL), expected);
    assert_int_equal(end_of_late_wavelet(false, &watch), expected);
    assert_int_equal(end_of_late_wavelet(true, &watch), expected);
    assert_true(records > 0);
}

/* An operation on memory that is longer than the wheel is round, twice over; a stream
 * that waits for it meanwhile; and then the fabric again. */
static void far_wakes_come_in_time(void **state)
{
    (void) state;
    const guint count = 9000; /* of one element a cycle */
    const WseRunStep receive = {WSE_RUN_RECEIVE, COLOR, 4, .count = 20};

    for (guint grain = 0; grain < 2; grain++) {
        WseRun run;

        wse_run_open(&run, 2, 1, NULL);

        Parts busy = {run.params, arch_wse_program_new(run.params, "busy")};
        guint array = parts_array(&busy, "u", ARCH_WSE_F32, count);
        guint row = parts_row(&busy, array, 0, count, 1);
        guint number = parts_number(&busy, ARCH_WSE_F32, 2);
        guint out = parts_fabout(&busy, COLOR, 0, 20);

        parts_begin(&busy, 10);
        parts_emit(&busy, parts_vector("fmuls", row, row, number, ARCH_WSE_NONE));
        parts_emit(&busy, parts_vector("fmuls", row, row, number, ARCH_WSE_NONE));
        parts_emit(&busy, parts_vector("fmovs", out, parts_row(&busy, array, 0, 20, 1),
                                       ARCH_WSE_NONE, ARCH_WSE_NONE));
        parts_end(&busy);
        assert_true(arch_wse_program_activate(busy.program, 10, NULL));
        wse_run_place(&run, wse_rig_one(0, 0), &busy);
        wse_run_steps(&run, wse_rig_one(1, 0), "receiver", &receive, 1);
        wse_rig_set_route(run.layout, wse_rig_one(0, 0), COLOR, R, E);
        wse_rig_set_route(run.layout, wse_rig_one(1, 0), COLOR, W, R);
        run.options.grain = (ArchWseGrain) grain;
        wse_run(&run);
        assert_int_equal(wse_run_end(&run, 0, 0),
                         WSE_RUN_FIRST + 2 * (count + WSE_RUN_SETUP) + 20);
        assert_int_equal(wse_run_end(&run, 1, 0),
                         wse_run_end(&run, 0, 0) + WSE_RUN_STAGE + 1);
        wse_run_close(&run);
    }
}

/* The bucket of `when` has this entry alone. */
static void assert_only(WseWheel *wheel, uint32_t when, uint32_t entry)
{
    WseChunk *chunk = wse_wheel_take(wheel, when);

    assert_non_null(chunk);
    assert_null(chunk->next);
    assert_int_equal(chunk->count, 1);
    assert_int_equal(chunk->entries[0], entry);
    wse_wheel_give(wheel, chunk);
    assert_false(wse_wheel_has(wheel, when));
}

static void the_wheel_turns(void **state)
{
    (void) state;
    WseWheel *wheel = wse_wheel_new(WSE_WHEEL_CYCLES);
    const uint32_t now = 3 * WSE_WHEEL_CYCLES + 100;

    assert_int_equal(wse_wheel_next(wheel, now), 0);
    wse_wheel_add(wheel, now, now + 1, 7);
    wse_wheel_add(wheel, now, now + WSE_WHEEL_CYCLES - 1, 8);
    assert_int_equal(wse_wheel_next(wheel, now), 1);
    assert_only(wheel, now + 1, 7);
    assert_int_equal(wse_wheel_next(wheel, now + 1), WSE_WHEEL_CYCLES - 2);
    assert_only(wheel, now + WSE_WHEEL_CYCLES - 1, 8);
    assert_int_equal(wse_wheel_next(wheel, now), 0);
    for (uint32_t ahead = 1; ahead < WSE_WHEEL_CYCLES; ahead += 61) {
        wse_wheel_add(wheel, now, now + ahead, ahead);
        assert_int_equal(wse_wheel_next(wheel, now), ahead);
        assert_only(wheel, now + ahead, ahead);
    }
    wse_wheel_free(wheel);
}

static void the_wheel_keeps_what_is_far(void **state)
{
    (void) state;
    WseWheel *wheel = wse_wheel_new(WSE_WHEEL_CYCLES);
    const uint32_t ends[] = {WSE_WHEEL_CYCLES, 5 * WSE_WHEEL_CYCLES + 17};
    uint32_t now = 0;

    for (guint i = 0; i < G_N_ELEMENTS(ends); i++) {
        wse_wheel_add(wheel, now, ends[i], i);
    }
    for (guint i = 0; i < G_N_ELEMENTS(ends); i++) {
        while (now != ends[i]) {
            uint32_t ahead = wse_wheel_next(wheel, now);

            assert_in_range(ahead, 1, ends[i] - now);
            now += ahead;
            if (now != ends[i]) {
                assert_null(wse_wheel_take(wheel, now));
            }
        }
        assert_only(wheel, now, i);
    }
    assert_int_equal(wse_wheel_next(wheel, now), 0);
    wse_wheel_free(wheel);
}

static void payloads_live_as_long_as_they_are_held(void **state)
{
    (void) state;
    WsePayloads *payloads = wse_payloads_new(5);
    uint32_t one = wse_payloads_add(payloads, 3);

    assert_int_equal(wse_payload_owner(one), 5);
    assert_int_equal(wse_payloads_count(payloads, one), 3);
    wse_payloads_words(payloads, one)[2] = 77;
    wse_payloads_hold(payloads, one, 2);
    wse_payloads_drop(payloads, one);
    wse_payloads_drop(payloads, one);

    uint32_t two = wse_payloads_add(payloads, 4);

    assert_int_not_equal(two, one);
    assert_int_equal(wse_payloads_words(payloads, one)[2], 77);
    wse_payloads_drop(payloads, one);
    assert_int_equal(wse_payloads_add(payloads, 9), one);
    assert_int_equal(wse_payloads_count(payloads, one), 9);
    wse_payloads_free(payloads);
}

/* Three times SWITCH_ADV in one operation, to a router that goes round four positions.
 */
static void control_wavelets_stay_single(void **state)
{
    (void) state;
    const ArchWseControl advance = {ARCH_WSE_SWITCH_ADV, true};
    const WseRunStep send = {WSE_RUN_CONTROL, COLOR, 0, .count = 3,
                             .bits = arch_wse_control_payload(&advance, 1, 31)};
    const WseRunStep hold = {WSE_RUN_HOLD, COLOR, 4, .count = 0};
    const ArchWseColorConfig config = {
        .position_count = 4, .positions = {{W, R}, {.tx = R}, {.tx = R}, {.tx = R}}};

    for (guint i = 0; i < 4; i++) {
        WseRun run;

        wse_run_open(&run, 2, 1, NULL);
        wse_run_steps(&run, wse_rig_one(0, 0), "sender", &send, 1);
        wse_run_steps(&run, wse_rig_one(1, 0), "switched", &hold, 1);
        wse_rig_set_route(run.layout, wse_rig_one(0, 0), COLOR, R, E);
        wse_rig_set_config(run.layout, wse_rig_one(1, 0), COLOR, &config);
        run.options.grain = (ArchWseGrain) (i / 2);
        run.options.is_functional = i % 2 == 0;
        wse_run(&run);

        uint32_t number = 0;
        const WseFabric *fabric = wse_fabric_of(run.wse);
        const WseRegion *region = wse_fabric_find(fabric, 1, 0, &number);

        assert_int_equal(
            wse_pe_colors(wse_region_pe(region, number), &fabric->block)[0].position,
            3);
        wse_run_close(&run);
    }
}

/* Payloads that lie in memory are not known without data. */
static void controls_from_memory_need_data(void **state)
{
    (void) state;
    const ArchWseFaboutDsd fabout = {.color = COLOR,
                                     .queue = 0,
                                     .extent = 1,
                                     .elements_per_wavelet = 1,
                                     .is_control = true};
    const ArchWseControl advance = {ARCH_WSE_SWITCH_ADV, true};
    const double bits = arch_wse_control_payload(&advance, 1, 31);
    const WseRunStep hold = {WSE_RUN_HOLD, COLOR, 4, .count = 0};
    g_autoptr(GError) error = NULL;

    for (guint i = 0; i < 2; i++) {
        WseRun run;
        guint out = 0;

        wse_run_open(&run, 2, 1, NULL);

        Parts parts = {run.params, arch_wse_program_new(run.params, "sender")};
        guint array = parts_array(&parts, "u", ARCH_WSE_U32, 1);

        assert_true(arch_wse_program_set(parts.program, array, 0, &bits, 1, NULL));
        assert_true(arch_wse_program_fabout_dsd(parts.program, &fabout, &out, NULL));
        parts_begin(&parts, 10);
        parts_emit(&parts, parts_vector("mov32", out, parts_row(&parts, array, 0, 1, 1),
                                        ARCH_WSE_NONE, ARCH_WSE_NONE));
        parts_end(&parts);
        assert_true(arch_wse_program_activate(parts.program, 10, NULL));
        wse_run_place(&run, wse_rig_one(0, 0), &parts);
        wse_run_steps(&run, wse_rig_one(1, 0), "deaf", &hold, 1);
        wse_rig_set_route(run.layout, wse_rig_one(0, 0), COLOR, R, E);
        wse_rig_set_route(run.layout, wse_rig_one(1, 0), COLOR, W, R);
        run.options.is_functional = i == 0;
        if (i == 0) {
            wse_run(&run);
        } else {
            assert_false(wse_run_try(&run, &error));
            assert_true(g_error_matches(error, ARCH_ERROR, ARCH_ERROR_UNMODELLED));
        }
        wse_run_close(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_wheel_turns),
        cmocka_unit_test(the_wheel_keeps_what_is_far),
        cmocka_unit_test(payloads_live_as_long_as_they_are_held),
        cmocka_unit_test(far_wakes_come_in_time),
        cmocka_unit_test(control_wavelets_stay_single),
        cmocka_unit_test(controls_from_memory_need_data),
        cmocka_unit_test(threads_and_bands_change_nothing),
        cmocka_unit_test(the_short_way_takes_as_long),
        cmocka_unit_test(a_late_wavelet_is_late_for_all),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
