/* Streams between the host and PEs, and copies by address. */
#include <string.h>

#include "sim/error.h"
#include "tests/arch/wse/bench.h"

enum {
    IN = 2,
    OUT = 3,
    MOST = 64,
};

/* Two PEs: each adds 1 to what it gets from the host, and sends it back. */
static void put_adders(guint count)
{
    const ArchWseColorConfig from_host = {
        .position_count = 1, .positions = {{R, R}}, .host = ARCH_WSE_HOST_SENDS};
    const ArchWseColorConfig to_host = {
        .position_count = 1, .positions = {{R, R}}, .host = ARCH_WSE_HOST_TAKES};
    const ArchWseTiles both = {0, 0, 1, 0, 1, 1};

    bench_lay(&bench, 2, 1);
    bench_begin_go(&bench, "adder");
    parts_emit(
        &bench.parts,
        bench_async(parts_vector("fadds", parts_fabout(&bench.parts, OUT, 3, count),
                                 parts_fabin(&bench.parts, IN, 2, count),
                                 parts_number(&bench.parts, ARCH_WSE_F32, 1),
                                 ARCH_WSE_NONE),
                    ARCH_WSE_NONE));
    bench_end_go(&bench);
    bench_put(&bench, 0, 0, 1, 0);
    wse_rig_set_config(bench.layout, both, IN, &from_host);
    wse_rig_set_config(bench.layout, both, OUT, &to_host);
    bench.options.is_driven = true;
    bench_run(&bench);
}

static ArchWseStream stream_of(guint color, guint count, guint interval)
{
    return (ArchWseStream){.tiles = {0, 0, 1, 0, 1, 1},
                           .color = color,
                           .count = count,
                           .cycles_per_wavelet = {interval, 1}};
}

static bool send(guint count, guint interval, GError **error)
{
    const ArchWseStream stream = stream_of(IN, count, interval);
    float words[2 * MOST] = {0};
    uint32_t bits[2 * MOST];

    for (guint i = 0; i < 2 * count; i++) {
        words[i] = (float) i;
    }
    memcpy(bits, words, sizeof bits);
    assert_true(arch_wse_send(bench.wse, &stream, bits, NULL));
    return sim_engine_run(bench.engine, SIM_TIME_NEVER, error);
}

static void assert_taken(guint count)
{
    const ArchWseStream stream = stream_of(OUT, count, 1);
    float words[2 * MOST] = {0};
    uint32_t bits[2 * MOST];

    assert_true(arch_wse_expect(bench.wse, &stream, NULL));
    assert_true(sim_engine_run(bench.engine, SIM_TIME_NEVER, NULL));
    assert_true(arch_wse_take(bench.wse, &stream, bits, NULL));
    memcpy(words, bits, sizeof words);
    for (guint i = 0; i < 2 * count; i++) {
        assert_float_equal(words[i], (float) i + 1, 0);
    }
}

static void test_words_go_through_a_pe_and_back(void **state G_GNUC_UNUSED)
{
    g_autoptr(GError) error = NULL;

    put_adders(12);
    assert_true(send(12, 1, &error));
    assert_taken(12);
}

/* The host's side gives a word every 100 cycles: the last of 2 * 12 after 2300. */
static void test_the_host_sets_the_pace(void **state G_GNUC_UNUSED)
{
    SimTime before = 0;

    put_adders(12);
    before = sim_engine_now(bench.engine);
    assert_true(send(12, 100, NULL));
    assert_in_range(sim_engine_now(bench.engine) - before, 2300, 2320);
    assert_taken(12);
}

/* Queues and buffers hold so much; then the host cannot send. */
static void test_queues_hold_the_host_back(void **state G_GNUC_UNUSED)
{
    const ArchWseStream stream = stream_of(OUT, 40, 1);
    g_autoptr(GError) error = NULL;
    uint32_t bits[2 * MOST];

    put_adders(40);
    assert_false(send(40, 1, &error));
    assert_true(g_error_matches(error, SIM_ERROR, SIM_ERROR_DEADLOCK));
    assert_non_null(strstr(error->message, "wavelets of color 2 between host and PE"));
    assert_non_null(strstr(error->message, "input queue 2 (color 2) has"));
    g_clear_error(&error);
    assert_false(arch_wse_take(bench.wse, &stream, bits, &error));
    assert_string_equal(error->message, "pe[0,0]: 0 of 40 wavelets of color 3");
}

/* The vendor's pipeline: what comes through input queue 2 goes out by output queue 3,
 * and the host takes it only after all of it is in. Its text says that 14 words fit. */
static void test_fourteen_words_fit_between_the_streams(void **state G_GNUC_UNUSED)
{
    g_autoptr(GError) error = NULL;

    put_adders(14);
    assert_true(send(14, 1, &error));
    assert_taken(14);
    bench_lay(&bench, 2, 1);
    put_adders(15);
    assert_false(send(15, 1, &error));
    assert_true(g_error_matches(error, SIM_ERROR, SIM_ERROR_DEADLOCK));
    assert_non_null(
        strstr(error->message, "1 wavelets of color 2 between host and PE"));
    assert_non_null(strstr(error->message, "input queue 2 (color 2) has 6 of 6"));
    assert_non_null(strstr(error->message, "output queue 3 has 6 of 6"));
}

static void test_wrong_streams_are_refused(void **state G_GNUC_UNUSED)
{
    const ArchWseStream stream = stream_of(OUT, 2, 1);
    const uint32_t words[4] = {0};
    g_autoptr(GError) error = NULL;

    put_adders(12);
    assert_false(arch_wse_send(bench.wse, &stream, words, &error));
    assert_string_equal(error->message,
                        "pe[0,0]: color 3 is not one that the host sends");
}

static void test_bytes_are_copied_by_address(void **state G_GNUC_UNUSED)
{
    const uint16_t given[2] = {0x1234, 0x5678};
    const ArchWsePart part = {.tiles = {0, 0, 0, 0, 1, 1}, .first = 2, .count = 4};
    const ArchWsePart whole = {
        .tiles = {0, 0, 0, 0, 1, 1}, .name = "x", .first = 0, .count = 2};
    uint32_t words[2] = {0};

    bench_begin_go(&bench, "bytes");
    (void) parts_array(&bench.parts, "x", ARCH_WSE_U32, 2);
    bench_end_go(&bench);
    bench_put(&bench, 0, 0, 0, 0);
    bench_run(&bench);
    assert_true(arch_wse_write(bench.wse, &part, given, sizeof given, NULL));
    assert_true(arch_wse_read(bench.wse, &whole, words, sizeof words, NULL));
    assert_int_equal(words[0], 0x12340000);
    assert_int_equal(words[1], 0x5678);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST(test_words_go_through_a_pe_and_back),
        BENCH_TEST(test_the_host_sets_the_pace),
        BENCH_TEST(test_queues_hold_the_host_back),
        BENCH_TEST(test_fourteen_words_fit_between_the_streams),
        BENCH_TEST(test_wrong_streams_are_refused),
        BENCH_TEST(test_bytes_are_copied_by_address),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
