/* Compiled kernels on data movers: registers of the NoC, memory, calls, faults. */
#include <string.h>

#include "arch/tensix_riscv.h"
#include "tests/arch/tensix/riscv_source.h"

enum {
    HERE = 0x20000,
    THERE = 0x30000,
    VIRTUAL = 18,
};

#define NIU_0 0xffb20000u
#define CLOCK 0xffb121f0u

/* Words of a command buffer, in bytes, and what its control word says. */
enum {
    TARGET_LOW = 0,
    TARGET_PLACE = 8,
    RETURN_LOW = 12,
    RETURN_PLACE = 20,
    CONTROL = 28,
    LENGTH = 32,
    DATA = 40,
    START = 64,
    BUFFER = 0x800,
    WRITE = 0x12, /* answered */
    WRITE_INLINE = 0x1a,
    INCREMENT = 0x11,
    MULTICAST = 0x32,
    TAG = 24,
    INCREMENT_MANY = 0x31,
    WRITE_INLINE_MANY = 0x3a,
};

static Rig rig;
static GString *heard;

static int open_rig(void **state G_GNUC_UNUSED)
{
    rig_open(&rig, 1);
    heard = g_string_new(NULL);
    return 0;
}

static int close_rig(void **state G_GNUC_UNUSED)
{
    rig_close(&rig);
    g_string_free(heard, TRUE);
    return 0;
}

/* Stores to a register of the first NoC's interface. */
static void set_register(Source *source, guint buffer, guint word, uint32_t value)
{
    set(source, T0, NIU_0 + buffer * BUFFER);
    set(source, T1, value);
    put(source, sw(T1, T0, (int) word));
}

static void note_text(gpointer data, SimTime when, const char *text, gsize length)
{
    (void) data;
    g_string_append_printf(heard, "[%" G_GUINT64_FORMAT " %.*s]", when, (int) length,
                           text);
}

static void note_mark(gpointer data, const ArchRiscvMark *mark)
{
    (void) data;
    g_string_append_printf(heard, "[%s=%" G_GUINT64_FORMAT "]", mark->name,
                           mark->value);
}

static char *line_of(gpointer data, uint32_t address)
{
    (void) data;
    return g_strdup_printf("kernel.cpp:%u", (address - TEXT) / 4 + 1);
}

static const ArchRiscvListener listener = {
    .print = note_text, .mark = note_mark, .line = line_of};

static void start(const Source *source, guint x, guint y, ArchMoverIndex index)
{
    const ArchRiscvText text = {.name = "kernel",
                                .address = TEXT,
                                .words = source->words,
                                .word_count = source->count,
                                .entry = TEXT,
                                .local = source->local,
                                .local_bytes = sizeof source->local};
    g_autoptr(GError) error = NULL;
    g_autoptr(ArchRiscvProgram) program = arch_riscv_program_new(
        rig.tensix, index == ARCH_MOVER_BRISC ? ARCH_RISCV_B : ARCH_RISCV_NC, &text,
        &error);

    if (program == NULL) {
        fail_msg("%s", error->message);
    }
    arch_riscv_start_mover(rig_core(&rig, x, y), program, index,
                           index == ARCH_MOVER_BRISC ? 1 : 0, &listener, 0);
}

static uint32_t core_place(guint x, guint y)
{
    return (VIRTUAL + y) << 6 | (VIRTUAL + x);
}

static void a_read_through_registers_brings_bytes(void **state G_GNUC_UNUSED)
{
    Source source = {0};

    rig_fill(&rig, 3, 2, THERE, 64, 7);
    set_register(&source, 1, RETURN_LOW, HERE);
    set_register(&source, 1, TARGET_LOW, THERE);
    set_register(&source, 1, TARGET_PLACE, core_place(3, 2));
    set_register(&source, 1, LENGTH, 64);
    set_register(&source, 1, START, 1);
    wait_at(&source, ARCH_BARRIER_READ);
    make_call(&source, CALL_NUMBER_end);
    start(&source, 0, 0, ARCH_MOVER_NCRISC);

    rig_run(&rig);

    rig_assert_filled(&rig, 0, 0, HERE, 64, 7);
    /* 25 instructions, then there and back. */
    assert_true(rig_use(&rig, 0, 0, "reader", "noc") > 200);
}

static void a_write_through_registers_leaves_bytes(void **state G_GNUC_UNUSED)
{
    Source source = {0};

    rig_fill(&rig, 0, 0, HERE, 128, 3);
    set_register(&source, 0, CONTROL, WRITE);
    set_register(&source, 0, TARGET_LOW, HERE);
    set_register(&source, 0, RETURN_LOW, THERE);
    set_register(&source, 0, RETURN_PLACE, core_place(4, 4));
    set_register(&source, 0, LENGTH, 128);
    set_register(&source, 0, START, 1);
    wait_at(&source, ARCH_BARRIER_WRITE);
    make_call(&source, CALL_NUMBER_end);
    start(&source, 0, 0, ARCH_MOVER_BRISC);

    rig_run(&rig);

    rig_assert_filled(&rig, 4, 4, THERE, 128, 3);
}

static void
a_multicast_through_registers_goes_to_a_rectangle(void **state G_GNUC_UNUSED)
{
    Source source = {0};

    rig_fill(&rig, 0, 0, HERE, 32, 9);
    set_register(&source, 0, CONTROL, MULTICAST);
    set_register(&source, 0, TARGET_LOW, HERE);
    set_register(&source, 0, RETURN_LOW, THERE);
    set_register(&source, 0, RETURN_PLACE, core_place(1, 1) << 12 | core_place(2, 3));
    set_register(&source, 0, LENGTH, 32);
    set_register(&source, 0, START, 1);
    wait_at(&source, ARCH_BARRIER_WRITE);
    make_call(&source, CALL_NUMBER_end);
    start(&source, 0, 0, ARCH_MOVER_NCRISC);

    rig_run(&rig);

    for (guint y = 1; y <= 3; y++) {
        rig_assert_filled(&rig, 1, y, THERE, 32, 9);
        rig_assert_filled(&rig, 2, y, THERE, 32, 9);
    }
}

/* The barrier of the first read's id does not wait for the second one, a longer one. */
static void barriers_wait_for_a_transaction_id(void **state G_GNUC_UNUSED)
{
    static const guint bytes[] = {64, 8192};
    Source source = {0};

    rig_fill(&rig, 3, 2, THERE, 8192, 7);
    for (guint i = 0; i < 2; i++) {
        set_register(&source, 1, TAG, (5 + i) << 10);
        set_register(&source, 1, RETURN_LOW, HERE + i * 8192);
        set_register(&source, 1, TARGET_LOW, THERE);
        set_register(&source, 1, TARGET_PLACE, core_place(3, 2));
        set_register(&source, 1, LENGTH, bytes[i]);
        set_register(&source, 1, START, 1);
    }
    for (int id = 5; id < 7; id++) {
        put(&source, addi(A0, 0, ARCH_BARRIER_READ));
        put(&source, addi(A1, 0, id));
        make_call(&source, CALL_NUMBER_barrier_of);
        put(&source, addi(A0, 0, ARCH_BARRIER_READ));
        put(&source, addi(A1, 0, 6));
        make_call(&source, CALL_NUMBER_outstanding);
        put(&source, addi(A2, A0, 0));
        set(&source, A0, 0xffb00000u);
        put(&source, addi(A1, 0, 2));
        make_call(&source, CALL_NUMBER_stamp);
    }
    make_call(&source, CALL_NUMBER_end);
    memcpy(source.local, "id", 2);
    start(&source, 0, 0, ARCH_MOVER_NCRISC);

    rig_run(&rig);

    assert_string_equal(heard->str, "[id=1][id=0]");
    rig_assert_filled(&rig, 0, 0, HERE + 8192, 8192, 7);
}

static void words_go_to_a_rectangle(void **state G_GNUC_UNUSED)
{
    const uint32_t cores = core_place(1, 1) << 12 | core_place(2, 3);
    Source source = {0};

    for (guint i = 0; i < 2; i++) {
        set_register(&source, 3, CONTROL, i == 0 ? WRITE_INLINE_MANY : INCREMENT_MANY);
        set_register(&source, 3, TARGET_LOW, THERE);
        set_register(&source, 3, TARGET_PLACE, cores);
        set_register(&source, 3, DATA, 40 + i);
        set_register(&source, 3, START, 1);
        wait_at(&source, i == 0 ? ARCH_BARRIER_WRITE : ARCH_BARRIER_ATOMIC);
    }
    make_call(&source, CALL_NUMBER_end);
    start(&source, 0, 0, ARCH_MOVER_NCRISC);

    rig_run(&rig);

    for (guint y = 1; y <= 3; y++) {
        assert_int_equal(rig_word(&rig, 1, y, THERE), 81);
        assert_int_equal(rig_word(&rig, 2, y, THERE), 81);
    }
    assert_int_equal(rig_word(&rig, 3, 1, THERE), 0);
}

/* One kernel increments a word, the other waits for it and writes what it sees. */
static void kernels_meet_at_a_semaphore(void **state G_GNUC_UNUSED)
{
    Source sender = {0};
    Source receiver = {0};

    set_register(&sender, 3, CONTROL, INCREMENT);
    set_register(&sender, 3, TARGET_LOW, THERE);
    set_register(&sender, 3, TARGET_PLACE, core_place(1, 0));
    set_register(&sender, 3, DATA, 5);
    set_register(&sender, 3, START, 1);
    wait_at(&sender, ARCH_BARRIER_ATOMIC);
    make_call(&sender, CALL_NUMBER_end);
    start(&sender, 0, 0, ARCH_MOVER_BRISC);

    set(&receiver, A0, THERE);
    put(&receiver, addi(A1, 0, 5));
    put(&receiver, addi(A2, 0, 0));
    make_call(&receiver, CALL_NUMBER_semaphore_wait);
    set(&receiver, A0, THERE);
    put(&receiver, lw(A1, A0, 0));
    put(&receiver, sw(A1, A0, 4));
    make_call(&receiver, CALL_NUMBER_end);
    start(&receiver, 1, 0, ARCH_MOVER_NCRISC);

    rig_run(&rig);

    assert_int_equal(rig_word(&rig, 1, 0, THERE), 5);
    assert_int_equal(rig_word(&rig, 1, 0, THERE + 4), 5);
}

/* A loop of loads sees the word as soon as it is there. */
static void a_kernel_may_poll_a_word_by_itself(void **state G_GNUC_UNUSED)
{
    Source sender = {0};
    Source receiver = {0};

    set_register(&sender, 2, CONTROL, WRITE_INLINE);
    set_register(&sender, 2, TARGET_LOW, THERE);
    set_register(&sender, 2, TARGET_PLACE, core_place(1, 0));
    set_register(&sender, 2, DATA, 77);
    set_register(&sender, 2, START, 1);
    wait_at(&sender, ARCH_BARRIER_WRITE);
    make_call(&sender, CALL_NUMBER_end);
    start(&sender, 0, 0, ARCH_MOVER_BRISC);

    set(&receiver, A0, THERE);
    put(&receiver, lw(A1, A0, 0));
    put(&receiver, branch(0, A1, 0, -4));
    put(&receiver, sw(A1, A0, 4));
    make_call(&receiver, CALL_NUMBER_end);
    start(&receiver, 1, 0, ARCH_MOVER_NCRISC);

    rig_run(&rig);

    assert_int_equal(rig_word(&rig, 1, 0, THERE + 4), 77);
}

static void circular_buffers_pass_pages(void **state G_GNUC_UNUSED)
{
    Source producer = {0};
    Source consumer = {0};

    rig_buffer(&rig, 0, 0, 3, 2);
    for (guint i = 0; i < 3; i++) {
        put(&producer, addi(A0, 0, 3));
        put(&producer, addi(A1, 0, 1));
        if (i > 0) { /* the first page is free anyhow */
            make_call(&producer, CALL_NUMBER_cb_reserve);
        }
        make_call(&producer, CALL_NUMBER_cb_write_pointer);
        put(&producer, addi(A1, 0, 40 + (int) i));
        put(&producer, sw(A1, A0, 0));
        put(&producer, addi(A0, 0, 3));
        put(&producer, addi(A1, 0, 1));
        make_call(&producer, CALL_NUMBER_cb_push);

        put(&consumer, addi(A0, 0, 3));
        put(&consumer, addi(A1, 0, 1));
        make_call(&consumer, CALL_NUMBER_cb_wait);
        make_call(&consumer, CALL_NUMBER_cb_read_pointer);
        put(&consumer, lw(A2, A0, 0));
        set(&consumer, T0, HERE);
        put(&consumer, sw(A2, T0, 4 * (int) i));
        put(&consumer, addi(A0, 0, 3));
        make_call(&consumer, CALL_NUMBER_cb_pop);
    }
    make_call(&producer, CALL_NUMBER_end);
    make_call(&consumer, CALL_NUMBER_end);
    start(&producer, 0, 0, ARCH_MOVER_NCRISC);
    start(&consumer, 0, 0, ARCH_MOVER_BRISC);

    rig_run(&rig);

    for (guint i = 0; i < 3; i++) {
        assert_int_equal(rig_word(&rig, 0, 0, HERE + 4 * i), 40 + i);
    }
}

/* The clock tells the cycle of the load: 6 instructions lie between two. */
static void kernels_read_the_clock_and_speak(void **state G_GNUC_UNUSED)
{
    Source source = {.local = "hello"};

    set(&source, T0, CLOCK);
    put(&source, lw(A2, T0, 0));
    for (guint i = 0; i < 5; i++) {
        put(&source, nop);
    }
    put(&source, lw(A3, T0, 0));
    put(&source, r_type(0x20, 0, A2, A3, A2));
    set(&source, A0, 0xffb00000u);
    put(&source, addi(A1, 0, 5));
    put(&source, addi(A3, 0, 0));
    make_call(&source, CALL_NUMBER_stamp);
    make_call(&source, CALL_NUMBER_print);
    make_call(&source, CALL_NUMBER_end);
    start(&source, 2, 2, ARCH_MOVER_NCRISC);

    rig_run(&rig);

    assert_true(g_str_has_prefix(heard->str, "[hello=6]["));
    assert_true(g_str_has_suffix(heard->str, " hello]"));
}

/* Stores to the L1 follow one another in 5.17 cycles. */
static void stores_wait_for_the_memory(void **state G_GNUC_UNUSED)
{
    Source source = {0};

    set(&source, A0, HERE);
    for (int i = 0; i < 100; i++) {
        put(&source, sw(A0, A0, 4 * i));
    }
    make_call(&source, CALL_NUMBER_end);
    start(&source, 0, 0, ARCH_MOVER_NCRISC);

    rig_run(&rig);

    assert_in_range(rig_use(&rig, 0, 0, "reader", NULL), 512, 525);
}

static void faults_name_kernel_line_and_registers(void **state G_GNUC_UNUSED)
{
    static const struct {
        uint32_t address;
        const char *what;
    } cases[] = {
        {0x7fffff00, "loads from 0x7fffff00: "},
        {0xffb11000, "loads from 0xffb11000: "},
        {0x20002, "loads from a misaligned address 0x20002"},
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        Source source = {0};

        set(&source, A0, cases[i].address);
        put(&source, lw(A1, A0, 0));
        make_call(&source, CALL_NUMBER_end);
        rig_close(&rig);
        rig_open(&rig, 1);
        start(&source, 0, 0, ARCH_MOVER_NCRISC);
        g_autofree char *message = rig_fail(&rig, ARCH_ERROR, ARCH_ERROR_FAULT);

        assert_non_null(
            strstr(message, "kernel.cpp:3: kernel kernel on core[0,0].reader: "));
        assert_non_null(strstr(message, cases[i].what));
        assert_non_null(strstr(message, "pc=0x9008 at cycle 3"));
        g_autofree char *a0 = g_strdup_printf(" a0=0x%x", cases[i].address);
        assert_non_null(strstr(message, a0));
    }
}

static void commands_to_nowhere_are_refused(void **state G_GNUC_UNUSED)
{
    Source source = {0};

    set_register(&source, 1, RETURN_LOW, HERE);
    set_register(&source, 1, TARGET_LOW, THERE);
    set_register(&source, 1, TARGET_PLACE, 3 << 6 | 3);
    set_register(&source, 1, LENGTH, 64);
    set_register(&source, 1, START, 1);
    start(&source, 0, 0, ARCH_MOVER_NCRISC);
    g_autofree char *message = rig_fail(&rig, ARCH_ERROR, ARCH_ERROR_FAULT);

    assert_non_null(strstr(message, "noc 0 has neither a core nor DRAM at (3, 3)"));
}

static void a_kernel_that_waits_for_ever_is_named(void **state G_GNUC_UNUSED)
{
    Source source = {0};

    set(&source, A0, HERE);
    put(&source, addi(A1, 0, 1));
    put(&source, addi(A2, 0, 1));
    make_call(&source, CALL_NUMBER_semaphore_wait);
    make_call(&source, CALL_NUMBER_end);
    start(&source, 5, 1, ARCH_MOVER_NCRISC);
    g_autofree char *message = rig_fail(&rig, SIM_ERROR, SIM_ERROR_DEADLOCK);

    assert_non_null(strstr(message, "core[5,1].reader (kernel) waits for "
                                    "noc_semaphore_wait_min(0x20000, 1)"));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_rig, close_rig)
    const struct CMUnitTest tests[] = {
        TEST(a_read_through_registers_brings_bytes),
        TEST(a_write_through_registers_leaves_bytes),
        TEST(a_multicast_through_registers_goes_to_a_rectangle),
        TEST(barriers_wait_for_a_transaction_id),
        TEST(words_go_to_a_rectangle),
        TEST(kernels_meet_at_a_semaphore),
        TEST(a_kernel_may_poll_a_word_by_itself),
        TEST(circular_buffers_pass_pages),
        TEST(kernels_read_the_clock_and_speak),
        TEST(stores_wait_for_the_memory),
        TEST(faults_name_kernel_line_and_registers),
        TEST(commands_to_nowhere_are_refused),
        TEST(a_kernel_that_waits_for_ever_is_named),
    };

    return cmocka_run_group_tests_name("arch.tensix_riscv_mover", tests, NULL, NULL);
}
