/* The two grains of a wafer against each other: collectives in wavelets and in streams,
 * and factors of phases. */
#include "tests/arch/wse/bench.h"
#include "tests/arch/wse/state_hash.h"

enum {
    FIRST = 44, /* issue of a first task: dispatch 10, set-up 28 and 6 */
    SET_UP = 34,
    HOP = 6, /* from an issue to that of the next PE: 1, ramp 2, hop 1, ramp 2 */
    ONE = 65536,
    EAST = 0,  /* colors 0 and 1 in turn, as columns go */
    SOUTH = 2, /* colors 2 and 3, as rows go */
};

static const ArchWseGrain grains[] = {ARCH_WSE_GRAIN_WAVELET, ARCH_WSE_GRAIN_STREAM};

/* --- collectives of one stream per PE ------------------------------------------- */

/* The part of one PE in a chain that adds up: it passes on its own numbers plus what it
 * gets, and keeps them where the chain ends. */
static void emit_link(guint base, guint index, guint count, guint words, guint own)
{
    guint to = index + 1 == count
                   ? own
                   : parts_fabout(&bench.parts, base + index % 2, index % 2, words);

    if (index == 0) {
        parts_emit(&bench.parts,
                   parts_vector("fmovs", to, own, ARCH_WSE_NONE, ARCH_WSE_NONE));
        return;
    }
    guint from = (index + 1) % 2;

    parts_emit(&bench.parts, parts_vector("fadds", to,
                                          parts_fabin(&bench.parts, base + from,
                                                      4 + base + from, words),
                                          own, ARCH_WSE_NONE));
}

static void route_link(guint x, guint y, guint base, guint index, guint count)
{
    bool is_south = base == SOUTH;

    if (index + 1 < count) {
        bench_route(&bench, x, y, base + index % 2, R, is_south ? S : E);
    }
    if (index > 0) {
        bench_route(&bench, x, y, base + (index + 1) % 2, is_south ? N : W, R);
    }
}

/* Rows add up eastwards, then the last column southwards. The last PE marks. */
static void run_chains(guint columns, guint rows, guint words)
{
    bench_lay(&bench, columns, rows);
    for (guint y = 0; y < rows; y++) {
        for (guint x = 0; x < columns; x++) {
            bench_begin_go(&bench, "link");
            guint own = bench_numbers(&bench, "u", words, x + 100 * y);

            bench_phase(&bench, "row");
            emit_link(EAST, x, columns, words, own);
            route_link(x, y, EAST, x, columns);
            if (x + 1 == columns && rows > 1) {
                bench_phase(&bench, "column");
                emit_link(SOUTH, y, rows, words, own);
                route_link(x, y, SOUTH, y, rows);
            }
            if (x + 1 == columns && y + 1 == rows) {
                bench_mark(&bench);
            }
            bench_end_go(&bench);
            bench_put(&bench, x, y, x, y);
        }
    }
    bench_run(&bench);
}

static void assert_sums(guint columns, guint rows, guint words)
{
    guint pes = columns * rows;
    guint sum = rows * (columns * (columns - 1) / 2) + columns * 50 * rows * (rows - 1);

    for (guint i = 0; i < words; i++) {
        assert_float_equal(bench_number(&bench, columns - 1, rows - 1, "u", i),
                           (float) (sum + pes * i), 0);
    }
}

/* B + (2 * 2 + 2) * (P - 1), to the cycle. */
static void test_a_chain_takes_a_word_a_cycle(void **state G_GNUC_UNUSED)
{
    static const guint lengths[] = {2, 3, 5, 8, 13, 20};
    static const guint words[] = {1, 2, 3, 7, 50, 200};

    for (guint g = 0; g < G_N_ELEMENTS(grains); g++) {
        bench.options.grain = grains[g];
        for (guint i = 0; i < G_N_ELEMENTS(lengths); i++) {
            for (guint j = 0; j < G_N_ELEMENTS(words); j++) {
                run_chains(lengths[i], 1, words[j]);
                BENCH_MARKS(&bench, FIRST + HOP * (lengths[i] - 1) + words[j]);
                assert_sums(lengths[i], 1, words[j]);
            }
        }
    }
}

static void test_rows_then_the_last_column(void **state G_GNUC_UNUSED)
{
    static const guint words[] = {1, 5, 60};

    for (guint g = 0; g < G_N_ELEMENTS(grains); g++) {
        bench.options.grain = grains[g];
        for (guint j = 0; j < G_N_ELEMENTS(words); j++) {
            run_chains(5, 4, words[j]);
            BENCH_MARKS(&bench,
                        FIRST + HOP * 4 + words[j] + SET_UP + HOP * 3 + words[j]);
            assert_sums(5, 4, words[j]);
        }
    }
}

/* PE 0 sends, all others keep it and mark. */
static void run_broadcast(guint columns, guint words)
{
    bench_lay(&bench, columns, 1);
    for (guint x = 0; x < columns; x++) {
        bool is_last = x + 1 == columns;

        bench_begin_go(&bench, x == 0 ? "root" : "leaf");
        guint own = bench_numbers(&bench, "u", words, x == 0 ? 7 : 0);

        parts_emit(
            &bench.parts,
            x == 0
                ? parts_vector("fmovs", parts_fabout(&bench.parts, EAST, 0, words), own,
                               ARCH_WSE_NONE, ARCH_WSE_NONE)
                : parts_vector("fmovs", own, parts_fabin(&bench.parts, EAST, 0, words),
                               ARCH_WSE_NONE, ARCH_WSE_NONE));
        if (x > 0) {
            bench_mark(&bench);
        }
        bench_end_go(&bench);
        bench_put(&bench, x, 0, x, 0);
        bench_route(&bench, x, 0, EAST, x == 0 ? R : W,
                    x == 0    ? E
                    : is_last ? R
                              : R | E);
    }
    bench_run(&bench);
}

static void test_a_broadcast_takes_a_cycle_a_hop(void **state G_GNUC_UNUSED)
{
    static const guint lengths[] = {2, 3, 9, 20};
    static const guint words[] = {1, 2, 30, 200};

    for (guint g = 0; g < G_N_ELEMENTS(grains); g++) {
        bench.options.grain = grains[g];
        for (guint i = 0; i < G_N_ELEMENTS(lengths); i++) {
            for (guint j = 0; j < G_N_ELEMENTS(words); j++) {
                guint last = lengths[i] - 1;

                run_broadcast(lengths[i], words[j]);
                BENCH_MARKS(&bench, FIRST + 1 + 2 + last + 2 + words[j]);
                for (guint x = 1; x <= last; x++) {
                    assert_int_equal(bench_pe(&bench, x, 0).end,
                                     FIRST + 5 + x + words[j]);
                    assert_int_equal(bench_pe(&bench, x, 0).busy, 28 + words[j]);
                }
                assert_float_equal(bench_number(&bench, last, 0, "u", words[j] - 1),
                                   (float) (7 + words[j] - 1), 0);
            }
        }
    }
}

/* The same cycles everywhere, with data and without. */
static void test_data_does_not_change_the_state(void **state G_GNUC_UNUSED)
{
    uint64_t chains[4];
    uint64_t broadcasts[4];

    for (guint i = 0; i < 4; i++) {
        bench.options.is_functional = (i & 1) != 0;
        bench.options.grain = grains[i / 2];
        run_chains(6, 3, 40);
        chains[i] = state_hash(bench.wse);
        run_broadcast(6, 40);
        broadcasts[i] = state_hash(bench.wse);
    }
    for (guint i = 0; i < 4; i += 2) {
        assert_true(chains[i] == chains[i + 1]);
        assert_true(broadcasts[i] == broadcasts[i + 1]);
    }
    assert_true(chains[0] != broadcasts[0]);
    bench.options = (ArchWseOptions){0};
    run_chains(6, 3, 41);
    assert_true(chains[0] != state_hash(bench.wse));
}

/* PE 0 sends 5 times 50 words, PE 1 takes them after so much work. */
static void run_one_after_the_other(guint work)
{
    bench_lay(&bench, 2, 1);
    for (guint x = 0; x < 2; x++) {
        bench_begin_go(&bench, x == 0 ? "sender" : "taker");
        guint own = bench_numbers(&bench, "u", 50, 1);
        guint stream = x == 0 ? parts_fabout(&bench.parts, EAST, 0, 50)
                              : parts_fabin(&bench.parts, EAST, 0, 50);

        bench_work(&bench, x * work);
        for (guint i = 0; i < 5; i++) {
            parts_emit(&bench.parts, parts_vector("fmovs", x == 0 ? stream : own,
                                                  x == 0 ? own : stream, ARCH_WSE_NONE,
                                                  ARCH_WSE_NONE));
            if (x == 1) {
                bench_mark(&bench);
            }
        }
        bench_end_go(&bench);
        bench_put(&bench, x, 0, x, 0);
        bench_route(&bench, x, 0, EAST, x == 0 ? R : W, x == 0 ? E : R);
    }
    bench_run(&bench);
}

/* Also where they have to wait. */
static void test_streams_follow_each_other(void **state G_GNUC_UNUSED)
{
    const SimTime step = SET_UP + 50;

    for (guint g = 0; g < G_N_ELEMENTS(grains); g++) {
        SimTime first = FIRST + HOP + 50;

        bench.options.grain = grains[g];
        run_one_after_the_other(0);
        BENCH_MARKS(&bench, first, first + step, first + 2 * step, first + 3 * step,
                    first + 4 * step);
        run_one_after_the_other(1000);
        first = 1000 + FIRST + 50;
        BENCH_MARKS(&bench, first, first + step, first + 2 * step, first + 3 * step,
                    first + 4 * step);
    }
}

/* A stream has its place until the last of it has left: 4 of them are under way when
 * the first is taken, and the last can follow 4 times 50 cycles later. */
static void test_a_stream_keeps_its_place(void **state G_GNUC_UNUSED)
{
    bench.options.grain = ARCH_WSE_GRAIN_STREAM;
    run_one_after_the_other(1000);
    assert_true(bench_pe(&bench, 0, 0).end >= 1000 + FIRST + 5 * 50);
}

/* --- several streams per PE ----------------------------------------------------- */

/* Two sends of `words` at once, in phase "pair"; the end of both. The receiver marks
 * when it has the first. */
static SimTime run_pair(guint words, const ArchWseStretch *stretch)
{
    bench.options.stretches = stretch;
    bench.options.stretch_count = stretch == NULL ? 0 : 1;
    bench_lay(&bench, 2, 1);
    bench_begin_go(&bench, "pair");
    bench_phase(&bench, "pair");
    for (guint i = 0; i < 2; i++) {
        parts_emit(
            &bench.parts,
            bench_async(parts_vector("fmovs", parts_fabout(&bench.parts, i, i, words),
                                     parts_number(&bench.parts, ARCH_WSE_F32, 1),
                                     ARCH_WSE_NONE, ARCH_WSE_NONE),
                        ARCH_WSE_NONE));
        bench_route(&bench, 0, 0, i, R, E);
        bench_route(&bench, 1, 0, i, W, R);
    }
    bench_end_go(&bench);
    bench_put(&bench, 0, 0, 0, 0);
    bench_begin_go(&bench, "taker");
    assert_true(arch_wse_program_input_queue(bench.parts.program, 1, 1, NULL));
    parts_emit(&bench.parts, parts_vector("fmovs", bench_numbers(&bench, "u", words, 0),
                                          parts_fabin(&bench.parts, 0, 0, words),
                                          ARCH_WSE_NONE, ARCH_WSE_NONE));
    bench_mark(&bench);
    bench_end_go(&bench);
    bench_begin(&bench, ARCH_WSE_TASK_DATA, 1, ARCH_WSE_NONE);
    bench_end(&bench);
    bench_put(&bench, 1, 0, 1, 0);
    bench_run(&bench);
    assert_int_equal(bench_pe(&bench, 0, 0).busy, 2 + 2 * words);
    return bench_pe(&bench, 0, 0).end;
}

static void test_a_factor_stretches_streams_of_its_phase(void **state G_GNUC_UNUSED)
{
    const ArchWseStretch half_more = {"pair", ONE + ONE / 2};
    const ArchWseStretch other = {"other", 2 * ONE};

    bench_make_quick(&bench);
    assert_int_equal(run_pair(7, &half_more), 2 + 14);
    bench.options.grain = ARCH_WSE_GRAIN_STREAM;
    assert_int_equal(run_pair(7, NULL), 2 + 14);
    assert_int_equal(run_pair(7, &half_more), 2 + 11 + 11);
    assert_int_equal(run_pair(8, &half_more), 2 + 12 + 12);
    assert_int_equal(run_pair(7, &other), 2 + 14);
}

/* Up to four wavelets go one by one, in turn with those of others, as they are. */
static void test_short_streams_are_single_wavelets(void **state G_GNUC_UNUSED)
{
    const ArchWseStretch twice = {"pair", 2 * ONE};

    bench_make_quick(&bench);
    bench.options.grain = ARCH_WSE_GRAIN_STREAM;
    assert_int_equal(run_pair(4, &twice), 2 + 8);
    assert_int_equal(run_pair(5, &twice), 2 + 20);
}

/* The first of two from 2 to 42, at half the pace: so the last of it comes 6 cycles
 * after 41, and its receiver, alone and waiting, has it then. */
static void test_the_end_of_a_stretched_stream_is_late(void **state G_GNUC_UNUSED)
{
    const ArchWseStretch twice = {"pair", 2 * ONE};

    bench_make_quick(&bench);
    bench.options.grain = ARCH_WSE_GRAIN_STREAM;
    assert_int_equal(run_pair(20, &twice), 2 + 40 + 40);
    BENCH_MARKS(&bench, 41 + HOP + 1);
}

static void test_a_factor_leaves_single_streams_alone(void **state G_GNUC_UNUSED)
{
    const ArchWseStretch twice = {"row", 2 * ONE};

    bench.options.grain = ARCH_WSE_GRAIN_STREAM;
    bench.options.stretches = &twice;
    bench.options.stretch_count = 1;
    run_chains(5, 1, 50);
    BENCH_MARKS(&bench, FIRST + HOP * 4 + 50);
}

static void test_phases_say_how_many_streams_they_have(void **state G_GNUC_UNUSED)
{
    bench_make_quick(&bench);
    (void) run_pair(7, NULL);
    g_autoptr(GArray) phases = arch_wse_phases(bench.wse);

    assert_int_equal(phases->len, 1);
    const ArchWsePhase *pair = &g_array_index(phases, ArchWsePhase, 0);

    assert_string_equal(pair->name, "pair");
    assert_int_equal(pair->streams, 2);
    /* From 1, when the first may issue, until 16; one of two PEs. */
    assert_float_equal(pair->cycles, 7.5, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST(test_a_chain_takes_a_word_a_cycle),
        BENCH_TEST(test_rows_then_the_last_column),
        BENCH_TEST(test_a_broadcast_takes_a_cycle_a_hop),
        BENCH_TEST(test_streams_follow_each_other),
        BENCH_TEST(test_a_stream_keeps_its_place),
        BENCH_TEST(test_data_does_not_change_the_state),
        BENCH_TEST(test_a_factor_stretches_streams_of_its_phase),
        BENCH_TEST(test_short_streams_are_single_wavelets),
        BENCH_TEST(test_the_end_of_a_stretched_stream_is_late),
        BENCH_TEST(test_a_factor_leaves_single_streams_alone),
        BENCH_TEST(test_phases_say_how_many_streams_they_have),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
