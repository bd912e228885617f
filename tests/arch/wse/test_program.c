/* Programs of PEs: what is put together, and what is refused with which words. */
#include <math.h>
#include <string.h>

#include "arch/error.h"
#include "tests/arch/wse/parts.h"
#include "tests/sim/support.h"

static Parts parts;
static GError *refusal;
static guint number;

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

static void arrays_follow_each_other_aligned(void **state G_GNUC_UNUSED)
{
    const double values[] = {1, -2};
    ArchWseSymbol symbol;
    guint array = 0;

    (void) parts_array(&parts, "halves", ARCH_WSE_F16, 3);
    array = parts_array(&parts, "words", ARCH_WSE_I32, 3);
    (void) parts_aligned(&parts, "block", 1, 16);
    assert_true(arch_wse_program_set(parts.program, array, 0, values, 2, NULL));
    parts_finish(&parts);

    assert_true(arch_wse_program_find(parts.program, "words", &symbol));
    assert_int_equal(symbol.address, 8);
    assert_int_equal(symbol.count, 3);
    assert_true(arch_wse_program_find(parts.program, "block", &symbol));
    assert_int_equal(symbol.address, 32);
    assert_int_equal(parts.program->memory_bytes, 36);
    assert_memory_equal(parts.program->image + 4,
                        "\0\0\0\0\1\0\0\0\xfe\xff\xff\xff\0\0\0\0", 16);
    assert_false(arch_wse_program_find(parts.program, "other", &symbol));
}

static void numbers_become_bits_of_their_type(void **state G_GNUC_UNUSED)
{
    const double values[] = {1.5, 65535, (double) -NAN};
    const guint half = parts_array(&parts, "half", ARCH_WSE_F16, 2);
    const guint single = parts_array(&parts, "single", ARCH_WSE_F32, 1);
    const guint word = parts_array(&parts, "word", ARCH_WSE_U16, 1);
    const guint none = parts_array(&parts, "none", ARCH_WSE_F32, 1);

    assert_true(arch_wse_program_set(parts.program, half, 1, values, 1, NULL));
    assert_true(arch_wse_program_set(parts.program, single, 0, values, 1, NULL));
    assert_true(arch_wse_program_set(parts.program, word, 0, values + 1, 1, NULL));
    assert_true(arch_wse_program_set(parts.program, none, 0, values + 2, 1, NULL));
    parts_finish(&parts);

    assert_memory_equal(parts.program->image,
                        "\0\0\0\x3e\0\0\xc0\x3f\xff\xff\0\0\0\0\xc0\x7f", 16);
}

static void bad_arrays_are_refused(void **state G_GNUC_UNUSED)
{
    const double value = 70000;
    const double none = (double) -NAN; /* which some machines have for 0 / 0 */
    const guint a = parts_array(&parts, "a", ARCH_WSE_I16, 4);

    assert_false(arch_wse_program_array(parts.program, "a", ARCH_WSE_F32, 1, 0, &number,
                                        &refusal));
    assert_refused("program test: a is there already, names are given once");
    assert_false(arch_wse_program_array(parts.program, "b", ARCH_WSE_F32, 0, 0, &number,
                                        &refusal));
    assert_refused("program test: array b: count = 0, allowed are 1..16777216");
    assert_false(arch_wse_program_array(parts.program, "b", ARCH_WSE_F32, 1, 12,
                                        &number, &refusal));
    assert_refused(
        "program test: array b: align = 12, allowed are powers of 2 up to 4096");
    assert_false(arch_wse_program_set(parts.program, a, 0, &value, 1, &refusal));
    assert_refused("program test: array a: value = 70000, of i16 allowed are the whole "
                   "numbers -32768..32767");
    assert_false(arch_wse_program_set(parts.program, a, 0, &none, 1, &refusal));
    assert_refused("program test: array a: value = nan, of i16 allowed are the whole "
                   "numbers -32768..32767");
    assert_false(arch_wse_program_set(parts.program, a, 4, &value, 1, &refusal));
    assert_refused("program test: array a: numbers 4..4, it has 0..3");
    assert_false(arch_wse_program_set(parts.program, 9, 0, &value, 1, &refusal));
    assert_refused("program test: array number 9, there are 1");
}

/* Two halves a word, the lower one first; what is set in one is seen in the other. */
static void a_view_has_the_bytes_of_its_array(void **state G_GNUC_UNUSED)
{
    const guint words = parts_array(&parts, "words", ARCH_WSE_F32, 3);
    const double value = 1;
    const double half = 0x4000;
    const ArchWseView config = {"bits", words, 1, ARCH_WSE_U16, 4};
    ArchWseSymbol symbol;
    guint view = 0;

    assert_true(arch_wse_program_view(parts.program, &config, &view, NULL));
    assert_true(arch_wse_program_set(parts.program, words, 2, &value, 1, NULL));
    assert_true(arch_wse_program_set(parts.program, view, 1, &half, 1, NULL));
    parts_finish(&parts);

    assert_true(arch_wse_program_find(parts.program, "bits", &symbol));
    assert_int_equal(symbol.address, 4);
    assert_int_equal(symbol.count, 4);
    assert_int_equal(parts.program->memory_bytes, 12);
    assert_memory_equal(parts.program->image, "\0\0\0\0\0\0\0\x40\0\0\0\0", 12);
}

static void bad_views_are_refused(void **state G_GNUC_UNUSED)
{
    const guint halves = parts_array(&parts, "halves", ARCH_WSE_F16, 5);
    const struct {
        ArchWseView config;
        const char *message;
    } cases[] = {
        {{"v", 9, 0, ARCH_WSE_U16, 1}, "program test: array number 9, there are 1"},
        {{"halves", halves, 0, ARCH_WSE_U16, 1},
         "program test: halves is there already, names are given once"},
        {{"v", halves, 0, ARCH_WSE_U16, 0},
         "program test: array v: count = 0, allowed are 1..16777216"},
        {{"v", halves, 5, ARCH_WSE_U16, 1},
         "program test: view v: first = 5, array halves has 0..4"},
        {{"v", halves, 1, ARCH_WSE_U32, 1},
         "program test: view v: first = 1 is at byte 2, u32 are at multiples of 4"},
        {{"v", halves, 2, ARCH_WSE_F32, 2},
         "program test: view v: count = 2, of array halves allowed are 1..1"},
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        assert_false(
            arch_wse_program_view(parts.program, &cases[i].config, &number, &refusal));
        assert_refused(cases[i].message);
    }
}

static void the_last_byte_fits(void **state G_GNUC_UNUSED)
{
    (void) parts_array(&parts, "data", ARCH_WSE_F32, (49152 - 4176) / 4 - 1);
    (void) parts_variable(&parts, "count", 0);

    parts_finish(&parts);
}

static void what_is_too_large_is_refused_with_the_map(void **state G_GNUC_UNUSED)
{
    (void) parts_array(&parts, "data", ARCH_WSE_F32, (49152 - 4176) / 4 - 1);
    (void) parts_variable(&parts, "count", 0);
    (void) parts_variable(&parts, "step", 0);

    assert_false(arch_wse_program_finish(parts.program, &refusal));
    assert_refused("program test: 44980 bytes of data do not fit into the 44976 that "
                   "wse2 leaves beside code, the map is\n"
                   "  0x0000   44972 bytes  data, 11243 f32\n"
                   "  0xafac       8 bytes  variables\n"
                   "  0xafb0    4176 bytes  code");
}

static void bad_memory_descriptors_are_refused(void **state G_GNUC_UNUSED)
{
    const guint a = parts_array(&parts, "a", ARCH_WSE_F32, 10);
    ArchWseMemoryDsd config = {a, 1, {5}, {2}, 1, ARCH_WSE_NONE};

    (void) parts_memory(&parts, &config);
    config.variable = 3;
    assert_false(
        arch_wse_program_memory_dsd(parts.program, &config, &number, &refusal));
    assert_refused("program test: variable number 3, there are 0");
    config.rank = 5;
    assert_false(
        arch_wse_program_memory_dsd(parts.program, &config, &number, &refusal));
    assert_refused("program test: rank = 5, allowed are 1..4");
    config.rank = 1;
    config.extents[0] = 32767;
    assert_false(
        arch_wse_program_memory_dsd(parts.program, &config, &number, &refusal));
    assert_refused("program test: descriptor of 32767 elements, allowed are 1..32766");
}

/* They reach beyond their array, which matters to those who use them. */
static void
descriptors_outside_are_refused_where_they_are_used(void **state G_GNUC_UNUSED)
{
    const guint a = parts_array(&parts, "a", ARCH_WSE_F32, 10);
    ArchWseMemoryDsd config = {a, 1, {5}, {2}, 2, ARCH_WSE_NONE};
    const guint beyond = parts_memory(&parts, &config);
    ArchWseVector vector;

    config.strides[0] = -1;
    const guint before = parts_memory(&parts, &config);

    config.strides[0] = 1;
    const guint inside = parts_memory(&parts, &config);

    parts_begin(&parts, 8);
    vector = parts_vector("fmovs", inside, beyond, ARCH_WSE_NONE, ARCH_WSE_NONE);
    assert_false(arch_wse_program_vector(parts.program, &vector, &refusal));
    assert_refused("program test: task 8 (work): descriptor of numbers 2..10 of array "
                   "a, it has 0..9");
    vector = parts_vector("fmovs", before, inside, ARCH_WSE_NONE, ARCH_WSE_NONE);
    assert_false(arch_wse_program_vector(parts.program, &vector, &refusal));
    assert_refused("program test: task 8 (work): descriptor of numbers -2..2 of array "
                   "a, it has 0..9");
    vector = parts_vector("fmovs", inside, inside, ARCH_WSE_NONE, ARCH_WSE_NONE);
    assert_true(arch_wse_program_vector(parts.program, &vector, NULL));
}

static void bad_fabric_descriptors_are_refused(void **state G_GNUC_UNUSED)
{
    ArchWseFabinDsd in = {24, 0, 1, 1, ARCH_WSE_NARROW};
    ArchWseFaboutDsd out = {0, 6, 1, 1, false, false, 0, 0, ARCH_WSE_NARROW};

    assert_false(arch_wse_program_fabin_dsd(parts.program, &in, &number, &refusal));
    assert_refused("program test: color = 24, wse2 has 0..23");
    in = (ArchWseFabinDsd){0, 8, 1, 1, ARCH_WSE_NARROW};
    assert_false(arch_wse_program_fabin_dsd(parts.program, &in, &number, &refusal));
    assert_refused("program test: input queue = 8, wse2 has 0..7");
    assert_false(arch_wse_program_fabout_dsd(parts.program, &out, &number, &refusal));
    assert_refused("program test: output queue = 6, wse2 has 0..5");
    out = (ArchWseFaboutDsd){0, 0, 1, 3, false, false, 0, 0, ARCH_WSE_NARROW};
    assert_false(arch_wse_program_fabout_dsd(parts.program, &out, &number, &refusal));
    assert_refused("program test: elements_per_wavelet = 3, allowed are 1 and 2");
}

static void a_color_has_one_queue(void **state G_GNUC_UNUSED)
{
    ArchWseFabinDsd in = {3, 4, 1, 1, ARCH_WSE_NARROW};

    (void) parts_fabin(&parts, 3, 4, 10);
    (void) parts_fabin(&parts, 3, 4, 20);
    assert_int_equal(parts.program->color_inputs[3], 4);
    assert_int_equal(parts.program->input_colors[4], 3);
    assert_true(arch_wse_program_input_queue(parts.program, 4, 3, NULL));

    assert_false(arch_wse_program_input_queue(parts.program, 4, 5, &refusal));
    assert_refused("program test: input queue 4 for color 5, it has color 3 already");
    in.color = 5;
    assert_true(arch_wse_program_fabin_dsd(parts.program, &in, &number, NULL));
    assert_int_equal(parts.program->color_inputs[5], 4);
    assert_int_equal(parts.program->shared_inputs, 1 << 4);
    assert_false(arch_wse_program_input_queue(parts.program, 5, 3, &refusal));
    assert_refused(
        "program test: color 3 to input queue 5, it goes to queue 4 already");
}

static void task_ids_are_given_once(void **state G_GNUC_UNUSED)
{
    parts_begin(&parts, 7);
    assert_false(arch_wse_program_begin_task(parts.program, ARCH_WSE_TASK_LOCAL, 8,
                                             "inner", ARCH_WSE_NONE, &refusal));
    assert_refused(
        "program test: task 7 (work): task 8 (inner) inside, it must end first");
    parts_end(&parts);

    assert_false(arch_wse_program_begin_task(parts.program, ARCH_WSE_TASK_DATA, 7,
                                             "more", ARCH_WSE_NONE, &refusal));
    assert_refused("program test: task 7 for more, it is work already");
    assert_true(arch_wse_program_begin_task(parts.program, ARCH_WSE_TASK_CONTROL, 7,
                                            "control", ARCH_WSE_NONE, NULL));
}

static void task_ids_out_of_range_are_refused(void **state G_GNUC_UNUSED)
{
    assert_false(arch_wse_program_begin_task(parts.program, ARCH_WSE_TASK_LOCAL, 31,
                                             "t", ARCH_WSE_NONE, &refusal));
    assert_refused("program test: task = 31, wse2 has 0..30");
    assert_false(arch_wse_program_begin_task(parts.program, ARCH_WSE_TASK_DATA, 24, "t",
                                             ARCH_WSE_NONE, &refusal));
    assert_refused("program test: task = 24, wse2 has 0..23");
    assert_false(arch_wse_program_begin_task(parts.program, ARCH_WSE_TASK_CONTROL, 64,
                                             "t", ARCH_WSE_NONE, &refusal));
    assert_refused("program test: task = 64, wse2 has 0..63");
}

static void activated_tasks_must_exist(void **state G_GNUC_UNUSED)
{
    parts_begin(&parts, 7);
    assert_true(arch_wse_program_activate(parts.program, 8, NULL));
    parts_end(&parts);

    assert_false(arch_wse_program_finish(parts.program, &refusal));
    assert_refused(
        "program test: task 7 (work): activates task 8, no task is bound to it");
    assert_true(arch_wse_program_activate(parts.program, 3, NULL));
    assert_false(arch_wse_program_finish(parts.program, &refusal));
    assert_refused("program test: activates task 3, no task is bound to it");
}

static void tasks_that_follow_an_operation_must_exist(void **state G_GNUC_UNUSED)
{
    const guint a = parts_array(&parts, "a", ARCH_WSE_F32, 8);
    ArchWseVector send =
        parts_vector("fmovs", parts_fabout(&parts, 1, 2, 8),
                     parts_row(&parts, a, 0, 8, 1), ARCH_WSE_NONE, ARCH_WSE_NONE);

    send.is_async = true;
    send.unblocked = 9;
    parts_begin(&parts, 7);
    parts_emit(&parts, send);
    parts_end(&parts);

    assert_false(arch_wse_program_finish(parts.program, &refusal));
    assert_refused(
        "program test: task 7 (work): unblocks task 9, no task is bound to it");
}

static void the_start_is_set_outside_of_tasks(void **state G_GNUC_UNUSED)
{
    parts_begin(&parts, 7);
    parts_end(&parts);
    assert_true(arch_wse_program_activate(parts.program, 7, NULL));
    assert_true(arch_wse_program_block(parts.program, 7, NULL));
    assert_true(arch_wse_program_block(parts.program, 9, NULL));
    assert_true(arch_wse_program_unblock(parts.program, 9, NULL));
    parts_finish(&parts);

    assert_int_equal(parts.program->activated, 1 << 7);
    assert_int_equal(parts.program->blocked, 1 << 7);
}

static void data_tasks_need_a_queue_for_their_color(void **state G_GNUC_UNUSED)
{
    const guint a = parts_array(&parts, "a", ARCH_WSE_I16, 4);
    const guint small = parts_array(&parts, "small", ARCH_WSE_I16, 1);

    assert_false(arch_wse_program_begin_task(parts.program, ARCH_WSE_TASK_DATA, 5,
                                             "take", small, &refusal));
    assert_refused("program test: argument in array small, allowed are those of at "
                   "least 4 bytes");
    assert_true(arch_wse_program_begin_task(parts.program, ARCH_WSE_TASK_DATA, 5,
                                            "take", a, NULL));
    parts_end(&parts);
    for (guint i = 0; i < 8; i++) {
        assert_true(arch_wse_program_input_queue(parts.program, i, 6 + i, NULL));
    }
    assert_false(arch_wse_program_finish(parts.program, &refusal));
    assert_refused("program test: data task 5 (take): color 5 has no input queue, none "
                   "is free");
    assert_int_equal(parts.program->tasks[5].argument, 0);
}

static void code_belongs_to_tasks(void **state G_GNUC_UNUSED)
{
    const guint i = parts_variable(&parts, "i", 0);

    assert_false(arch_wse_program_assign(parts.program, i, constant(1), &refusal));
    assert_refused("program test: code outside of a task, allowed is between its begin "
                   "and end");
    parts_begin(&parts, 0);
    assert_false(arch_wse_program_finish(parts.program, &refusal));
    assert_refused("program test: task 0 (work): has no end");
}

static void nothing_is_added_to_a_finished_program(void **state G_GNUC_UNUSED)
{
    parts_finish(&parts);
    parts_finish(&parts);

    assert_false(arch_wse_program_array(parts.program, "a", ARCH_WSE_F32, 1, 0, &number,
                                        &refusal));
    assert_refused("program test: is finished, nothing can be added");
}

/* The block sizes of the 25-point stencil: the memory of a PE, 2 levels and 21 blocks.
 */
static bool fits_stencil(guint nz, guint block)
{
    g_autoptr(ArchWseProgram) program = arch_wse_program_new(parts.params, "stencil");

    assert_true(arch_wse_program_array(program, "levels", ARCH_WSE_F32, 2 * (nz + 8),
                                       16, &number, NULL));
    assert_true(arch_wse_program_array(program, "blocks", ARCH_WSE_F32, 21 * block, 16,
                                       &number, NULL));
    assert_true(arch_wse_program_array(program, "constants", ARCH_WSE_F32, 40, 16,
                                       &number, NULL));
    return arch_wse_program_finish(program, NULL);
}

static void blocks_of_the_stencil_fit_as_published(void **state G_GNUC_UNUSED)
{
    static const struct {
        guint nz;
        guint block_count;
    } rows[] = {{100, 1}, {200, 1}, {300, 1}, {400, 1}, {500, 2}, {700, 2}, {1000, 3}};

    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        guint count = 1;

        while (!fits_stencil(rows[i].nz, (rows[i].nz + count - 1) / count)) {
            count++;
        }
        if (count != rows[i].block_count) {
            fail_msg("nz = %u: %u blocks", rows[i].nz, count);
        }
    }
}

#define PARTS_TEST(test) cmocka_unit_test_setup_teardown(test, open_parts, close_parts)

int main(void)
{
    const struct CMUnitTest tests[] = {
        PARTS_TEST(arrays_follow_each_other_aligned),
        PARTS_TEST(numbers_become_bits_of_their_type),
        PARTS_TEST(bad_arrays_are_refused),
        PARTS_TEST(a_view_has_the_bytes_of_its_array),
        PARTS_TEST(bad_views_are_refused),
        PARTS_TEST(the_last_byte_fits),
        PARTS_TEST(what_is_too_large_is_refused_with_the_map),
        PARTS_TEST(bad_memory_descriptors_are_refused),
        PARTS_TEST(descriptors_outside_are_refused_where_they_are_used),
        PARTS_TEST(bad_fabric_descriptors_are_refused),
        PARTS_TEST(a_color_has_one_queue),
        PARTS_TEST(task_ids_are_given_once),
        PARTS_TEST(task_ids_out_of_range_are_refused),
        PARTS_TEST(activated_tasks_must_exist),
        PARTS_TEST(tasks_that_follow_an_operation_must_exist),
        PARTS_TEST(the_start_is_set_outside_of_tasks),
        PARTS_TEST(data_tasks_need_a_queue_for_their_color),
        PARTS_TEST(code_belongs_to_tasks),
        PARTS_TEST(nothing_is_added_to_a_finished_program),
        PARTS_TEST(blocks_of_the_stencil_fit_as_published),
    };

    return cmocka_run_group_tests_name("arch.wse_program", tests, NULL, NULL);
}
