/* Code of PEs' tasks: jumps, scalars, vector operations, and what is refused. */
#include <string.h>

#include "arch/error.h"
#include "tests/arch/wse/parts.h"
#include "tests/sim/support.h"

static Parts parts;
static GError *refusal;

static int open_parts(void **state G_GNUC_UNUSED)
{
    parts_open(&parts);
    refusal = NULL;
    return 0;
}

static int close_parts(void **state G_GNUC_UNUSED)
{
    g_clear_error(&refusal);
    parts_close(&parts);
    return 0;
}

/* The last call failed with these words. */
static void assert_refused(const char *message)
{
    assert_error(refusal, ARCH_ERROR, ARCH_ERROR_INVALID);
    assert_string_equal(refusal->message, message);
    g_clear_error(&refusal);
}

static ArchWseOperand constant(int32_t value)
{
    return (ArchWseOperand){.value = value};
}

/* One that is taken takes 3 cycles more, unless it always is. */
static void assert_jump(guint index, WseCode code, guint target, guint cycles)
{
    const WseInstruction *jump = parts_instruction(&parts, index);

    assert_int_equal(jump->code, code);
    assert_int_equal(jump->target, target);
    assert_int_equal(jump->cycles, cycles);
    assert_int_equal(jump->cycles_taken, cycles + (code == WSE_JUMP ? 0 : 3));
}

static void branches_become_jumps(void **state G_GNUC_UNUSED)
{
    const guint i = parts_variable(&parts, "i", 0);

    parts_begin(&parts, 0);
    assert_true(arch_wse_program_begin_while(parts.program, i, ARCH_WSE_LESS,
                                             constant(5), NULL)); /* 0 */
    assert_true(arch_wse_program_begin_if(parts.program, i, ARCH_WSE_EQUAL, constant(2),
                                          NULL));                           /* 1 */
    assert_true(arch_wse_program_add(parts.program, i, constant(2), NULL)); /* 2 */
    assert_true(arch_wse_program_begin_else(parts.program, NULL));          /* 3 */
    assert_true(arch_wse_program_add(parts.program, i, constant(1), NULL)); /* 4 */
    assert_true(arch_wse_program_end_if(parts.program, NULL));
    assert_true(arch_wse_program_end_while(parts.program, NULL)); /* 5 */
    assert_true(arch_wse_program_begin_if(parts.program, i, ARCH_WSE_GREATER,
                                          (ArchWseOperand){true, 0}, NULL)); /* 6 */
    assert_true(arch_wse_program_iteration(parts.program, NULL));            /* 7 */
    assert_true(arch_wse_program_end_if(parts.program, NULL));
    parts_end(&parts); /* 8 */

    assert_jump(0, WSE_JUMP_UNLESS, 6, 5);
    assert_jump(1, WSE_JUMP_UNLESS, 4, 5);
    assert_jump(3, WSE_JUMP, 5, 6);
    assert_jump(5, WSE_JUMP, 0, 6);
    assert_jump(6, WSE_JUMP_UNLESS, 8, 7);
    assert_int_equal(parts_instruction(&parts, 0)->relation, ARCH_WSE_LESS);
    assert_int_equal(parts_instruction(&parts, 0)->value, 5);
    assert_true(parts_instruction(&parts, 6)->is_variable);
    assert_int_equal(parts_instruction(&parts, 2)->cycles, 4);
    assert_int_equal(parts_instruction(&parts, 7)->cycles, 0);
    assert_int_equal(parts_instruction(&parts, 8)->code, WSE_END);
}

/* It stays in registers and memory from an instruction to the next operation. */
static void private_code_is_found(void **state G_GNUC_UNUSED)
{
    static const bool expected[] = {true, true, true, true, false, false, true};
    const guint i = parts_variable(&parts, "i", 0);
    const guint row =
        parts_row(&parts, parts_array(&parts, "a", ARCH_WSE_F32, 4), 0, 4, 1);
    const guint out = parts_fabout(&parts, 4, 0, 4);

    parts_begin(&parts, 0);
    assert_true(arch_wse_program_begin_while(parts.program, i, ARCH_WSE_LESS,
                                             constant(5), NULL)); /* 0 */
    assert_true(arch_wse_program_add(parts.program, i, constant(1), NULL));
    assert_true(arch_wse_program_end_while(parts.program, NULL)); /* 2 */
    parts_emit(&parts, parts_vector("fmovs", row, row, ARCH_WSE_NONE, ARCH_WSE_NONE));
    assert_true(arch_wse_program_iteration(parts.program, NULL)); /* 4 */
    parts_emit(&parts, parts_vector("fmovs", out, row, ARCH_WSE_NONE, ARCH_WSE_NONE));
    parts_end(&parts);
    parts_finish(&parts);
    for (guint at = 0; at < G_N_ELEMENTS(expected); at++) {
        assert_int_equal(parts_instruction(&parts, at)->is_private, expected[at]);
    }
}

/* What a loop may come back to counts, too, and so do offsets: they may lead outside.
 */
static void loops_and_offsets_are_not_private(void **state G_GNUC_UNUSED)
{
    const guint i = parts_variable(&parts, "i", 0);
    const guint array = parts_array(&parts, "a", ARCH_WSE_F32, 4);
    const guint row = parts_row(&parts, array, 0, 4, 1);
    const guint moved = parts_memory(
        &parts,
        &(ArchWseMemoryDsd){
            .array = array, .rank = 1, .extents = {4}, .strides = {1}, .variable = i});

    parts_begin(&parts, 0);
    assert_true(arch_wse_program_begin_while(parts.program, i, ARCH_WSE_LESS,
                                             constant(5), NULL)); /* 0 */
    assert_true(arch_wse_program_begin_if(parts.program, i, ARCH_WSE_EQUAL, constant(2),
                                          NULL)); /* 1 */
    parts_emit(&parts, parts_vector("fmovs", moved, row, ARCH_WSE_NONE, ARCH_WSE_NONE));
    assert_true(arch_wse_program_end_if(parts.program, NULL));
    assert_true(arch_wse_program_end_while(parts.program, NULL)); /* 3 */
    parts_end(&parts);                                            /* 4 */
    parts_finish(&parts);
    for (guint at = 0; at < 4; at++) {
        assert_false(parts_instruction(&parts, at)->is_private);
    }
    assert_true(parts_instruction(&parts, 4)->is_private);
}

static void blocks_close_in_order(void **state G_GNUC_UNUSED)
{
    const guint i = parts_variable(&parts, "i", 0);

    parts_begin(&parts, 0);
    assert_true(arch_wse_program_begin_while(parts.program, i, ARCH_WSE_LESS,
                                             constant(5), NULL));
    assert_false(arch_wse_program_begin_else(parts.program, &refusal));
    assert_refused(
        "program test: task 0 (work): an else, it does not belong to what is "
        "open");
    assert_false(arch_wse_program_end_if(parts.program, &refusal));
    assert_refused("program test: task 0 (work): the end of an if, it does not belong "
                   "to what is open");
    assert_false(arch_wse_program_end_task(parts.program, &refusal));
    assert_refused("program test: task 0 (work): ends inside an if or while");
    assert_true(arch_wse_program_end_while(parts.program, NULL));
    assert_false(arch_wse_program_end_while(parts.program, &refusal));
    g_clear_error(&refusal);
    assert_false(arch_wse_program_begin_if(parts.program, 4, ARCH_WSE_LESS, constant(5),
                                           &refusal));
    assert_refused("program test: task 0 (work): variable number 4, there are 1");
}

static void a_task_ends_once(void **state G_GNUC_UNUSED)
{
    parts_begin(&parts, 0);
    assert_true(arch_wse_program_end_task(parts.program, NULL));
    assert_false(arch_wse_program_end_task(parts.program, &refusal));
    assert_refused("program test: code outside of a task, allowed is between its begin "
                   "and end");
}

static void scalars_cost_what_the_chip_says(void **state G_GNUC_UNUSED)
{
    const guint a = parts_array(&parts, "a", ARCH_WSE_F32, 2);
    const guint b = parts_array(&parts, "b", ARCH_WSE_F32, 1);
    const guint h = parts_array(&parts, "h", ARCH_WSE_F16, 1);
    const WseInstruction *add = NULL;

    parts_begin(&parts, 0);
    assert_true(arch_wse_program_scalar(parts.program, "add", b, b, a, NULL));
    assert_true(arch_wse_program_scalar(parts.program, "div", b, b, a, NULL));
    assert_true(
        arch_wse_program_scalar(parts.program, "sqrt", b, a, ARCH_WSE_NONE, NULL));
    add = parts_instruction(&parts, 0);
    assert_int_equal(add->destination, 8);
    assert_int_equal(add->sources[0], 8);
    assert_int_equal(add->sources[1], 0);
    assert_int_equal(add->cycles, 7);
    assert_int_equal(parts_instruction(&parts, 1)->cycles, 55);
    assert_int_equal(parts_instruction(&parts, 2)->cycles, 54);

    assert_false(arch_wse_program_scalar(parts.program, "sqrt", b, a, a, &refusal));
    assert_refused("program test: task 0 (work): scalar sqrt has 1 sources");
    assert_false(arch_wse_program_scalar(parts.program, "pow", b, a, a, &refusal));
    assert_refused("program test: task 0 (work): scalar pow, there are add, sub, mul, "
                   "div, max, neg, sqrt, mov");
    assert_false(arch_wse_program_scalar(parts.program, "add", b, a, h, &refusal));
    assert_refused(
        "program test: task 0 (work): array h is of f16, scalars are of f32");
    assert_false(parts.program->needs_data);
    assert_true(
        arch_wse_program_begin_if_scalar(parts.program, a, ARCH_WSE_LESS, b, NULL));
    assert_true(parts.program->needs_data);
}

static void routes_have_colors_and_directions(void **state G_GNUC_UNUSED)
{
    parts_begin(&parts, 0);
    assert_true(arch_wse_program_route(parts.program, 3, 1, 4, NULL));
    assert_true(arch_wse_program_teardown_exit(parts.program, 3, NULL));
    assert_int_equal(parts_instruction(&parts, 0)->rx, 1);
    assert_int_equal(parts_instruction(&parts, 0)->tx, 4);
    assert_int_equal(parts_instruction(&parts, 1)->color, 3);

    assert_false(arch_wse_program_route(parts.program, 3, 5, 0, &refusal));
    assert_refused(
        "program test: task 0 (work): route from 5 to 0, directions are 0..4");
    assert_false(arch_wse_program_teardown_exit(parts.program, 24, &refusal));
    assert_refused("program test: task 0 (work): color = 24, wse2 has 0..23");
}

static void operands_choose_queues_and_microthread(void **state G_GNUC_UNUSED)
{
    const guint a = parts_array(&parts, "a", ARCH_WSE_F32, 8);
    const guint row = parts_row(&parts, a, 0, 8, 1);
    ArchWseVector both = parts_vector("fadds", parts_fabout(&parts, 1, 2, 8),
                                      parts_fabin(&parts, 3, 4, 8),
                                      parts_fabin(&parts, 5, 6, 8), ARCH_WSE_NONE);
    ArchWseVector receive =
        parts_vector("fmuls", row, parts_fabin(&parts, 5, 6, 8), row, ARCH_WSE_NONE);
    const WseInstruction *instruction = NULL;

    both.is_async = true;
    both.activated = 0;
    receive.is_async = true;
    receive.priority = ARCH_WSE_PRIORITY_HIGH;
    parts_begin(&parts, 0);
    parts_emit(&parts, both);
    parts_emit(&parts, receive);
    parts_end(&parts);
    parts_finish(&parts);

    instruction = parts_instruction(&parts, 0);
    assert_true(instruction->is_async && instruction->has_fabric);
    assert_int_equal(instruction->thread, 2);
    assert_int_equal(instruction->output, 2);
    assert_int_equal(instruction->input, 4);
    assert_int_equal(instruction->input2, 6);
    assert_int_equal(instruction->activated, 0);
    assert_int_equal(instruction->unblocked, 0xff);
    assert_int_equal(instruction->memory_words_x2, 0);
    instruction = parts_instruction(&parts, 1);
    assert_int_equal(instruction->thread, 6);
    assert_int_equal(instruction->output, 0xff);
    assert_int_equal(instruction->input2, 0xff);
    assert_int_equal(instruction->priority, ARCH_WSE_PRIORITY_HIGH);
    assert_int_equal(instruction->memory_words_x2, 4);
    assert_int_equal(instruction->length, 8);
}

static void fifos_alone_run_in_the_last_microthread(void **state G_GNUC_UNUSED)
{
    const guint a = parts_array(&parts, "a", ARCH_WSE_F32, 8);
    const guint ring = parts_array(&parts, "ring", ARCH_WSE_F32, 4);
    ArchWseVector push;
    guint fifo = 0;

    assert_true(arch_wse_program_fifo(parts.program, ring, &fifo, NULL));
    push = parts_vector("fmovs", fifo, parts_row(&parts, a, 0, 8, 1), ARCH_WSE_NONE,
                        ARCH_WSE_NONE);
    push.is_async = true;

    assert_int_equal(parts_only(&parts, push)->thread, 7);
    assert_int_equal(parts_instruction(&parts, 0)->length, 8);
    assert_int_equal(parts.program->fifo_count, 1);
}

/* Receives on queues 4 and 5 in one phase, on 4 in another, and one outside. */
static void operations_are_alone_by_phase(void **state G_GNUC_UNUSED)
{
    static const struct {
        const char *phase;
        guint queue;
        bool is_alone;
    } rows[] = {
        {"", 4, true},    {"halo", 4, false}, {"halo", 5, false},
        {"sum", 5, true}, {"sum", 5, true},
    };
    const guint a = parts_array(&parts, "a", ARCH_WSE_F32, 8);
    const guint row = parts_row(&parts, a, 0, 8, 1);

    parts_begin(&parts, 0);
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        ArchWseVector receive = parts_vector(
            "fmovs", row, parts_fabin(&parts, rows[i].queue, rows[i].queue, 8),
            ARCH_WSE_NONE, ARCH_WSE_NONE);

        receive.is_async = true;
        assert_true(arch_wse_program_phase(parts.program, rows[i].phase, NULL));
        parts_emit(&parts, receive);
    }
    parts_end(&parts);
    parts_finish(&parts);

    assert_int_equal(parts.program->phases->len, 3);
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        const WseInstruction *receive = parts_instruction(&parts, i);

        assert_string_equal(g_ptr_array_index(parts.program->phases, receive->phase),
                            rows[i].phase);
        if (receive->is_alone != rows[i].is_alone) {
            fail_msg("row %u", i);
        }
    }
}

static void phases_are_limited(void **state G_GNUC_UNUSED)
{
    for (guint i = 1; i < WSE_PHASES; i++) {
        g_autofree char *name = g_strdup_printf("p%u", i);

        assert_true(arch_wse_program_phase(parts.program, name, NULL));
    }
    assert_true(arch_wse_program_phase(parts.program, "p3", NULL));
    assert_false(arch_wse_program_phase(parts.program, "p16", &refusal));
    assert_refused("program test: phase p16, allowed are 15");
}

static void assert_vector_refused(ArchWseVector vector, const char *message)
{
    g_autofree char *whole =
        g_strconcat("program test: task 0 (work): ", message, NULL);

    assert_false(arch_wse_program_vector(parts.program, &vector, &refusal));
    assert_refused(whole);
}

static void bad_operands_are_refused(void **state G_GNUC_UNUSED)
{
    const guint a = parts_array(&parts, "a", ARCH_WSE_F32, 8);
    const guint h = parts_array(&parts, "h", ARCH_WSE_F16, 8);
    const guint row = parts_row(&parts, a, 0, 8, 1);
    const guint half = parts_row(&parts, a, 0, 4, 1);
    const guint halves = parts_row(&parts, h, 0, 8, 1);
    const guint in = parts_fabin(&parts, 1, 4, 8);
    const guint out = parts_fabout(&parts, 2, 2, 8);
    const guint one = parts_number(&parts, ARCH_WSE_F32, 1);
    const guint none = ARCH_WSE_NONE;
    ArchWseVector vector = parts_vector("fmovs", row, row, none, none);

    parts_begin(&parts, 0);
    assert_vector_refused(parts_vector("fadds", row, row, none, none),
                          "fadds: 1 sources, it has 2");
    assert_vector_refused(parts_vector("fmovs", row, row, row, none),
                          "fmovs: 2 sources, it has 1");
    assert_vector_refused(parts_vector("fmovs", row, halves, none, none),
                          "fmovs: operand 1 is of f16, allowed is f32");
    assert_vector_refused(parts_vector("fh2s", halves, halves, none, none),
                          "fh2s: operand 0 is of f16, allowed is f32");
    assert_vector_refused(parts_vector("fmovs", in, row, none, none),
                          "fmovs: the destination is a fabin, allowed are memory, "
                          "fabout and FIFO");
    assert_vector_refused(parts_vector("fmovs", one, row, none, none),
                          "fmovs: the destination is a constant, allowed are memory, "
                          "fabout and FIFO");
    assert_vector_refused(
        parts_vector("fmovs", out, out, none, none),
        "fmovs: source 0 is a fabout, allowed is one as the destination");
    assert_vector_refused(parts_vector("fadds", row, in, in, none),
                          "fadds: two sources from input queue 4");
    assert_vector_refused(parts_vector("fadds", row, row, half, none),
                          "fadds: operand 2 has 4 elements, allowed are at least 8, as "
                          "in the first source");
    assert_vector_refused(parts_vector("fmovs", half, in, none, none),
                          "fmovs: operand 0 has 4 elements, allowed are at least 8, as "
                          "in the first source");
    assert_vector_refused(parts_vector("fmovs", row, 99, none, none),
                          "fmovs: descriptor 99, there are 6");
    vector.activated = 0;
    assert_vector_refused(vector,
                          "fmovs: a task for its end, allowed if it is asynchronous");
    vector.is_async = true;
    assert_vector_refused(vector, "fmovs: asynchronous with operands in memory alone, "
                                  "it needs a fabric or FIFO operand");
    vector.activated = 31;
    assert_vector_refused(vector, "task = 31, wse2 has 0..30");
    assert_false(arch_wse_program_vector(parts.program,
                                         &(ArchWseVector){.name = "fdivs"}, &refusal));
    assert_non_null(
        strstr(refusal->message, "operation fdivs, there are fmovs, fadds"));
}

static void packed_wavelets_need_16_bit_operations(void **state G_GNUC_UNUSED)
{
    const ArchWseFabinDsd config = {1, 4, 8, 2, ARCH_WSE_NARROW};
    const ArchWseFaboutDsd control = {2, 2, 1, 1, true, false, 0, 0, ARCH_WSE_NARROW};
    const guint a = parts_array(&parts, "a", ARCH_WSE_F32, 8);
    const guint h = parts_array(&parts, "h", ARCH_WSE_U16, 8);
    const guint row = parts_row(&parts, a, 0, 8, 1);
    const guint words = parts_row(&parts, h, 0, 8, 1);
    guint in = 0;
    guint out = 0;

    assert_true(arch_wse_program_fabin_dsd(parts.program, &config, &in, NULL));
    assert_true(arch_wse_program_fabout_dsd(parts.program, &control, &out, NULL));
    parts_begin(&parts, 0);
    parts_emit(&parts, parts_vector("mov16", words, in, ARCH_WSE_NONE, ARCH_WSE_NONE));
    /* Integers of one size stand for each other, moves take any. */
    parts_emit(&parts,
               parts_vector("mov32", row, parts_number(&parts, ARCH_WSE_I32, -1),
                            ARCH_WSE_NONE, ARCH_WSE_NONE));
    parts_emit(&parts,
               parts_vector("add16", words, words,
                            parts_number(&parts, ARCH_WSE_I16, -1), ARCH_WSE_NONE));
    assert_vector_refused(
        parts_vector("fmovs", row, in, ARCH_WSE_NONE, ARCH_WSE_NONE),
        "fmovs: operand 1 has 2 elements in a wavelet, of f32 there is 1");
    assert_vector_refused(
        parts_vector("mov16", out, words, ARCH_WSE_NONE, ARCH_WSE_NONE),
        "mov16: control wavelets need an operation of 32 bits");
}

#define PARTS_TEST(test) cmocka_unit_test_setup_teardown(test, open_parts, close_parts)

int main(void)
{
    const struct CMUnitTest tests[] = {
        PARTS_TEST(branches_become_jumps),
        PARTS_TEST(private_code_is_found),
        PARTS_TEST(loops_and_offsets_are_not_private),
        PARTS_TEST(blocks_close_in_order),
        PARTS_TEST(a_task_ends_once),
        PARTS_TEST(scalars_cost_what_the_chip_says),
        PARTS_TEST(routes_have_colors_and_directions),
        PARTS_TEST(operands_choose_queues_and_microthread),
        PARTS_TEST(fifos_alone_run_in_the_last_microthread),
        PARTS_TEST(operations_are_alone_by_phase),
        PARTS_TEST(phases_are_limited),
        PARTS_TEST(bad_operands_are_refused),
        PARTS_TEST(packed_wavelets_need_16_bit_operations),
    };

    return cmocka_run_group_tests_name("arch.wse_code", tests, NULL, NULL);
}
