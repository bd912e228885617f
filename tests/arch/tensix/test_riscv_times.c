/* Where the time of compiled kernels goes, and what they leave behind. */
#include <string.h>

#include "arch/tensix_riscv.h"
#include "tests/arch/tensix/riscv_source.h"

enum {
    HERE = 0x20000,
    THERE = 0x30000,
    PLACE = (18 + 2) << 6 | (18 + 3), /* of core 3, 2 */
};

#define NIU_0 0xffb20000u

/* Words of a command buffer, in bytes. */
enum {
    TARGET_LOW = 0,
    TARGET_PLACE = 8,
    RETURN_LOW = 12,
    LENGTH = 32,
    START = 64,
    READS = 0x800, /* the buffer for reads */
};

static Rig rig;
static uint64_t stamped;

/* What is known of the kernel that ended last. */
static ArchRiscvEnd last;
static uint64_t spent[WORDS][ARCH_RISCV_REASONS];

static int open_rig(void **state G_GNUC_UNUSED)
{
    rig_open(&rig, 1);
    memset(spent, 0, sizeof spent);
    return 0;
}

static int close_rig(void **state G_GNUC_UNUSED)
{
    rig_close(&rig);
    return 0;
}

/* Stores to a register for reads of the first NoC's interface. */
static void set_register(Source *source, guint word, uint32_t value)
{
    set(source, T0, NIU_0 + READS);
    set(source, T1, value);
    put(source, sw(T1, T0, (int) word));
}

static void note_mark(gpointer data, const ArchRiscvMark *mark)
{
    (void) data;
    stamped = mark->value;
}

static void note_end(gpointer data, const ArchRiscvEnd *end)
{
    (void) data;
    last = *end;
    memcpy(spent, end->cycles, end->instruction_count * sizeof spent[0]);
}

static void start(const Source *source)
{
    static const ArchRiscvListener listener = {.mark = note_mark, .over = note_end};
    const ArchRiscvText text = {.name = "kernel",
                                .address = TEXT,
                                .words = source->words,
                                .word_count = source->count,
                                .entry = TEXT,
                                .local = source->local,
                                .local_bytes = sizeof source->local};
    g_autoptr(ArchRiscvProgram) program =
        arch_riscv_program_new(rig.tensix, ARCH_RISCV_NC, &text, NULL);

    assert_non_null(program);
    arch_riscv_start_mover(rig_core(&rig, 0, 0), program, ARCH_MOVER_NCRISC, 0,
                           &listener, 0);
}

static uint64_t all_cycles(void)
{
    uint64_t sum = 0;

    for (guint i = 0; i < WORDS * ARCH_RISCV_REASONS; i++) {
        sum += spent[i / ARCH_RISCV_REASONS][i % ARCH_RISCV_REASONS];
    }
    return sum;
}

/* Each cycle is that of an instruction, for one reason. */
static void time_is_kept_by_instruction_and_reason(void **state G_GNUC_UNUSED)
{
    Source source = {0};

    set(&source, A0, HERE);
    put(&source, lw(A1, A0, 0));
    put(&source, addi(A2, A1, 0)); /* word 3 waits for it */
    put(&source, sw(A0, A0, 4));
    put(&source, sw(A0, A0, 8)); /* word 5 waits for the port */
    put(&source, addi(A2, 0, 10));
    put(&source, addi(A2, A2, -1));
    put(&source, branch(1, A2, 0, -4)); /* word 8: ten times */
    wait_at(&source, ARCH_BARRIER_WRITE);
    make_call(&source, CALL_NUMBER_end);
    start(&source);

    rig_run(&rig);

    assert_int_equal(last.instruction_count, source.count);
    assert_int_equal(all_cycles(), last.end - last.begin);
    assert_int_equal(spent[3][ARCH_RISCV_RUNS], 1);
    assert_int_equal(spent[3][ARCH_RISCV_WAITS_LOAD], 7);
    assert_int_equal(spent[5][ARCH_RISCV_WAITS_STORE], 4);
    assert_int_equal(spent[7][ARCH_RISCV_RUNS], 10);
    assert_int_equal(spent[8][ARCH_RISCV_RUNS], 10);
    assert_int_equal(spent[9][ARCH_RISCV_RUNS], 1);
    assert_true(spent[11][ARCH_RISCV_CALLS] > 0); /* the barrier */
}

/* A read that nobody waits for, and a barrier that is too early for it. */
static void transfers_that_are_left_behind_are_told(void **state G_GNUC_UNUSED)
{
    Source source = {0};

    for (int i = 0; i < 2; i++) {
        set_register(&source, RETURN_LOW, HERE);
        set_register(&source, TARGET_LOW, THERE);
        set_register(&source, TARGET_PLACE, PLACE);
        set_register(&source, LENGTH, 64);
        set_register(&source, START, 1);
        if (i == 0) {
            wait_at(&source, ARCH_BARRIER_READ);
        }
    }
    make_call(&source, CALL_NUMBER_end);
    start(&source);

    rig_run(&rig);

    assert_int_equal(last.reads, 1);
    assert_int_equal(last.writes, 0);
    assert_int_equal(all_cycles(), last.end - last.begin);
    assert_true(spent[27][ARCH_RISCV_WAITS_BARRIER] > 100);
}

/* Constants that the compiler puts behind the text are loaded as from the L1. */
static void constants_lie_with_the_text(void **state G_GNUC_UNUSED)
{
    Source source = {0};

    set(&source, A0, TEXT);
    put(&source, lw(A2, A0, 0)); /* the first instruction's word */
    set(&source, A0, 0xffb00000u);
    put(&source, addi(A1, 0, 2));
    put(&source, addi(A3, 0, 0));
    make_call(&source, CALL_NUMBER_stamp);
    make_call(&source, CALL_NUMBER_end);
    memcpy(source.local, "is", 2);
    start(&source);

    rig_run(&rig);

    assert_int_equal(stamped, source.words[0]);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_rig, close_rig)
    const struct CMUnitTest tests[] = {
        TEST(time_is_kept_by_instruction_and_reason),
        TEST(transfers_that_are_left_behind_are_told),
        TEST(constants_lie_with_the_text),
    };

    return cmocka_run_group_tests_name("arch.tensix_riscv_times", tests, NULL, NULL);
}
