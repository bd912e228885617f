/* Operations whose numbers are computed later: what is sent, kept and read is what each
 * operation finds at its time. */
#include "arch/wse/data/backlog.h"
#include "tests/arch/wse/bench.h"

enum {
    COUNT = 40,
    COLOR = 4,
    QUEUE = 4,
    SENT = 4,                /* streams */
    ROUNDS = WSE_DEEDS + 11, /* more operations than may wait */
};

static const ArchWseGrain grains[] = {ARCH_WSE_GRAIN_WAVELET, ARCH_WSE_GRAIN_STREAM};

static void emit(const char *name, guint to, guint a, guint b)
{
    parts_emit(&bench.parts, parts_vector(name, to, a, b, ARCH_WSE_NONE));
}

/* Sends u, 2 u twice, and the second half of 2 u followed by its first. */
static void put_sender(void)
{
    bench_begin_go(&bench, "sender");
    const guint u = bench_numbers(&bench, "u", COUNT, 1);
    const guint out = parts_fabout(&bench.parts, COLOR, 2, COUNT);
    const guint half = parts_fabout(&bench.parts, COLOR, 2, COUNT / 2);
    const guint v = parts_array(&bench.parts, "v", ARCH_WSE_F32, COUNT);

    emit("fmovs", out, u, ARCH_WSE_NONE);
    emit("fadds", u, u, u);
    emit("fmovs", out, u, ARCH_WSE_NONE);
    emit("fmovs", parts_row(&bench.parts, v, 0, COUNT, 1), u, ARCH_WSE_NONE);
    emit("fmovs", out, u, ARCH_WSE_NONE);
    emit("fmovs", half, parts_row(&bench.parts, v, COUNT / 2, COUNT / 2, 1),
         ARCH_WSE_NONE);
    emit("fmovs", half, parts_row(&bench.parts, v, 0, COUNT / 2, 1), ARCH_WSE_NONE);
    bench_end_go(&bench);
    bench_put(&bench, 0, 0, 0, 0);
}

/* Keeps what comes in `kept`, and its sum, ROUNDS times, in `sum`. */
static void put_taker(void)
{
    bench_begin_go(&bench, "taker");
    const guint kept = parts_array(&bench.parts, "kept", ARCH_WSE_F32, SENT * COUNT);
    const guint sum =
        parts_row(&bench.parts, parts_array(&bench.parts, "sum", ARCH_WSE_F32, COUNT),
                  0, COUNT, 1);

    for (guint i = 0; i < SENT; i++) {
        emit("fmovs", parts_row(&bench.parts, kept, (int) (i * COUNT), COUNT, 1),
             parts_fabin(&bench.parts, COLOR, QUEUE, COUNT), ARCH_WSE_NONE);
    }
    for (guint i = 0; i < ROUNDS; i++) {
        emit("fadds", sum, sum,
             parts_row(&bench.parts, kept, (int) (i % SENT * COUNT), COUNT, 1));
    }
    bench_end_go(&bench);
    bench_put(&bench, 1, 0, 1, 0);
}

/* The sender, and beside it what takes its streams. */
static void lay_row(void (*put_other)(void))
{
    bench_lay(&bench, 2, 1);
    put_sender();
    put_other();
    bench_route(&bench, 0, 0, COLOR, R, E);
    bench_route(&bench, 1, 0, COLOR, W, R);
}

static float sent_at(guint stream, guint i)
{
    const guint place = stream == 3 ? (i + COUNT / 2) % COUNT : i;

    return (float) ((place + 1) * (stream == 0 ? 1 : 2));
}

static void
test_streams_hold_what_memory_held_when_they_were_sent(void **state G_GNUC_UNUSED)
{
    for (guint g = 0; g < G_N_ELEMENTS(grains); g++) {
        bench.options.grain = grains[g];
        lay_row(put_taker);
        bench_run(&bench);
        for (guint i = 0; i < COUNT; i++) {
            float sum = 0;

            for (guint j = 0; j < SENT; j++) {
                assert_float_equal(bench_number(&bench, 1, 0, "kept", j * COUNT + i),
                                   sent_at(j, i), 0);
            }
            for (guint j = 0; j < ROUNDS; j++) {
                sum += sent_at(j % SENT, i);
            }
            assert_float_equal(bench_number(&bench, 1, 0, "sum", i), sum, 0);
            assert_float_equal(bench_number(&bench, 0, 0, "v", i), sent_at(1, i), 0);
        }
    }
}

/* `COUNT` times number `index` of an array. */
static guint each(guint array, int index)
{
    const ArchWseMemoryDsd dsd = {array, 1, {COUNT}, {0}, index, ARCH_WSE_NONE};

    return parts_memory(&bench.parts, &dsd);
}

static guint row_of(guint array, guint index, guint first, guint count)
{
    return parts_row(&bench.parts, array, (int) (index * COUNT + first), count, 1);
}

/* Multiplies stream i by i + 2 into row i of `products`, and adds up the rows in `sum`.
 * Part of row 1 goes to `part`, then another part of it is 0 and all are added again.
 */
static void put_multiplier(void)
{
    const double numbers[SENT] = {2, 3, 4, 5};

    bench_begin_go(&bench, "multiplier");
    const guint products =
        parts_array(&bench.parts, "products", ARCH_WSE_F32, SENT * COUNT);
    const guint sum = parts_array(&bench.parts, "sum", ARCH_WSE_F32, COUNT);
    const guint part = parts_array(&bench.parts, "part", ARCH_WSE_F32, COUNT);
    const guint by = parts_array(&bench.parts, "by", ARCH_WSE_F32, SENT);
    const guint zeros = parts_array(&bench.parts, "zeros", ARCH_WSE_F32, COUNT);

    assert_true(arch_wse_program_set(bench.parts.program, by, 0, numbers, SENT, NULL));
    for (guint i = 0; i < SENT; i++) {
        emit("fmuls", row_of(products, i, 0, COUNT),
             parts_fabin(&bench.parts, COLOR, QUEUE, COUNT), each(by, (int) i));
    }
    for (guint turn = 0; turn < 2; turn++) {
        for (guint i = 0; i < SENT; i++) {
            emit("fadds", row_of(sum, 0, 0, COUNT), row_of(sum, 0, 0, COUNT),
                 row_of(products, i, 0, COUNT));
        }
        emit("fmovs", row_of(part, 0, 3, 20), row_of(products, 1, 9, 20),
             ARCH_WSE_NONE);
        emit("fmovs", row_of(products, 1, 15, 10), row_of(zeros, 0, 0, 10),
             ARCH_WSE_NONE);
    }
    bench_end_go(&bench);
    bench_put(&bench, 1, 0, 1, 0);
}

static float product_at(guint stream, guint i, bool is_cleared)
{
    return is_cleared && stream == 1 && i >= 15 && i < 25
               ? 0
               : sent_at(stream, i) * (float) (stream + 2);
}

static void test_products_are_in_memory_when_they_are_read(void **state G_GNUC_UNUSED)
{
    for (guint g = 0; g < G_N_ELEMENTS(grains); g++) {
        bench.options.grain = grains[g];
        lay_row(put_multiplier);
        bench_run(&bench);
        for (guint i = 0; i < COUNT; i++) {
            float sum = 0;

            for (guint j = 0; j < SENT; j++) {
                sum += product_at(j, i, false) + product_at(j, i, true);
                assert_float_equal(
                    bench_number(&bench, 1, 0, "products", j * COUNT + i),
                    product_at(j, i, true), 0);
            }
            assert_float_equal(bench_number(&bench, 1, 0, "sum", i), sum, 0);
            assert_float_equal(bench_number(&bench, 1, 0, "part", i),
                               i >= 3 && i < 23 ? product_at(1, i + 6, true) : 0, 0);
        }
    }
}

/* Multiplies stream 0 by the third number of the array that takes the products, which
 * becomes another on the way, and the others by 1. */
static void put_overwriter(void)
{
    const double numbers[] = {3};
    const double ones[] = {1};

    bench_begin_go(&bench, "overwriter");
    const guint own = parts_array(&bench.parts, "own", ARCH_WSE_F32, COUNT);
    const guint one = parts_array(&bench.parts, "one", ARCH_WSE_F32, 1);
    const guint rest = parts_array(&bench.parts, "rest", ARCH_WSE_F32, COUNT);

    assert_true(arch_wse_program_set(bench.parts.program, own, 2, numbers, 1, NULL));
    assert_true(arch_wse_program_set(bench.parts.program, one, 0, ones, 1, NULL));
    for (guint i = 0; i < SENT; i++) {
        emit("fmuls", row_of(i == 0 ? own : rest, 0, 0, COUNT),
             parts_fabin(&bench.parts, COLOR, QUEUE, COUNT),
             i == 0 ? each(own, 2) : each(one, 0));
    }
    bench_end_go(&bench);
    bench_put(&bench, 1, 0, 1, 0);
}

static void test_a_product_may_change_its_own_number(void **state G_GNUC_UNUSED)
{
    for (guint g = 0; g < G_N_ELEMENTS(grains); g++) {
        bench.options.grain = grains[g];
        lay_row(put_overwriter);
        bench_run(&bench);
        for (guint i = 0; i < COUNT; i++) {
            assert_float_equal(bench_number(&bench, 1, 0, "own", i),
                               sent_at(0, i) * (i <= 2 ? 3 : sent_at(0, 2) * 3), 0);
        }
    }
}

/* The sender's u from `first` on, in an array that only the wafer holds from now on.
 * Whether it holds it. */
static bool share(guint first, guint count, float value)
{
    const ArchWsePart part = {wse_rig_one(0, 0), "u", first, count};
    g_autoptr(SimShared) array = sim_shared_new(count * sizeof(float));

    for (guint i = 0; i < count; i++) {
        ((float *) (gpointer) array->data)[i] = value + (float) i;
    }
    assert_true(arch_wse_share(bench.wse, &part, array, NULL));
    return !sim_shared_is_own(array);
}

/* Later ones lie over earlier ones: 21 to 30 come from the second. */
static void test_arrays_that_the_host_shares_are_sent(void **state G_GNUC_UNUSED)
{
    for (guint g = 0; g < G_N_ELEMENTS(grains); g++) {
        bench_close(&bench);
        bench_open(&bench);
        bench.options.grain = grains[g];
        lay_row(put_taker);
        bench.engine = sim_engine_new(sim_engine_config_default());
        bench.wse = arch_wse_new(bench.engine, bench.parts.params);
        assert_true(arch_wse_load(bench.wse, g_steal_pointer(&bench.layout),
                                  &bench.options, NULL));
        const bool is_stream = grains[g] == ARCH_WSE_GRAIN_STREAM;

        assert_int_equal(share(0, 30, -7), is_stream);
        assert_int_equal(share(20, 20, 21), is_stream);
        assert_int_equal(share(0, 20, 1), is_stream);
        assert_float_equal(bench_number(&bench, 0, 0, "u", COUNT - 1), COUNT, 0);
        arch_wse_start(bench.wse);
        assert_true(sim_engine_run(bench.engine, SIM_TIME_NEVER, NULL));
        for (guint i = 0; i < SENT * COUNT; i++) {
            assert_float_equal(bench_number(&bench, 1, 0, "kept", i),
                               sent_at(i / COUNT, i % COUNT), 0);
        }
    }
}

/* A PE remembers few arrays; what it copies at once nobody has to hold. */
static void test_arrays_that_no_pe_keeps_are_let_go(void **state G_GNUC_UNUSED)
{
    guint held = 0;

    bench.options.grain = ARCH_WSE_GRAIN_STREAM;
    bench_lay(&bench, 1, 1);
    bench_begin_go(&bench, "idle");
    (void) bench_numbers(&bench, "u", COUNT, 1);
    bench_end_go(&bench);
    bench_put(&bench, 0, 0, 0, 0);
    bench_run(&bench);
    for (guint i = 0; i < 10; i++) {
        held += share(0, COUNT, (float) i) ? 1 : 0;
    }
    assert_in_range(held, 1, 5);
    assert_float_equal(bench_number(&bench, 0, 0, "u", 1), 10, 0);
}

/* The host writes between two launches, which add u to v. */
static void test_the_host_sees_what_is_done_and_changes_it(void **state G_GNUC_UNUSED)
{
    const ArchWsePart part = {wse_rig_one(0, 0), "u", 0, COUNT};
    float numbers[COUNT];

    for (guint i = 0; i < COUNT; i++) {
        numbers[i] = 100;
    }
    bench.options.grain = ARCH_WSE_GRAIN_STREAM;
    bench_begin_go(&bench, "adder");
    const guint u = bench_numbers(&bench, "u", COUNT, 1);
    const guint v = bench_numbers(&bench, "v", COUNT, 0);

    emit("fadds", v, v, u);
    bench_end_go(&bench);
    bench_put(&bench, 0, 0, 0, 0);
    bench_run(&bench);
    assert_true(arch_wse_write(bench.wse, &part, numbers, sizeof numbers, NULL));
    arch_wse_start(bench.wse);
    assert_true(sim_engine_run(bench.engine, SIM_TIME_NEVER, NULL));
    for (guint i = 0; i < COUNT; i++) {
        assert_float_equal(bench_number(&bench, 0, 0, "v", i), (float) (101 + 2 * i),
                           0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST(test_streams_hold_what_memory_held_when_they_were_sent),
        BENCH_TEST(test_products_are_in_memory_when_they_are_read),
        BENCH_TEST(test_a_product_may_change_its_own_number),
        BENCH_TEST(test_arrays_that_the_host_shares_are_sent),
        BENCH_TEST(test_arrays_that_no_pe_keeps_are_let_go),
        BENCH_TEST(test_the_host_sees_what_is_done_and_changes_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
