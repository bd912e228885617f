/* Streams of 16-bit numbers of which a step moves two wavelets. */
#include "tests/arch/wse/bench.h"

enum {
    DONE = 9,
    COLOR = 4,
};

/* PE 0 sends pairs of numbers, PE 1 keeps them; its mark is the end. */
static void run_pairs(guint count, ArchWseWidth sent, ArchWseWidth taken)
{
    const ArchWseFaboutDsd out = {COLOR, 2, count, 2, false, false, 0, 0, sent};
    const ArchWseFabinDsd in = {COLOR, 4, count, 2, taken};
    guint streams[2] = {0};
    guint numbers = 0;

    bench_lay(&bench, 2, 1);
    bench_begin_go(&bench, "source");
    numbers = parts_array(&bench.parts, "u", ARCH_WSE_I16, count);
    assert_true(
        arch_wse_program_fabout_dsd(bench.parts.program, &out, &streams[0], NULL));
    for (guint i = 0; i < count; i++) {
        const double value = i;

        assert_true(
            arch_wse_program_set(bench.parts.program, numbers, i, &value, 1, NULL));
    }
    parts_emit(&bench.parts,
               bench_async(parts_vector("mov16", streams[0],
                                        parts_row(&bench.parts, numbers, 0, count, 1),
                                        ARCH_WSE_NONE, ARCH_WSE_NONE),
                           ARCH_WSE_NONE));
    bench_end_go(&bench);
    bench_put(&bench, 0, 0, 0, 0);
    bench_begin_go(&bench, "taker");
    numbers = parts_array(&bench.parts, "kept", ARCH_WSE_I16, count);
    assert_true(
        arch_wse_program_fabin_dsd(bench.parts.program, &in, &streams[1], NULL));
    parts_emit(
        &bench.parts,
        bench_async(parts_vector("mov16", parts_row(&bench.parts, numbers, 0, count, 1),
                                 streams[1], ARCH_WSE_NONE, ARCH_WSE_NONE),
                    DONE));
    bench_end_go(&bench);
    bench_marker(&bench, DONE);
    bench_put(&bench, 1, 0, 1, 0);
    bench_route(&bench, 0, 0, COLOR, R, E);
    bench_route(&bench, 1, 0, COLOR, W, R);
    bench_run(&bench);
    for (guint i = 0; i < count; i++) {
        const ArchWsePart part = {wse_rig_one(1, 0), "kept", i, 1};
        int16_t kept = -1;

        assert_true(arch_wse_read(bench.wse, &part, &kept, sizeof kept, NULL));
        assert_int_equal(kept, i);
    }
}

/* The ramp gives a wavelet a cycle. A wide operation takes two in every second. */
static void test_wide_streams_need_half_of_the_slots(void **state G_GNUC_UNUSED)
{
    run_pairs(41, ARCH_WSE_NARROW, ARCH_WSE_NARROW);
    const uint64_t narrow = bench_pe(&bench, 1, 0).busy;
    const uint64_t end = bench_pe(&bench, 1, 0).end;

    run_pairs(41, ARCH_WSE_NARROW, ARCH_WSE_WIDE);
    assert_int_equal(bench_pe(&bench, 1, 0).busy, narrow - 10);
    assert_int_equal(bench_pe(&bench, 1, 0).end, end);
    run_pairs(41, ARCH_WSE_NARROW, ARCH_WSE_WIDE_IF_ANY);
    assert_int_equal(bench_pe(&bench, 1, 0).busy, narrow);
    assert_int_equal(bench_pe(&bench, 1, 0).end, end);
}

/* Queues of 6 and of 2 numbers: a sender waits until both places are free. */
static void test_wide_streams_leave_two_at_a_time(void **state G_GNUC_UNUSED)
{
    run_pairs(41, ARCH_WSE_NARROW, ARCH_WSE_NARROW);
    const uint64_t narrow = bench_pe(&bench, 0, 0).busy;
    const uint64_t end = bench_pe(&bench, 1, 0).end;

    run_pairs(41, ARCH_WSE_WIDE, ARCH_WSE_WIDE);
    assert_int_equal(bench_pe(&bench, 0, 0).busy, narrow - 10);
    assert_int_equal(bench_pe(&bench, 1, 0).end, end);
}

/* Whole streams need the same slots. */
static void test_wide_streams_may_be_whole(void **state G_GNUC_UNUSED)
{
    bench.options.grain = ARCH_WSE_GRAIN_STREAM;
    run_pairs(41, ARCH_WSE_NARROW, ARCH_WSE_NARROW);
    const uint64_t narrow = bench_pe(&bench, 1, 0).busy;

    run_pairs(41, ARCH_WSE_NARROW, ARCH_WSE_WIDE);
    assert_int_equal(bench_pe(&bench, 1, 0).busy, narrow - 10);
    run_pairs(41, ARCH_WSE_WIDE, ARCH_WSE_WIDE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST_QUICKLY(test_wide_streams_need_half_of_the_slots),
        BENCH_TEST_QUICKLY(test_wide_streams_leave_two_at_a_time),
        BENCH_TEST_QUICKLY(test_wide_streams_may_be_whole),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
