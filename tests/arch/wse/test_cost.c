/* Costs of vector operations on memory: steps, strides, banks that collide. */
#include "arch/wse/program/cost.h"
#include "tests/arch/wse/parts.h"

static const int32_t still[WSE_OPERANDS] = {0};

static Parts parts;

static int open_parts(void **state G_GNUC_UNUSED)
{
    parts_open(&parts);
    return 0;
}

static int close_parts(void **state G_GNUC_UNUSED)
{
    parts_close(&parts);
    return 0;
}

static void
assert_cost(const WseInstruction *instruction, uint32_t steps, uint32_t stalls)
{
    uint32_t remainder = 0;
    const WseCost cost =
        wse_program_cost(parts.program, instruction, still, &remainder);

    assert_int_equal(cost.steps, steps);
    assert_int_equal(cost.stalls, stalls);
}

/* acc += z * 3 with z from `offset` on. */
static const WseInstruction *mac_of(int offset)
{
    const guint acc = parts_aligned(&parts, "acc", 100, 16);
    const guint z = parts_aligned(&parts, "z", 108, 16);
    const guint to = parts_row(&parts, acc, 0, 100, 1);

    return parts_only(&parts, parts_vector("fmacs", to, to,
                                           parts_row(&parts, z, offset, 100, 1),
                                           parts_number(&parts, ARCH_WSE_F32, 3)));
}

static void multiply_add_takes_a_step_an_element(void **state G_GNUC_UNUSED)
{
    const WseInstruction *mac = mac_of(1);

    assert_cost(mac, 100, 0);
    assert_int_equal(mac->cycles, 28);
    assert_int_equal(mac->memory_words_x2, 6);
}

static void sources_of_equal_parity_take_twice_as_long(void **state G_GNUC_UNUSED)
{
    assert_cost(mac_of(2), 100, 100);
}

static void a_variable_moves_the_parity(void **state G_GNUC_UNUSED)
{
    const int32_t offsets[WSE_OPERANDS] = {0, 0, 1, 0};
    const WseInstruction *mac = mac_of(2);
    uint32_t remainder = 0;

    assert_int_equal(wse_program_cost(parts.program, mac, offsets, &remainder).stalls,
                     0);
}

/* to += from, both of 2D rows of `count`. */
static const WseInstruction *add_rows(guint rows, guint count)
{
    const guint acc = parts_aligned(&parts, "acc", count, 16);
    const guint buffer = parts_aligned(&parts, "buffer", rows * count, 16);
    const ArchWseMemoryDsd sum = {acc, 2, {rows, count}, {0, 1}, 0, ARCH_WSE_NONE};
    const guint to = parts_memory(&parts, &sum);

    return parts_only(&parts,
                      parts_vector("fadds", to, to,
                                   parts_row(&parts, buffer, 0, rows * count, 1),
                                   ARCH_WSE_NONE));
}

static void wide_adds_stall_six_tenths_a_step(void **state G_GNUC_UNUSED)
{
    assert_cost(add_rows(20, 100), 1000, 600);
}

static void rows_at_another_place_of_the_period_do_not_stall(void **state G_GNUC_UNUSED)
{
    /* Rows begin at 0, 1000, 2000, ... bytes: every second one at a multiple of 16. */
    assert_cost(add_rows(20, 250), 2500, 750);
}

static void odd_lengths_cost_a_whole_last_step(void **state G_GNUC_UNUSED)
{
    /* Rows at 0, 12, 24, 36, 48: the first and the last, 3 elements in 1.5 steps. */
    assert_cost(add_rows(5, 3), 8, 1);
}

static void what_is_left_of_a_cycle_is_kept(void **state G_GNUC_UNUSED)
{
    const WseInstruction *add = add_rows(5, 3);
    uint32_t remainder = 0;
    uint32_t stalls = 0;

    for (guint i = 0; i < 10; i++) {
        stalls += wse_program_cost(parts.program, add, still, &remainder).stalls;
    }

    assert_int_equal(stalls, 18);
    assert_int_equal(remainder, 0);
}

static const WseInstruction *subtract(int offset)
{
    const guint a = parts_aligned(&parts, "a", 64, 16);
    const guint b = parts_aligned(&parts, "b", 80, 16);
    const guint to = parts_row(&parts, a, 0, 64, 1);

    return parts_only(&parts,
                      parts_vector("fsubs", to, parts_row(&parts, b, offset, 64, 1), to,
                                   ARCH_WSE_NONE));
}

/* Whatever the operation is: its reads of 64 bits collide as those of an addition. */
static void subtractions_stall_as_additions_do(void **state G_GNUC_UNUSED)
{
    assert_cost(subtract(4), 32, 19);
}

static void subtractions_at_another_place_do_not(void **state G_GNUC_UNUSED)
{
    assert_cost(subtract(2), 32, 0);
}

/* a = a + b * c: three reads, two of them in a cycle. */
static void a_third_source_takes_another_cycle(void **state G_GNUC_UNUSED)
{
    const guint a = parts_aligned(&parts, "a", 40, 16);
    const guint b = parts_aligned(&parts, "b", 40, 16);
    const guint c = parts_aligned(&parts, "c", 40, 16);
    const guint to = parts_row(&parts, a, 0, 32, 1);

    assert_cost(
        parts_only(&parts, parts_vector("fmacs", to, to, parts_row(&parts, b, 1, 32, 1),
                                        parts_row(&parts, c, 0, 32, 1))),
        32, 32);
}

static void one_source_never_stalls(void **state G_GNUC_UNUSED)
{
    const guint a = parts_aligned(&parts, "a", 64, 16);
    const guint to = parts_row(&parts, a, 0, 64, 1);
    const WseInstruction *move =
        parts_only(&parts, parts_vector("fmovs", to, to, ARCH_WSE_NONE, ARCH_WSE_NONE));

    assert_cost(move, 32, 0);
    assert_int_equal(move->memory_words_x2, 4);
}

/* A coefficient a row: it is read once and is no stream. */
static void a_number_that_stays_is_no_second_source(void **state G_GNUC_UNUSED)
{
    const guint a = parts_aligned(&parts, "a", 64, 16);
    const guint c = parts_aligned(&parts, "c", 4, 16);
    const guint to = parts_row(&parts, a, 0, 64, 1);
    const ArchWseMemoryDsd rows = {c, 2, {4, 16}, {1, 0}, 0, ARCH_WSE_NONE};
    const WseInstruction *multiply =
        parts_only(&parts, parts_vector("fmuls", to, to, parts_memory(&parts, &rows),
                                        ARCH_WSE_NONE));

    assert_cost(multiply, 64, 0);
    assert_int_equal(multiply->memory_words_x2, 4);
}

static void halves_collide_in_steps_of_four(void **state G_GNUC_UNUSED)
{
    const guint a = parts_array(&parts, "a", ARCH_WSE_F16, 64);
    const guint to = parts_row(&parts, a, 0, 32, 1);
    const WseInstruction *add = parts_only(
        &parts,
        parts_vector("faddh", to, to, parts_row(&parts, a, 32, 32, 1), ARCH_WSE_NONE));

    /* 64 bits a step: 0.6 cycles each. */
    assert_cost(add, 8, 4);
    assert_int_equal(add->memory_words_x2, 3);
}

/* 66 bytes apart: the same 32 bits at another place. */
static void sources_collide_anywhere_in_32_bits(void **state G_GNUC_UNUSED)
{
    const guint a = parts_array(&parts, "a", ARCH_WSE_F16, 80);
    const guint to = parts_row(&parts, a, 0, 32, 1);

    assert_cost(parts_only(&parts, parts_vector("faddh", to, to,
                                                parts_row(&parts, a, 33, 32, 1),
                                                ARCH_WSE_NONE)),
                8, 4);
}

/* acc = acc + c * z with one c: it is not what z is compared with. */
static void the_two_that_move_are_compared(void **state G_GNUC_UNUSED)
{
    const guint acc = parts_aligned(&parts, "acc", 32, 16);
    const guint c = parts_aligned(&parts, "c", 1, 16);
    const guint z = parts_aligned(&parts, "z", 40, 16);
    const guint to = parts_row(&parts, acc, 0, 32, 1);

    assert_cost(
        parts_only(&parts, parts_vector("fmacs", to, to, parts_row(&parts, c, 0, 32, 0),
                                        parts_row(&parts, z, 1, 32, 1))),
        32, 0);
}

static void an_extent_of_one_is_no_row(void **state G_GNUC_UNUSED)
{
    const guint a = parts_aligned(&parts, "a", 32, 16);
    const ArchWseMemoryDsd column = {a, 3, {1, 32, 1}, {5, 1, 0}, 0, ARCH_WSE_NONE};
    const guint to = parts_memory(&parts, &column);
    const WseInstruction *add =
        parts_only(&parts, parts_vector("fadds", to, to, to, ARCH_WSE_NONE));

    assert_int_equal(add->memory_words_x2, 6);
    assert_cost(add, 16, 9);
}

static void
sources_of_two_strides_collide_element_by_element(void **state G_GNUC_UNUSED)
{
    const guint a = parts_aligned(&parts, "a", 16, 16);
    const guint b = parts_aligned(&parts, "b", 32, 16);
    const guint to = parts_row(&parts, a, 0, 16, 1);

    /* The second stays at multiples of 8, the first every other time. */
    assert_cost(
        parts_only(&parts, parts_vector("fmuls", to, to, parts_row(&parts, b, 0, 16, 2),
                                        ARCH_WSE_NONE)),
        16, 8);
}

static void the_sum_of_a_row_takes_two_cycles_an_element(void **state G_GNUC_UNUSED)
{
    const guint sum = parts_aligned(&parts, "sum", 1, 16);
    const guint a = parts_aligned(&parts, "a", 64, 16);
    const guint to = parts_row(&parts, sum, 0, 64, 0);

    assert_cost(
        parts_only(&parts, parts_vector("fadds", to, to, parts_row(&parts, a, 0, 64, 1),
                                        ARCH_WSE_NONE)),
        128, 0);
}

typedef struct {
    int stride;
    uint32_t steps; /* of 32 halves */
} StrideRow;

static const StrideRow stride_rows[] = {
    {0, 8},  {1, 8},  {2, 8},  {3, 8},   {4, 16},  {5, 8},   {6, 8},   {7, 16},
    {8, 32}, {9, 16}, {10, 8}, {12, 16}, {15, 16}, {16, 32}, {17, 16}, {-1, 8},
};

static void strides_narrow_the_step(void **state G_GNUC_UNUSED)
{
    for (gsize i = 0; i < G_N_ELEMENTS(stride_rows); i++) {
        const StrideRow *row = &stride_rows[i];
        const WseInstruction *move = NULL;
        uint32_t remainder = 0;
        guint a = 0;
        guint from = 0;

        arch_wse_program_free(parts.program);
        parts.program = arch_wse_program_new(parts.params, "test");
        a = parts_array(&parts, "a", ARCH_WSE_F16, 1024);
        from = parts_row(&parts, a, 100, 32, row->stride);
        move = parts_only(&parts, parts_vector("fmovh", parts_row(&parts, a, 0, 32, 1),
                                               from, ARCH_WSE_NONE, ARCH_WSE_NONE));
        if (wse_program_cost(parts.program, move, still, &remainder).steps !=
            row->steps) {
            fail_msg("stride %d", row->stride);
        }
    }
}

/* to fabric = a + b */
static const WseInstruction *send_sum(int offset)
{
    const guint a = parts_aligned(&parts, "a", 64, 16);
    const guint b = parts_aligned(&parts, "b", 64, 16);

    return parts_only(&parts,
                      parts_vector("fadds", parts_fabout(&parts, 3, 2, 16),
                                   parts_row(&parts, a, 0, 16, 1),
                                   parts_row(&parts, b, offset, 16, 1), ARCH_WSE_NONE));
}

static void
steps_with_the_fabric_stall_where_sources_collide(void **state G_GNUC_UNUSED)
{
    assert_int_equal(wse_program_step_stall(parts.program, send_sum(2), still), 1);
}

static void parts_of_a_stalled_cycle_are_rounded_up(void **state G_GNUC_UNUSED)
{
    parts_override(&parts, "memory.conflict_factor=1.07");
    assert_int_equal(wse_program_step_stall(parts.program, send_sum(2), still), 1);
    parts_override(&parts, "memory.conflict_factor=2.5");
    assert_int_equal(wse_program_step_stall(parts.program, send_sum(2), still), 2);
    parts_override(&parts, "memory.conflict_factor=3");
    assert_int_equal(wse_program_step_stall(parts.program, send_sum(2), still), 2);
}

static void steps_with_the_fabric_run_where_they_do_not(void **state G_GNUC_UNUSED)
{
    assert_int_equal(wse_program_step_stall(parts.program, send_sum(1), still), 0);
}

static void parts_of_cycles_are_exact_for_any_factor(void **state G_GNUC_UNUSED)
{
    const WseInstruction *mac = NULL;
    uint32_t remainder = 0;
    uint32_t stalls = 0;

    parts_override(&parts, "memory.conflict_factor=1.07");
    mac = mac_of(0);
    for (guint i = 0; i < 100; i++) {
        stalls += wse_program_cost(parts.program, mac, still, &remainder).stalls;
    }

    assert_int_equal(stalls, 700);
}

#define PARTS_TEST(test) cmocka_unit_test_setup_teardown(test, open_parts, close_parts)

int main(void)
{
    const struct CMUnitTest tests[] = {
        PARTS_TEST(multiply_add_takes_a_step_an_element),
        PARTS_TEST(sources_of_equal_parity_take_twice_as_long),
        PARTS_TEST(a_variable_moves_the_parity),
        PARTS_TEST(wide_adds_stall_six_tenths_a_step),
        PARTS_TEST(rows_at_another_place_of_the_period_do_not_stall),
        PARTS_TEST(odd_lengths_cost_a_whole_last_step),
        PARTS_TEST(what_is_left_of_a_cycle_is_kept),
        PARTS_TEST(subtractions_stall_as_additions_do),
        PARTS_TEST(subtractions_at_another_place_do_not),
        PARTS_TEST(a_third_source_takes_another_cycle),
        PARTS_TEST(one_source_never_stalls),
        PARTS_TEST(a_number_that_stays_is_no_second_source),
        PARTS_TEST(halves_collide_in_steps_of_four),
        PARTS_TEST(sources_collide_anywhere_in_32_bits),
        PARTS_TEST(the_two_that_move_are_compared),
        PARTS_TEST(an_extent_of_one_is_no_row),
        PARTS_TEST(sources_of_two_strides_collide_element_by_element),
        PARTS_TEST(the_sum_of_a_row_takes_two_cycles_an_element),
        PARTS_TEST(strides_narrow_the_step),
        PARTS_TEST(steps_with_the_fabric_stall_where_sources_collide),
        PARTS_TEST(parts_of_a_stalled_cycle_are_rounded_up),
        PARTS_TEST(steps_with_the_fabric_run_where_they_do_not),
        PARTS_TEST(parts_of_cycles_are_exact_for_any_factor),
    };

    return cmocka_run_group_tests_name("arch.wse_cost", tests, NULL, NULL);
}
