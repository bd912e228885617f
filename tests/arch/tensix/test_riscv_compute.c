/* Compiled compute kernels: three programs that make calls, and what they cost. */
#include <string.h>

#include "arch/tensix_riscv.h"
#include "tests/arch/tensix/riscv_source.h"

enum {
    TILE_BYTES = 2048,
    IN = 0,
    OUT = 16,
    ROUNDS = 6,
};

static Rig rig;
static GString *heard;

static int open_rig(void **state G_GNUC_UNUSED)
{
    rig_open(&rig, 1);
    arch_tensix_set_options(rig.tensix, (ArchTensixOptions){.is_functional = true});
    heard = g_string_new(NULL);
    return 0;
}

static int close_rig(void **state G_GNUC_UNUSED)
{
    rig_close(&rig);
    g_string_free(heard, TRUE);
    return 0;
}

static int number_of(const char *name)
{
    const ArchComputeFunction *function;

    for (guint i = 0; (function = arch_compute_function_at(i)) != NULL; i++) {
        if (strcmp(function->name, name) == 0) {
            return (int) i;
        }
    }
    fail_msg("no function %s", name);
    return -1;
}

/* A call of a compute function with up to five arguments. */
static void compute(Source *source, const char *name, const int *arguments, guint count)
{
    put(source, addi(A0, 0, number_of(name)));
    for (guint i = 0; i < count; i++) {
        put(source, addi(A1 + i, 0, arguments[i]));
    }
    make_call(source, CALL_NUMBER_compute);
}
#define COMPUTE(source, name, ...)                                                     \
    compute(source, name, (const int[]){__VA_ARGS__},                                  \
            sizeof((const int[]){__VA_ARGS__}) / sizeof(int))

static void note_text(gpointer data, SimTime when, const char *text, gsize length)
{
    (void) data;
    g_string_append_printf(heard, "[%" G_GUINT64_FORMAT " %.*s]", when, (int) length,
                           text);
}

static const ArchRiscvListener listener = {.print = note_text};

static ArchRiscvProgram *program_of(const Source *source, ArchRiscvIndex index)
{
    const ArchRiscvText text = {.name = "kernel",
                                .address = TEXT,
                                .words = source->words,
                                .word_count = source->count,
                                .entry = TEXT};
    ArchRiscvProgram *program = arch_riscv_program_new(rig.tensix, index, &text, NULL);

    assert_non_null(program);
    return program;
}

static void add_buffer(guint index, guint pages)
{
    ArchCircularBufferConfig config = {
        .index = index, .page_count = pages, .page_bytes = TILE_BYTES};

    assert_true(arch_tensix_add_circular_buffer(rig_core(&rig, 0, 0), &config, NULL));
}

static void start_compute(const Source *source)
{
    const ArchComputeKernel kernel = {.name = "kernel", .fidelity = 4};
    const ArchRiscvListener listeners[3] = {listener, listener, listener};
    ArchRiscvProgram *programs[3];

    for (guint i = 0; i < 3; i++) {
        programs[i] = program_of(source, (ArchRiscvIndex) (ARCH_RISCV_T0 + i));
    }
    arch_riscv_start_compute(rig_core(&rig, 0, 0), programs, &kernel, listeners, 0);
    for (guint i = 0; i < 3; i++) {
        arch_riscv_program_unref(programs[i]);
    }
}

/* Movers that make the pages of IN and take those of OUT. */
static void start_movers(void)
{
    Kernel *reader = rig_kernel(&rig, 0, 0, ARCH_MOVER_NCRISC, 0, 0);
    Kernel *writer = rig_kernel(&rig, 0, 0, ARCH_MOVER_BRISC, 1, 0);

    for (guint i = 0; i < ROUNDS; i++) {
        call_cb(reader, ARCH_MOVER_CB_RESERVE, IN, 1);
        call_cb(reader, ARCH_MOVER_CB_PUSH, IN, 1);
        call_cb(writer, ARCH_MOVER_CB_WAIT, OUT, 1);
        call_cb(writer, ARCH_MOVER_CB_POP, OUT, 1);
    }
}

/* A kernel that adds each page to itself, as all three threads run it. */
static Source doubling(void)
{
    Source source = {0};

    COMPUTE(&source, "binary_op_init_common", IN, IN);
    COMPUTE(&source, "add_tiles_init", IN, IN);
    for (guint i = 0; i < ROUNDS; i++) {
        COMPUTE(&source, "cb_wait_front", IN, 1);
        COMPUTE(&source, "tile_regs_acquire", 0);
        COMPUTE(&source, "add_tiles", IN, IN, 0, 0, 0);
        COMPUTE(&source, "tile_regs_commit", 0);
        COMPUTE(&source, "cb_pop_front", IN, 1);
        COMPUTE(&source, "cb_reserve_back", OUT, 1);
        COMPUTE(&source, "tile_regs_wait", 0);
        COMPUTE(&source, "pack_tile", 0, OUT, -1);
        COMPUTE(&source, "tile_regs_release", 0);
        COMPUTE(&source, "cb_push_back", OUT, 1);
    }
    make_call(&source, CALL_NUMBER_end);
    return source;
}

static void three_programs_compute_what_one_kernel_does(void **state G_GNUC_UNUSED)
{
    const Source source = doubling();
    const uint16_t one = 0x3f80; /* in BF16 */
    uint16_t result = 0;

    add_buffer(IN, 2);
    add_buffer(OUT, 2);
    for (guint i = 0; i < 2 * TILE_BYTES / sizeof one; i++) {
        assert_true(arch_tensix_write(rig_core(&rig, 0, 0), 32768 + i * sizeof one,
                                      &one, sizeof one, NULL));
    }
    start_compute(&source);
    start_movers();

    rig_run(&rig);

    assert_true(arch_tensix_read(rig_core(&rig, 0, 0), 32768 + 2 * TILE_BYTES + 100,
                                 &result, sizeof result, NULL));
    assert_int_equal(result, 0x4000); /* 2 */
    assert_true(rig_use(&rig, 0, 0, "fpu", "busy") > 0);
}

/* Instructions between calls take their time on the thread that runs them. */
static void instructions_take_time_on_their_threads(void **state G_GNUC_UNUSED)
{
    SimTime cycles[2];

    for (guint i = 0; i < 2; i++) {
        Source source = {0};

        put(&source, addi(A0, 0, 1000));
        for (guint j = 0; j < 48; j++) {
            put(&source, nop);
        }
        put(&source, addi(A0, A0, -1));
        put(&source, branch(1, A0, 0, -49 * 4));
        if (i == 1) {
            put(&source, nop);
        }
        make_call(&source, CALL_NUMBER_end);
        rig_close(&rig);
        rig_open(&rig, 1);
        start_compute(&source);
        rig_run(&rig);
        cycles[i] = rig_use(&rig, 0, 0, "math", "busy");
        assert_in_range(cycles[i], 50000, 50100);
        assert_in_range(rig_use(&rig, 0, 0, "pack", "busy"), 50000, cycles[i]);
    }
    assert_int_equal(cycles[1], cycles[0] + 1);
}

static void faults_name_the_thread(void **state G_GNUC_UNUSED)
{
    Source source = {0};

    COMPUTE(&source, "cb_pop_front", IN, 1);
    make_call(&source, CALL_NUMBER_end);
    add_buffer(IN, 2);
    start_compute(&source);
    g_autofree char *message = rig_fail(&rig, ARCH_ERROR, ARCH_ERROR_FAULT);

    assert_non_null(strstr(message, "kernel kernel on core[0,0].unpack: "));
    assert_non_null(strstr(message, "; pc=0x9010 at cycle "));
}

static void wrong_arguments_are_refused(void **state G_GNUC_UNUSED)
{
    static const struct {
        const char *name;
        int arguments[3];
        const char *why;
    } cases[] = {
        {"cb_wait_front",
         {32, 1, 0},
         "cb_wait_front: argument 1 is 32, allowed are 0 to 31"},
        {"zone", {0, 0, 0}, "compiled kernels have no zone"},
        {"pack_tile", {0, OUT, 0}, "comes after tile_regs_wait"},
        {"tile_regs_commit", {0, 0, 0}, "expected after tile_regs_acquire"},
        {"tile_regs_release", {0, 0, 0}, "expected after tile_regs_wait"},
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        Source source = {0};

        compute(&source, cases[i].name, cases[i].arguments, 3);
        make_call(&source, CALL_NUMBER_end);
        rig_close(&rig);
        rig_open(&rig, 1);
        add_buffer(OUT, 2);
        start_compute(&source);
        g_autofree char *message = rig_fail(&rig, ARCH_ERROR, ARCH_ERROR_FAULT);

        if (strstr(message, cases[i].why) == NULL) {
            fail_msg("%s", message);
        }
    }
}

static void a_kernel_ends_with_its_turns(void **state G_GNUC_UNUSED)
{
    Source source = {0};

    COMPUTE(&source, "tile_regs_acquire", 0);
    make_call(&source, CALL_NUMBER_end);
    start_compute(&source);
    g_autofree char *message = rig_fail(&rig, ARCH_ERROR, ARCH_ERROR_FAULT);

    assert_non_null(strstr(message, "core[0,0].math: the kernel ends without "
                                    "tile_regs_commit"));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_rig, close_rig)
    const struct CMUnitTest tests[] = {
        TEST(three_programs_compute_what_one_kernel_does),
        TEST(instructions_take_time_on_their_threads),
        TEST(faults_name_the_thread),
        TEST(wrong_arguments_are_refused),
        TEST(a_kernel_ends_with_its_turns),
    };

    return cmocka_run_group_tests_name("arch.tensix_riscv_compute", tests, NULL, NULL);
}
