/* Factors of phases, measured on a slice. */
#include "arch/error.h"
#include "arch/wse/fabric.h"
#include "arch/wse/layout.h"
#include "sim/error.h"
#include "tests/arch/wse/bench.h"

enum {
    SENT = 9,
    GOT = 10,
    ONE = 65536,
    EAST = 0, /* colors 0 and 1 in turn, as columns go */
    WEST = 2,
};

typedef enum {
    EXCHANGE, /* every PE sends to the east and receives from the west, at once */
    PAIRS,    /* even PEs send to the east, odd ones receive */
    OPPOSED,  /* a chain that adds up to the east and one to the west, at once */
} Pattern;

typedef struct {
    Pattern pattern;
    guint words;
    guint built;
    guint asked;
    guint wanted; /* answers of "yes" */
} Plan;

/* One of the streams has ended; after the last the iteration has. */
static void add_end(guint id, guint pending, guint left)
{
    ArchWseProgram *program = bench.parts.program;
    const ArchWseOperand none = {.value = 0};
    const ArchWseOperand less = {.value = -1};

    bench_begin(&bench, ARCH_WSE_TASK_LOCAL, id, ARCH_WSE_NONE);
    assert_true(arch_wse_program_add(program, pending, less, NULL));
    assert_true(
        arch_wse_program_begin_if(program, pending, ARCH_WSE_EQUAL, none, NULL));
    bench_mark(&bench);
    assert_true(arch_wse_program_add(program, left, less, NULL));
    assert_true(arch_wse_program_begin_if(program, left, ARCH_WSE_GREATER, none, NULL));
    assert_true(arch_wse_program_activate(program, BENCH_GO, NULL));
    assert_true(arch_wse_program_end_if(program, NULL));
    assert_true(arch_wse_program_end_if(program, NULL));
    bench_end(&bench);
}

static void emit_async(const char *name, guint to, guint from, guint own, guint done)
{
    parts_emit(&bench.parts,
               bench_async(parts_vector(name, to, from, own, ARCH_WSE_NONE), done));
}

static void route_rows(guint x, guint color, guint rx, guint tx)
{
    for (guint y = 0; y < bench.layout->rows; y++) {
        bench_route(&bench, x, y, color, rx, tx);
    }
}

static void put_exchange(const Plan *plan, guint x, guint columns, guint iterations)
{
    bool is_receiver = x > 0 && (plan->pattern == EXCHANGE || x % 2 == 1);
    bool is_sender = x + 1 < columns && (plan->pattern == EXCHANGE || x % 2 == 0);
    guint rows = bench.layout->rows;
    guint from = EAST + (x + 1) % 2;
    guint to = EAST + x % 2;

    bench_program(&bench, "exchange");
    guint pending = parts_variable(&bench.parts, "pending", 0);
    guint left = parts_variable(&bench.parts, "left", (int32_t) iterations);

    bench_begin(&bench, ARCH_WSE_TASK_LOCAL, BENCH_GO, ARCH_WSE_NONE);
    bench_phase(&bench, "halo");
    assert_true(arch_wse_program_assign(
        bench.parts.program, pending,
        (ArchWseOperand){.value = is_receiver + is_sender}, NULL));
    if (is_receiver) {
        emit_async("fmovs", bench_numbers(&bench, "got", plan->words, 0),
                   parts_fabin(&bench.parts, from, 4, plan->words), ARCH_WSE_NONE, GOT);
        route_rows(x, from, W, R);
    }
    if (is_sender) {
        emit_async("fmovs", parts_fabout(&bench.parts, to, 0, plan->words),
                   bench_numbers(&bench, "own", plan->words, x), ARCH_WSE_NONE, SENT);
        route_rows(x, to, R, E);
    }
    bench_end_go(&bench);
    add_end(SENT, pending, left);
    add_end(GOT, pending, left);
    bench_put(&bench, x, 0, x, rows - 1);
}

/* PE x is number `index` of the chain. */
static void emit_link(guint x, guint index, guint columns, guint words, guint base)
{
    bool is_east = base == EAST;
    guint to = base + index % 2;
    guint from = base + (index + 1) % 2;
    guint own = bench_numbers(&bench, is_east ? "east" : "west", words, 1);
    guint target = own;

    if (index + 1 < columns) {
        target = parts_fabout(&bench.parts, to, is_east ? 0 : 1, words);
        bench_route(&bench, x, 0, to, R, is_east ? E : W);
    }
    if (index == 0) {
        emit_async("fmovs", target, own, ARCH_WSE_NONE, ARCH_WSE_NONE);
        return;
    }
    emit_async("fadds", target, parts_fabin(&bench.parts, from, is_east ? 4 : 5, words),
               own, ARCH_WSE_NONE);
    bench_route(&bench, x, 0, from, is_east ? W : E, R);
}

static void put_opposed(const Plan *plan, guint x, guint columns)
{
    bench_begin_go(&bench, "opposed");
    bench_phase(&bench, "both");
    emit_link(x, x, columns, plan->words, EAST);
    emit_link(x, columns - 1 - x, columns, plan->words, WEST);
    bench_end_go(&bench);
    bench_put(&bench, x, 0, x, 0);
}

static ArchWseLayout *
build(gpointer data, guint columns, guint rows, guint iterations, GError **error)
{
    Plan *plan = data;

    (void) error;
    plan->built++;
    bench_lay(&bench, columns, rows);
    for (guint x = 0; x < columns; x++) {
        if (plan->pattern == OPPOSED) {
            put_opposed(plan, x, columns);
        } else {
            put_exchange(plan, x, columns, iterations);
        }
    }
    return g_steal_pointer(&bench.layout);
}

static bool is_wanted(gpointer data)
{
    Plan *plan = data;

    return plan->asked++ < plan->wanted;
}

static ArchWseSlice slice_of(Plan *plan, guint columns, guint rows, guint iterations)
{
    return (ArchWseSlice){
        .columns = columns,
        .rows = rows,
        .iterations = iterations,
        .build = build,
        .data = plan,
    };
}

/* A first task at 10, an assignment, set-up, 6 cycles to the neighbour, 100 words; then
 * the last task: 10 and 21 cycles of its own. */
static void test_single_streams_get_no_factor(void **state G_GNUC_UNUSED)
{
    const guint cycles = 10 + 1 + 34 + 6 + 100 + 31;
    Plan plan = {.pattern = PAIRS, .words = 100};
    const ArchWseSlice slice = slice_of(&plan, 6, 1, 1);
    g_autoptr(GError) error = NULL;
    ArchWseStretches measured = {0};

    assert_true(arch_wse_measure(bench.parts.params, &slice, &measured, &error));
    assert_int_equal(measured.stretches->len, 0);
    assert_float_equal(measured.exact_cycles, cycles, 0);
    assert_float_equal(measured.stream_cycles, cycles, 0);
    assert_float_equal(measured.error, 0, 0);
    assert_int_equal(measured.pe_cycles, 6 * cycles);
    arch_wse_stretches_clear(&measured);
    assert_null(measured.stretches);
}

/* Cycles of an iteration after the first. */
static double steady_cycles(void)
{
    g_autoptr(GArray) ends = arch_wse_iterations(bench.wse);

    assert_true(ends->len > 1);
    return (g_array_index(ends, ArchWseIteration, ends->len - 1).mean -
            g_array_index(ends, ArchWseIteration, 0).mean) /
           (ends->len - 1);
}

/* The same, in a run of its own. */
static double run_again(Plan *plan, const ArchWseSlice *slice, ArchWseOptions options)
{
    bench.layout = build(plan, slice->columns, slice->rows, slice->iterations, NULL);
    bench.options = options;
    bench_run(&bench);
    return steady_cycles();
}

/* Both of its numbers are those of runs with and without it. */
static void test_exchanges_get_a_factor(void **state G_GNUC_UNUSED)
{
    Plan plan = {.pattern = EXCHANGE, .words = 200};
    const ArchWseSlice slice = slice_of(&plan, 15, 2, 6);
    ArchWseOptions options = {.grain = ARCH_WSE_GRAIN_WAVELET};
    g_autoptr(GError) error = NULL;
    ArchWseStretches measured = {0};

    assert_true(arch_wse_measure(bench.parts.params, &slice, &measured, &error));
    assert_int_equal(plan.built, 2); /* once in each grain, whatever is tried */
    assert_int_equal(measured.stretches->len, 1);
    assert_int_equal(measured.trials, 19); /* of 26 factors, as some are alike */
    const ArchWseStretch *halo = &g_array_index(measured.stretches, ArchWseStretch, 0);

    assert_string_equal(halo->phase, "halo");
    assert_true(halo->factor > ONE);
    assert_true(measured.error <= 0.01);
    assert_float_equal(run_again(&plan, &slice, options), measured.exact_cycles, 0);

    options.grain = ARCH_WSE_GRAIN_STREAM;
    assert_true(run_again(&plan, &slice, options) <
                measured.exact_cycles * (1 - measured.error));
    options.stretches = halo;
    options.stretch_count = 1;
    assert_float_equal(run_again(&plan, &slice, options), measured.stream_cycles, 0);
    arch_wse_stretches_clear(&measured);
}

/* Threads share the exact run out, where it has rows enough for two bands. */
static void test_threads_change_no_factor(void **state G_GNUC_UNUSED)
{
    Plan plan = {.pattern = EXCHANGE, .words = 40};
    ArchWseSlice slice = slice_of(&plan, 15, 24, 3);
    g_autoptr(GError) error = NULL;
    ArchWseStretches one = {0};
    ArchWseStretches three = {0};

    assert_true(arch_wse_measure(bench.parts.params, &slice, &one, &error));
    slice.thread_count = 3;
    assert_true(arch_wse_measure(bench.parts.params, &slice, &three, &error));
    assert_float_equal(one.exact_cycles, three.exact_cycles, 0);
    assert_float_equal(one.stream_cycles, three.stream_cycles, 0);
    assert_int_equal(one.pe_cycles, three.pe_cycles);
    assert_int_equal(g_array_index(one.stretches, ArchWseStretch, 0).factor,
                     g_array_index(three.stretches, ArchWseStretch, 0).factor);
    arch_wse_stretches_clear(&one);
    arch_wse_stretches_clear(&three);
}

/* One start after the other, each as if it had been loaded with its factor. */
static void test_factors_may_change_between_starts(void **state G_GNUC_UNUSED)
{
    static const uint32_t factors[] = {ONE, 3 * ONE, ONE + ONE / 2, 8 * ONE, ONE / 2};
    Plan plan = {.pattern = EXCHANGE, .words = 50};
    const ArchWseSlice slice = slice_of(&plan, 7, 2, 3);
    ArchWseStretch halo = {.phase = "halo"};
    ArchWseOptions options = {
        .grain = ARCH_WSE_GRAIN_STREAM, .stretches = &halo, .stretch_count = 1};
    double alone[G_N_ELEMENTS(factors)];

    for (guint i = 0; i < G_N_ELEMENTS(factors); i++) {
        halo.factor = factors[i];
        alone[i] = run_again(&plan, &slice, options);
    }
    for (guint i = 0; i < G_N_ELEMENTS(factors); i++) {
        halo.factor = factors[i];
        arch_wse_set_stretches(bench.wse, &halo, 1);
        arch_wse_start(bench.wse);
        assert_true(sim_engine_run(bench.engine, SIM_TIME_NEVER, NULL));
        assert_float_equal(steady_cycles(), alone[i], 0);
    }
    assert_true(alone[1] > alone[0]);
    arch_wse_set_stretches(bench.wse, NULL, 0);
    arch_wse_start(bench.wse);
    assert_true(sim_engine_run(bench.engine, SIM_TIME_NEVER, NULL));
    assert_float_equal(steady_cycles(), alone[0], 0);
}

/* The range is as wide as it can be: one less or one more makes something longer or
 * shorter of one of these numbers of cycles. */
static void assert_tight(const WseFactor *factor, const uint32_t *cycles, guint count)
{
    bool is_less_other = false;
    bool is_more_other = false;

    assert_in_range(factor->value, factor->least, factor->most);
    for (guint i = 0; i < count; i++) {
        const uint64_t times = wse_factor_times(factor->value, cycles[i]);

        assert_int_equal(wse_factor_times(factor->least, cycles[i]), times);
        assert_int_equal(wse_factor_times(factor->most, cycles[i]), times);
        is_less_other |= wse_factor_times(factor->least - 1, cycles[i]) < times;
        is_more_other |= wse_factor_times(factor->most + 1, cycles[i]) > times;
    }
    assert_true(is_less_other);
    assert_true(is_more_other);
}

static void test_a_range_is_tight(void **state G_GNUC_UNUSED)
{
    static const uint32_t cycles[] = {1, 334, 332, 3, 0, 100000};

    for (uint32_t value = ONE / 2; value <= 8 * ONE; value += 997) {
        WseFactor factor = wse_factor(value);

        for (guint i = 0; i < G_N_ELEMENTS(cycles); i++) {
            wse_factor_note(&factor, cycles[i]);
            assert_tight(&factor, cycles, i + 1);
        }
    }
}

static double run_with(Plan *plan, const ArchWseSlice *slice, uint32_t factor)
{
    const ArchWseStretch halo = {.phase = "halo", .factor = factor};
    const ArchWseOptions options = {
        .grain = ARCH_WSE_GRAIN_STREAM, .stretches = &halo, .stretch_count = 1};

    return run_again(plan, slice, options);
}

/* Factors at both ends of a run's range go the same way, those beyond do not. */
static void test_factors_of_a_range_go_the_same_way(void **state G_GNUC_UNUSED)
{
    Plan plan = {.pattern = EXCHANGE, .words = 200};
    const ArchWseSlice slice = slice_of(&plan, 7, 2, 3);
    const uint32_t value = ONE + ONE / 3;
    const double cycles = run_with(&plan, &slice, value);
    const WseFactor range = *wse_fabric_factor(wse_fabric_of(bench.wse), "halo");

    assert_null(wse_fabric_factor(wse_fabric_of(bench.wse), "hallo"));
    assert_int_equal(range.value, value);
    assert_true(range.least < range.most);
    assert_float_equal(run_with(&plan, &slice, range.least), cycles, 0);
    assert_float_equal(run_with(&plan, &slice, range.most), cycles, 0);
    assert_true(run_with(&plan, &slice, range.least - 1) < cycles);
    assert_true(run_with(&plan, &slice, range.most + 1) > cycles);
}

/* A stream that shares its PE goes on when all of it is there, so a chain of them takes
 * at least 12 times 100 cycles; no factor makes it faster. */
static void test_what_does_not_fit_is_refused(void **state G_GNUC_UNUSED)
{
    Plan plan = {.pattern = OPPOSED, .words = 100};
    const ArchWseSlice slice = slice_of(&plan, 12, 1, 1);
    g_autoptr(GError) error = NULL;
    ArchWseStretches measured = {0};

    assert_false(arch_wse_measure(bench.parts.params, &slice, &measured, &error));
    assert_true(g_error_matches(error, ARCH_ERROR, ARCH_ERROR_UNMODELLED));
    /* Two set-ups, 11 hops, 2 times 100 words. */
    assert_float_equal(measured.exact_cycles, 10 + 2 * 34 + 11 * 6 + 200, 0);
    assert_true(measured.stream_cycles > 1200);
    g_autofree char *message = g_strdup_printf(
        "grain=stream: an exact slice of 12x1 PEs takes 344 cycles an iteration, "
        "streams take %.0f (+%.1f %%, allowed is 1 %%); use grain=wavelet",
        measured.stream_cycles, measured.error * 100);

    assert_string_equal(error->message, message);
    assert_null(measured.stretches);
}

/* Long enough to be asked several times. */
static void test_measuring_can_be_stopped(void **state G_GNUC_UNUSED)
{
    for (guint wanted = 0; wanted < 2; wanted++) {
        Plan plan = {.pattern = EXCHANGE, .words = 1000, .wanted = wanted};
        ArchWseSlice slice = slice_of(&plan, 3, 1, 40);
        g_autoptr(GError) error = NULL;
        ArchWseStretches measured = {0};

        slice.is_wanted = is_wanted;
        assert_false(arch_wse_measure(bench.parts.params, &slice, &measured, &error));
        assert_true(g_error_matches(error, SIM_ERROR, SIM_ERROR_STOPPED));
        assert_int_equal(plan.asked, wanted + 1);
    }
}

/* Columns send on two colors in turn, and the last one only receives. */
static void assert_covered(guint columns, guint whole, const char *message)
{
    Plan plan = {.pattern = EXCHANGE, .words = 20};
    ArchWseSlice slice = slice_of(&plan, columns, 1, 1);
    ArchWseLayout *layout = build(&plan, whole, 1, 1, NULL);
    g_autoptr(GError) error = NULL;
    ArchWseStretches measured = {0};

    assert_true(arch_wse_layout_finish(layout, &error));
    slice.whole = layout;
    assert_int_equal(arch_wse_measure(bench.parts.params, &slice, &measured, &error),
                     message == NULL);
    if (message != NULL) {
        assert_true(g_error_matches(error, ARCH_ERROR, ARCH_ERROR_UNMODELLED));
        assert_string_equal(error->message, message);
    }
    arch_wse_stretches_clear(&measured);
    arch_wse_layout_free(layout);
}

static void test_a_slice_has_all_of_the_whole(void **state G_GNUC_UNUSED)
{
    assert_covered(2, 6,
                   "grain=stream: an exact slice of 2x1 PEs has no streams of color 1, "
                   "as the whole has; use grain=wavelet");
    /* Both colors, but nobody gets the second and sends on the first. */
    assert_covered(3, 6,
                   "grain=stream: an exact slice of 3x1 PEs has no program with the "
                   "streams of pe[2,0], as the whole has; use grain=wavelet");
    /* The last one gets the first color, that of the whole gets the second. */
    assert_covered(4, 5,
                   "grain=stream: an exact slice of 4x1 PEs has no program with the "
                   "streams of pe[4,0], as the whole has; use grain=wavelet");
    assert_covered(4, 6, NULL);
    assert_covered(5, 9, NULL);
}

/* Streams that the slice lacks do not matter while they are short: their wavelets go
 * one by one in both grains, and no factor stretches them. */
static void test_short_streams_are_exact_without_a_slice(void **state G_GNUC_UNUSED)
{
    for (guint words = 1; words <= 4; words++) {
        Plan plan = {.pattern = EXCHANGE, .words = words};
        const ArchWseSlice slice = slice_of(&plan, 9, 2, 3);
        const ArchWseStretch halo = {.phase = "halo", .factor = 8 * ONE};
        const double exact = run_again(&plan, &slice, (ArchWseOptions){0});
        ArchWseOptions options = {
            .grain = ARCH_WSE_GRAIN_STREAM, .stretches = &halo, .stretch_count = 1};

        assert_float_equal(run_again(&plan, &slice, options), exact, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST(test_single_streams_get_no_factor),
        BENCH_TEST(test_exchanges_get_a_factor),
        BENCH_TEST(test_threads_change_no_factor),
        BENCH_TEST(test_factors_may_change_between_starts),
        BENCH_TEST(test_a_range_is_tight),
        BENCH_TEST(test_factors_of_a_range_go_the_same_way),
        BENCH_TEST(test_what_does_not_fit_is_refused),
        BENCH_TEST(test_measuring_can_be_stopped),
        BENCH_TEST(test_a_slice_has_all_of_the_whole),
        BENCH_TEST(test_short_streams_are_exact_without_a_slice),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
