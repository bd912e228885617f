/* Execution: what operations do to numbers, and where operands lie. */
#include <string.h>

#include "tests/arch/wse/parts.h"

static const int32_t still[WSE_OPERANDS] = {0};

static Parts parts;
static uint8_t memory[4096 + 1];
/* At an odd address: nothing may rely on alignment. */
static uint8_t *const bytes = memory + 1;

static int open_parts(void **state G_GNUC_UNUSED)
{
    parts_open(&parts);
    memset(memory, 0, sizeof memory);
    return 0;
}

static int close_parts(void **state G_GNUC_UNUSED)
{
    parts_close(&parts);
    return 0;
}

static void put(guint index, float value)
{
    memcpy(bytes + (gsize) index * 4, &value, 4);
}

static float get(guint index)
{
    float value = 0;

    memcpy(&value, bytes + (gsize) index * 4, 4);
    return value;
}

static bool execute(const WseInstruction *instruction, uint32_t first, uint32_t count)
{
    const WseStreams streams = {0};

    return wse_program_execute(parts.program, instruction, still, first, count, bytes,
                               &streams);
}

static bool
run_streams(const WseInstruction *instruction, uint32_t count, WseStreams streams)
{
    return wse_program_execute(parts.program, instruction, still, 0, count, bytes,
                               &streams);
}

/* to = a * (one number a row), 3 rows of 200. */
static const WseInstruction *scale_rows(void)
{
    const guint to = parts_array(&parts, "to", ARCH_WSE_F32, 600);
    const guint a = parts_array(&parts, "a", ARCH_WSE_F32, 200);
    const guint c = parts_array(&parts, "c", ARCH_WSE_F32, 3);
    const ArchWseMemoryDsd same = {a, 2, {3, 200}, {0, 1}, 0, ARCH_WSE_NONE};
    const ArchWseMemoryDsd factors = {c, 2, {3, 200}, {1, 0}, 0, ARCH_WSE_NONE};

    for (guint i = 0; i < 200; i++) {
        put(600 + i, (float) i);
    }
    for (guint i = 0; i < 3; i++) {
        put(800 + i, (float) (i + 2));
    }
    return parts_only(&parts,
                      parts_vector("fmuls", parts_row(&parts, to, 0, 600, 1),
                                   parts_memory(&parts, &same),
                                   parts_memory(&parts, &factors), ARCH_WSE_NONE));
}

/* What is in number `i` after it. */
static float scaled(guint i)
{
    const guint row = i / 200;

    return (float) ((i % 200) * (row + 2));
}

static void rows_of_several_shapes_go_together(void **state G_GNUC_UNUSED)
{
    assert_true(execute(scale_rows(), 0, 600));

    for (guint i = 0; i < 600; i++) {
        assert_true(get(i) == scaled(i));
    }
}

static void parts_of_an_operation_make_the_whole(void **state G_GNUC_UNUSED)
{
    const WseInstruction *scale = scale_rows();

    for (uint32_t i = 0; i < 600; i += i % 3 + 1) {
        assert_true(execute(scale, i, MIN(i % 3 + 1, 600 - i)));
    }

    for (guint i = 0; i < 600; i++) {
        assert_true(get(i) == scaled(i));
    }
}

static void four_extents_and_strides_find_their_elements(void **state G_GNUC_UNUSED)
{
    const guint to = parts_array(&parts, "to", ARCH_WSE_F32, 24);
    const guint a = parts_array(&parts, "a", ARCH_WSE_F32, 400);
    const ArchWseMemoryDsd from = {
        a, 4, {2, 3, 2, 2}, {100, -10, 7, 3}, 50, ARCH_WSE_NONE};
    const WseInstruction *move =
        parts_only(&parts, parts_vector("fmovs", parts_row(&parts, to, 0, 24, 1),
                                        parts_memory(&parts, &from), ARCH_WSE_NONE,
                                        ARCH_WSE_NONE));

    for (guint i = 0; i < 400; i++) {
        put(24 + i, (float) i);
    }
    assert_true(execute(move, 0, 5));
    assert_true(execute(move, 5, 19));

    for (guint i = 0; i < 24; i++) {
        const int number = 50 + 100 * (int) (i / 12) - 10 * (int) (i / 4 % 3) +
                           7 * (int) (i / 2 % 2) + 3 * (int) (i % 2);

        assert_true(get(i) == (float) number);
    }
}

static void a_number_longer_than_a_chunk_stays_the_same(void **state G_GNUC_UNUSED)
{
    const guint to = parts_array(&parts, "to", ARCH_WSE_F32, 1000);
    const guint row = parts_row(&parts, to, 0, 1000, 1);
    const WseInstruction *mac =
        parts_only(&parts, parts_vector("fmacs", row, row, row,
                                        parts_number(&parts, ARCH_WSE_F32, 2)));

    for (guint i = 0; i < 1000; i++) {
        put(i, (float) i);
    }
    assert_true(execute(mac, 0, 1000));

    for (guint i = 0; i < 1000; i++) {
        assert_true(get(i) == (float) (3 * i));
    }
}

static void sums_go_into_one_number(void **state G_GNUC_UNUSED)
{
    const guint sum = parts_array(&parts, "sum", ARCH_WSE_F32, 1);
    const guint a = parts_array(&parts, "a", ARCH_WSE_F32, 10);
    const guint to = parts_row(&parts, sum, 0, 10, 0);
    const WseInstruction *add =
        parts_only(&parts, parts_vector("fadds", to, to, parts_row(&parts, a, 0, 10, 1),
                                        ARCH_WSE_NONE));

    for (guint i = 0; i < 10; i++) {
        put(1 + i, (float) (1U << i));
    }
    assert_true(execute(add, 0, 10));

    assert_true(get(0) == 1023);
}

/* a[i + 1] = a[i] + 1, one after the other. */
static void results_are_seen_by_later_elements(void **state G_GNUC_UNUSED)
{
    const guint a = parts_array(&parts, "a", ARCH_WSE_F32, 100);
    const WseInstruction *add = parts_only(
        &parts, parts_vector("fadds", parts_row(&parts, a, 1, 99, 1),
                             parts_row(&parts, a, 0, 99, 1),
                             parts_number(&parts, ARCH_WSE_F32, 1), ARCH_WSE_NONE));

    put(0, 5);
    assert_true(execute(add, 0, 99));

    for (guint i = 0; i < 100; i++) {
        assert_true(get(i) == (float) (5 + i));
    }
}

/* a[i] *= a[50]: from there on it is another factor. */
static void a_factor_that_is_overwritten_changes(void **state G_GNUC_UNUSED)
{
    const guint a = parts_array(&parts, "a", ARCH_WSE_F32, 100);
    const guint row = parts_row(&parts, a, 0, 100, 1);
    const WseInstruction *multiply = parts_only(
        &parts, parts_vector("fmuls", row, row, parts_row(&parts, a, 50, 100, 0),
                             ARCH_WSE_NONE));

    for (guint i = 0; i < 100; i++) {
        put(i, 3);
    }
    assert_true(execute(multiply, 0, 100));

    assert_true(get(50) == 9);
    assert_true(get(51) == 27);
}

static void so_does_the_first(void **state G_GNUC_UNUSED)
{
    const guint a = parts_array(&parts, "a", ARCH_WSE_F32, 100);
    const guint row = parts_row(&parts, a, 0, 100, 1);
    const WseInstruction *multiply = parts_only(
        &parts, parts_vector("fmuls", row, row, parts_row(&parts, a, 0, 100, 0),
                             ARCH_WSE_NONE));

    for (guint i = 0; i < 100; i++) {
        put(i, 3);
    }
    assert_true(execute(multiply, 0, 100));

    assert_true(get(0) == 9);
    assert_true(get(1) == 27 && get(99) == 27);
}

static void wavelets_come_in_and_go_out(void **state G_GNUC_UNUSED)
{
    const guint a = parts_array(&parts, "a", ARCH_WSE_F32, 40);
    const WseInstruction *add =
        parts_only(&parts, parts_vector("fmacs", parts_fabout(&parts, 1, 2, 40),
                                        parts_fabin(&parts, 3, 4, 40),
                                        parts_fabin(&parts, 5, 6, 40),
                                        parts_row(&parts, a, 0, 40, 1)));
    float in[2][40];
    float out[40];
    uint32_t words[3][40];

    for (guint i = 0; i < 40; i++) {
        in[0][i] = (float) i;
        in[1][i] = 2;
        put(i, (float) (100 * i));
    }
    memcpy(words, in, sizeof in);
    assert_true(run_streams(
        add, 40, (WseStreams){.in = words[0], .in2 = words[1], .out = words[2]}));
    memcpy(out, words[2], sizeof out);

    for (guint i = 0; i < 40; i++) {
        assert_true(out[i] == (float) (201 * i));
    }
}

static const WseInstruction *copy_halves(guint per_wavelet)
{
    const ArchWseFabinDsd from = {3, 4, 3, per_wavelet, ARCH_WSE_NARROW};
    const ArchWseFaboutDsd to = {1,     2,      3, per_wavelet,    false,
                                 false, 0xabcd, 0, ARCH_WSE_NARROW};
    guint in = 0;
    guint out = 0;

    assert_true(arch_wse_program_fabin_dsd(parts.program, &from, &in, NULL));
    assert_true(arch_wse_program_fabout_dsd(parts.program, &to, &out, NULL));
    return parts_only(&parts,
                      parts_vector("mov16", out, in, ARCH_WSE_NONE, ARCH_WSE_NONE));
}

static void a_16_bit_number_goes_with_its_index(void **state G_GNUC_UNUSED)
{
    const uint32_t in[] = {0x11110001, 0x22220002, 0x33330003};
    uint32_t out[] = {1, 1, 1, 0x55};

    assert_true(run_streams(copy_halves(1), 3, (WseStreams){.in = in, .out = out}));

    assert_int_equal(out[0], 0xabcd0001);
    assert_int_equal(out[2], 0xabcd0003);
    assert_int_equal(out[3], 0x55);
}

static void two_16_bit_numbers_share_a_wavelet(void **state G_GNUC_UNUSED)
{
    const uint32_t in[] = {0x00020001, 0xffff0003};
    uint32_t out[] = {1, 0x77777777, 0x55};

    assert_true(run_streams(copy_halves(2), 3, (WseStreams){.in = in, .out = out}));

    assert_int_equal(out[0], 0x00020001);
    assert_int_equal(out[1], 0x00000003);
    assert_int_equal(out[2], 0x55);
}

static void fifos_go_round(void **state G_GNUC_UNUSED)
{
    const guint ring = parts_array(&parts, "ring", ARCH_WSE_F32, 8);
    const guint a = parts_array(&parts, "a", ARCH_WSE_F32, 6);
    const guint row = parts_row(&parts, a, 0, 6, 1);
    const guint back = parts_array(&parts, "back", ARCH_WSE_F32, 6);
    const guint to = parts_row(&parts, back, 0, 6, 1);
    guint fifo = 0;

    assert_true(arch_wse_program_fifo(parts.program, ring, &fifo, NULL));
    parts_begin(&parts, 0);
    parts_emit(&parts, parts_vector("fmovs", fifo, row, ARCH_WSE_NONE, ARCH_WSE_NONE));
    parts_emit(&parts, parts_vector("fmovs", to, fifo, ARCH_WSE_NONE, ARCH_WSE_NONE));
    parts_end(&parts);
    parts_finish(&parts);
    for (guint i = 0; i < 6; i++) {
        put(8 + i, (float) (i + 1));
    }
    assert_true(
        run_streams(parts_instruction(&parts, 0), 6, (WseStreams){.fifo_at = 21}));
    assert_true(
        run_streams(parts_instruction(&parts, 1), 6, (WseStreams){.fifo_at = 21}));

    assert_true(get(5) == 1 && get(7) == 3 && get(0) == 4 && get(2) == 6);
    assert_true(get(3) == 0 && get(4) == 0);
    assert_true(get(14) == 1 && get(19) == 6);
}

static const WseInstruction *shifted(const char *name, bool is_strided)
{
    const guint variable = parts_variable(&parts, "shift", 0);
    const guint a = parts_array(&parts, "a", ARCH_WSE_F32, 20);
    const ArchWseMemoryDsd config = {a, 1, {10}, {is_strided ? 2 : 1}, 0, variable};

    return parts_only(&parts, parts_vector(name, parts_memory(&parts, &config),
                                           parts_number(&parts, ARCH_WSE_F32, 7),
                                           ARCH_WSE_NONE, ARCH_WSE_NONE));
}

static bool shift(const WseInstruction *instruction, int32_t by)
{
    const int32_t offsets[WSE_OPERANDS] = {by, 0, 0, 0};
    const WseStreams streams = {0};

    return wse_program_execute(parts.program, instruction, offsets, 0, 10, bytes,
                               &streams);
}

static void variables_move_operands_to_the_last_byte(void **state G_GNUC_UNUSED)
{
    const WseInstruction *fill = shifted("fmovs", false);

    assert_true(shift(fill, 10));

    assert_true(get(9) == 0 && get(10) == 7 && get(19) == 7);
}

static void addresses_outside_the_memory_are_refused(void **state G_GNUC_UNUSED)
{
    const WseInstruction *fill = shifted("fmovs", false);
    const float canary = 3;

    memcpy(bytes + 80, &canary, 4);
    assert_false(shift(fill, 11));
    assert_false(shift(fill, -1));
    assert_false(shift(fill, INT32_MAX));
    assert_false(shift(fill, INT32_MIN));

    assert_true(get(20) == 3);
    assert_int_equal(memory[0], 0);
}

/* 80 bytes of singles, then 2 of a half: a single does not fit there. */
static void the_last_byte_of_a_number_counts(void **state G_GNUC_UNUSED)
{
    const guint variable = parts_variable(&parts, "shift", 0);
    const guint a = parts_array(&parts, "a", ARCH_WSE_F32, 20);
    const ArchWseMemoryDsd config = {a, 1, {10}, {1}, 0, variable};

    (void) parts_array(&parts, "half", ARCH_WSE_F16, 1);
    assert_false(
        shift(parts_only(&parts, parts_vector("fmovs", parts_memory(&parts, &config),
                                              parts_number(&parts, ARCH_WSE_F32, 7),
                                              ARCH_WSE_NONE, ARCH_WSE_NONE)),
              11));
}

static void the_end_of_a_stride_counts(void **state G_GNUC_UNUSED)
{
    const WseInstruction *fill = shifted("fmovs", true);

    assert_true(shift(fill, 1));
    assert_false(shift(fill, 2));
    assert_true(get(18) == 0 && get(19) == 7);
}

static void scalars_compute_and_compare(void **state G_GNUC_UNUSED)
{
    static const struct {
        const char *name;
        bool is_unary;
        float result;
    } rows[] = {
        {"add", false, 11}, {"sub", false, 7}, {"mul", false, 18}, {"div", false, 4.5F},
        {"max", false, 9},  {"neg", true, -9}, {"sqrt", true, 3},  {"mov", true, 9},
    };
    const guint a = parts_array(&parts, "a", ARCH_WSE_F32, 1);
    const guint b = parts_array(&parts, "b", ARCH_WSE_F32, 1);
    const guint c = parts_array(&parts, "c", ARCH_WSE_F32, 1);

    put(0, 9);
    put(1, 2);
    parts_begin(&parts, 0);
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        assert_true(arch_wse_program_scalar(parts.program, rows[i].name, c, a,
                                            rows[i].is_unary ? ARCH_WSE_NONE : b,
                                            NULL));
        wse_scalar_execute(parts_instruction(&parts, i), bytes);
        if (get(2) != rows[i].result) {
            fail_msg("%s", rows[i].name);
        }
    }
    assert_true(
        arch_wse_program_begin_if_scalar(parts.program, a, ARCH_WSE_GREATER, b, NULL));
    assert_true(wse_scalar_holds(parts_instruction(&parts, 8), bytes));
    put(1, 9);
    assert_false(wse_scalar_holds(parts_instruction(&parts, 8), bytes));
}

static void relations_hold_as_they_say(void **state G_GNUC_UNUSED)
{
    /* Bits: for 1 and 2, 2 and 2, 3 and 2. */
    static const guint expected[] = {
        [ARCH_WSE_EQUAL] = 2,   [ARCH_WSE_NOT_EQUAL] = 5,
        [ARCH_WSE_LESS] = 1,    [ARCH_WSE_LESS_EQUAL] = 3,
        [ARCH_WSE_GREATER] = 4, [ARCH_WSE_GREATER_EQUAL] = 6};

    for (guint i = 0; i < G_N_ELEMENTS(expected); i++) {
        guint bits = 0;

        for (int left = 1; left <= 3; left++) {
            bits |= (guint) wse_relation_holds((ArchWseRelation) i, left, 2)
                    << (left - 1);
        }
        assert_int_equal(bits, expected[i]);
    }
}

#define PARTS_TEST(test) cmocka_unit_test_setup_teardown(test, open_parts, close_parts)

int main(void)
{
    const struct CMUnitTest tests[] = {
        PARTS_TEST(rows_of_several_shapes_go_together),
        PARTS_TEST(parts_of_an_operation_make_the_whole),
        PARTS_TEST(four_extents_and_strides_find_their_elements),
        PARTS_TEST(a_number_longer_than_a_chunk_stays_the_same),
        PARTS_TEST(sums_go_into_one_number),
        PARTS_TEST(results_are_seen_by_later_elements),
        PARTS_TEST(a_factor_that_is_overwritten_changes),
        PARTS_TEST(so_does_the_first),
        PARTS_TEST(wavelets_come_in_and_go_out),
        PARTS_TEST(a_16_bit_number_goes_with_its_index),
        PARTS_TEST(two_16_bit_numbers_share_a_wavelet),
        PARTS_TEST(fifos_go_round),
        PARTS_TEST(variables_move_operands_to_the_last_byte),
        PARTS_TEST(addresses_outside_the_memory_are_refused),
        PARTS_TEST(the_last_byte_of_a_number_counts),
        PARTS_TEST(the_end_of_a_stride_counts),
        PARTS_TEST(scalars_compute_and_compare),
        cmocka_unit_test(relations_hold_as_they_say),
    };

    return cmocka_run_group_tests_name("arch.wse_execute", tests, NULL, NULL);
}
