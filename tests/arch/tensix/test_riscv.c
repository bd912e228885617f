/* Baby RISC-Vs: what instructions do to numbers, what they cost, where they stop. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "arch/tensix/riscv/cpu.h"
#include "tests/arch/tensix/assembler.h"

enum {
    TEXT = 0x9000,
    LOCAL_BYTES = 4096,
    WORDS = 4096,
    L1_CYCLES = 8,
};

#define LOCAL 0xffb00000u

static const RiscvNumbers numbers = {
    .multiply_cycles = 2,
    .divide_least_cycles = 6,
    .divide_most_cycles = 33,
    .divide_start_cycles = 3,
    .branch_cycles = {3, 1},
    .local_load_cycles = 2,
    .slot_cycles = 7,
    .local_address = LOCAL,
    .local_bytes = LOCAL_BYTES,
};

/* A program that is written word by word. */
typedef struct {
    uint32_t words[WORDS];
    guint count;
    RiscvCode *code;
    RiscvCpu cpu;
} Rig;

static void put(Rig *rig, uint32_t word)
{
    rig->words[rig->count++] = word;
}

static void start(Rig *rig, const RiscvNumbers *with)
{
    rig->code = riscv_code_new(TEXT, rig->words, rig->count);
    riscv_cpu_init(&rig->cpu, rig->code, with, TEXT);
}

static void end(Rig *rig)
{
    riscv_cpu_clear(&rig->cpu);
    riscv_code_free(rig->code);
    g_free(rig);
}

/* Runs a program of at most its words to its ecall, with loads from an L1 of zeros. */
static SimTime run(Rig *rig)
{
    riscv_cpu_run(&rig->cpu, SIM_TIME_NEVER);
    while (rig->cpu.stop.state == RISCV_LOADS || rig->cpu.stop.state == RISCV_STORES) {
        if (rig->cpu.stop.state == RISCV_LOADS) {
            riscv_cpu_load(&rig->cpu, 0, L1_CYCLES);
        }
        riscv_cpu_run(&rig->cpu, SIM_TIME_NEVER);
    }
    assert_int_equal(rig->cpu.stop.state, RISCV_CALLS);
    return rig->cpu.now - 1; /* without the ecall */
}

static uint32_t by_hand(guint funct7, guint funct3, uint32_t a, uint32_t b)
{
    const int64_t sa = (int32_t) a;
    const int64_t sb = (int32_t) b;
    const guint shift = b % 32;

    switch (funct7 * 8 + funct3) {
    case 0x00 * 8 + 0:
        return (uint32_t) (sa + sb);
    case 0x20 * 8 + 0:
        return (uint32_t) (sa - sb);
    case 0x00 * 8 + 1:
        return (uint32_t) ((uint64_t) a << shift);
    case 0x00 * 8 + 2:
        return sa < sb;
    case 0x00 * 8 + 3:
        return a < b;
    case 0x00 * 8 + 4:
        return (a | b) & ~(a & b);
    case 0x00 * 8 + 5:
        return (uint32_t) ((uint64_t) a >> shift);
    case 0x20 * 8 + 5:
        return (uint32_t) (sa >> shift);
    case 0x00 * 8 + 6:
        return ~(~a & ~b);
    case 0x00 * 8 + 7:
        return ~(~a | ~b);
    case 0x01 * 8 + 0:
        return (uint32_t) ((uint64_t) a * b);
    case 0x01 * 8 + 1:
        return (uint32_t) ((uint64_t) (sa * sb) >> 32);
    case 0x01 * 8 + 2:
        return (uint32_t) ((uint64_t) (sa * (int64_t) b) >> 32);
    case 0x01 * 8 + 3:
        return (uint32_t) ((uint64_t) a * b >> 32);
    case 0x01 * 8 + 4:
        return b == 0 ? G_MAXUINT32 : (uint32_t) (sa / sb);
    case 0x01 * 8 + 5:
        return b == 0 ? G_MAXUINT32 : a / b;
    case 0x01 * 8 + 6:
        return b == 0 ? a : (uint32_t) (sa % sb);
    case 0x01 * 8 + 7:
        return b == 0 ? a : a % b;
    default:
        fail();
        return 0;
    }
}

static uint32_t any_number(GRand *random)
{
    static const uint32_t special[] = {0, 1, 2, 31, 0x7fffffff, 0x80000000, 0xffffffff};

    return g_rand_boolean(random)
               ? special[g_rand_int_range(random, 0, G_N_ELEMENTS(special))]
               : g_rand_int(random);
}

static void registers_get_what_arithmetic_gives(void **state)
{
    static const guint operations[][2] = {
        {0x00, 0}, {0x20, 0}, {0x00, 1}, {0x00, 2}, {0x00, 3}, {0x00, 4},
        {0x00, 5}, {0x20, 5}, {0x00, 6}, {0x00, 7}, {0x01, 0}, {0x01, 1},
        {0x01, 2}, {0x01, 3}, {0x01, 4}, {0x01, 5}, {0x01, 6}, {0x01, 7},
    };
    g_autoptr(GRand) random = g_rand_new_with_seed(1);

    (void) state;
    for (guint i = 0; i < 4000; i++) {
        const guint *what =
            operations[g_rand_int_range(random, 0, G_N_ELEMENTS(operations))];
        const uint32_t a = any_number(random);
        const uint32_t b = any_number(random);
        Rig *rig = g_new0(Rig, 1);

        put(rig, r_type(what[0], what[1], A0, A1, A2));
        put(rig, r_type(what[0], what[1], 0, A1, A2)); /* x0 stays 0 */
        put(rig, ecall);
        start(rig, &numbers);
        rig->cpu.x[A1] = a;
        rig->cpu.x[A2] = b;
        run(rig);
        assert_int_equal(rig->cpu.x[A0], by_hand(what[0], what[1], a, b));
        assert_int_equal(rig->cpu.x[0], 0);
        end(rig);
    }
}

static void immediates_are_signed(void **state)
{
    Rig *rig = g_new0(Rig, 1);

    (void) state;
    put(rig, addi(A0, 0, -2048));
    put(rig, i_type(0x13, 3, A1, A0, -1));        /* sltiu: below the largest number */
    put(rig, i_type(0x13, 5, A2, A0, 0x400 | 4)); /* srai */
    put(rig, 0xfffff000 | T0 << 7 | 0x37);        /* lui */
    put(rig, ecall);
    start(rig, &numbers);
    run(rig);
    assert_int_equal(rig->cpu.x[A0], (uint32_t) -2048);
    assert_int_equal(rig->cpu.x[A1], 1);
    assert_int_equal(rig->cpu.x[A2], (uint32_t) -128);
    assert_int_equal(rig->cpu.x[T0], 0xfffff000);
    end(rig);
}

static void bytes_and_halves_are_extended(void **state)
{
    Rig *rig = g_new0(Rig, 1);

    (void) state;
    put(rig, 0x8182f000 | A1 << 7 | 0x37); /* lui a1, 0x8182f */
    put(rig, sw(A1, SP, -8));
    put(rig, i_type(0x03, 0, A0, SP, -5)); /* lb of 0x81 */
    put(rig, i_type(0x03, 5, T0, SP, -6)); /* lhu of 0x8182 */
    put(rig, i_type(0x03, 1, A2, SP, -8)); /* lh of 0xf000 */
    put(rig, ecall);
    start(rig, &numbers);
    run(rig);
    assert_int_equal(rig->cpu.x[A0], 0xffffff81);
    assert_int_equal(rig->cpu.x[T0], 0x8182);
    assert_int_equal(rig->cpu.x[A2], 0xfffff000);
    end(rig);
}

/* Cycles of a program that is `count` times the same word, then an ecall. */
static SimTime cycles_of(uint32_t word, guint count)
{
    Rig *rig = g_new0(Rig, 1);
    SimTime cycles;

    for (guint i = 0; i < count; i++) {
        put(rig, word);
    }
    put(rig, ecall);
    start(rig, &numbers);
    rig->cpu.x[A1] = 1 << 28; /* 29 bits */
    rig->cpu.x[A2] = 3;
    cycles = run(rig);
    end(rig);
    return cycles;
}

static void instructions_take_their_cycles(void **state)
{
    (void) state;

    assert_int_equal(cycles_of(nop, 100), 100);
    assert_int_equal(cycles_of(0x0f, 100), 100);                     /* fence */
    assert_int_equal(cycles_of(r_type(1, 0, A0, A1, A2), 100), 200); /* mul */
    assert_int_equal(cycles_of(r_type(1, 4, A0, A1, A2), 10), 320);  /* div */
    assert_int_equal(cycles_of(r_type(1, 4, A0, A2, A1), 10), 60);   /* of 3 */
    assert_int_equal(cycles_of(r_type(1, 5, A0, A1, 0), 10), 20);    /* by 0 */
    assert_int_equal(cycles_of(branch(0, 0, 0, 4), 100), 300);       /* beq, taken */
    assert_int_equal(cycles_of(branch(1, 0, 0, 4), 100), 100);       /* bne, not */
    assert_int_equal(cycles_of(jal(0, 4), 100), 300);
}

/* A chain of loads waits for each; loads that nobody waits for fill four slots. */
static void loads_wait_for_operands_and_slots(void **state)
{
    Rig *rig = g_new0(Rig, 1);

    (void) state;
    assert_int_equal(cycles_of(lw(A0, A0, 0), 100), 99 * L1_CYCLES + 1);

    for (guint i = 0; i < 400; i++) {
        put(rig, lw(16 + i % 8, A1, 0));
    }
    put(rig, ecall);
    start(rig, &numbers);
    assert_int_equal(run(rig), 99 * 7 + 4);
    end(rig);
}

static void a_value_is_there_when_it_is_used_and_not_before(void **state)
{
    Rig *rig = g_new0(Rig, 1);

    (void) state;
    put(rig, lw(A0, A1, 0));
    put(rig, nop);
    put(rig, addi(A0, A0, 1));
    put(rig, ecall);
    start(rig, &numbers);
    assert_int_equal(run(rig), L1_CYCLES + 1);
    end(rig);

    rig = g_new0(Rig, 1);
    put(rig, sw(A1, SP, -4));
    put(rig, lw(A0, SP, -4));
    put(rig, addi(A0, A0, 1));
    put(rig, ecall);
    start(rig, &numbers);
    assert_int_equal(run(rig), 1 + 2 + 1);
    end(rig);
}

/* Eight instructions go on behind a load, the ninth waits until it is through. */
static void few_instructions_wait_behind_a_load(void **state)
{
    for (guint count = 7; count <= 10; count++) {
        Rig *rig = g_new0(Rig, 1);

        (void) state;
        put(rig, lw(A0, A1, 0));
        for (guint i = 0; i < count; i++) {
            put(rig, nop);
        }
        put(rig, ecall);
        start(rig, &numbers);
        riscv_cpu_run(&rig->cpu, SIM_TIME_NEVER);
        riscv_cpu_load(&rig->cpu, 0, 100);
        assert_int_equal(run(rig), count < 8 ? 1 + count : 100 + count - 8);
        end(rig);
    }
}

static void a_loop_is_foreseen_from_its_second_turn_until_it_ends(void **state)
{
    Rig *rig = g_new0(Rig, 1);

    (void) state;
    put(rig, addi(A0, A0, -1));
    put(rig, branch(1, A0, 0, -4));
    put(rig, ecall);
    start(rig, &numbers);
    rig->cpu.x[A0] = 1000;
    assert_int_equal(run(rig), 2000 + 2 + 2);
    end(rig);
}

/* Kernels wait so until a command buffer is ready, which it mostly is. */
static void a_branch_back_that_is_never_taken_takes_a_cycle(void **state)
{
    (void) state;
    assert_int_equal(cycles_of(branch(1, 0, 0, -4), 100), 100);
}

/* The loop of 50 nops that the vendor counts as 52 cycles a turn. */
static void fifty_nops_in_a_loop_take_52_cycles(void **state)
{
    Rig *rig = g_new0(Rig, 1);
    RiscvNumbers cached = numbers;

    (void) state;
    cached.cache_lines = 32;
    cached.miss_cycles = (SimRatio){8, 5};
    for (guint i = 0; i < 50; i++) {
        put(rig, nop);
    }
    put(rig, addi(A0, A0, -1));
    put(rig, branch(1, A0, 0, -51 * 4));
    put(rig, ecall);
    start(rig, &cached);
    rig->cpu.x[A0] = 2000;
    assert_in_range(run(rig), 2000 * 52, 2000 * 52 + 40);
    end(rig);
}

/* 2048 bytes of text in a cache of 512. */
static void loops_beyond_the_cache_are_fetched_again(void **state)
{
    Rig *rig = g_new0(Rig, 1);
    RiscvNumbers cached = numbers;
    SimTime cycles;

    (void) state;
    cached.cache_lines = 32;
    cached.miss_cycles = (SimRatio){8, 5};
    for (guint i = 0; i < 510; i++) {
        put(rig, nop);
    }
    put(rig, addi(A0, A0, -1));
    put(rig, branch(1, A0, 0, -511 * 4));
    put(rig, ecall);
    start(rig, &cached);
    rig->cpu.x[A0] = 100;
    cycles = run(rig);
    assert_in_range(cycles, 1.39 * 51200, 1.41 * 51200);
    end(rig);
}

static void it_pauses_in_time_and_goes_on(void **state)
{
    Rig *rig = g_new0(Rig, 1);

    (void) state;
    for (guint i = 0; i < 20; i++) {
        put(rig, nop);
    }
    put(rig, ecall);
    start(rig, &numbers);
    riscv_cpu_run(&rig->cpu, 7);
    assert_int_equal(rig->cpu.stop.state, RISCV_PAUSES);
    assert_int_equal(rig->cpu.now, 7);
    assert_int_equal(riscv_cpu_pc(&rig->cpu), TEXT + 7 * 4);
    assert_int_equal(run(rig), 20);
    end(rig);
}

static void faults_are_named(void **state)
{
    const struct {
        uint32_t word;
        uint32_t address;
        const char *why;
    } cases[] = {
        {0xffffffff, 0, "not an instruction of RV32IM"},
        {0x00100073, 0, "not an instruction of RV32IM"},                  /* ebreak */
        {0x02000000 | 0x13 | 1 << 12, 0, "not an instruction of RV32IM"}, /* slli, 33 */
        {0x00000002, 0, "not an instruction of RV32IM"}, /* 16 bits, of the C set */
        {0, 0, "not an instruction of RV32IM"},
        {i_type(0x03, 2, A0, 0, 2), 2, "loads from a misaligned address"},
        {sw(A0, 0, 1), 1, "stores to a misaligned address"},
        {jal(0, -4), TEXT - 4, "jumps to where its program is not"},
        {i_type(0x67, 0, 0, 0, 64), 64, "jumps to where its program is not"},
    };

    (void) state;
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        Rig *rig = g_new0(Rig, 1);

        put(rig, cases[i].word);
        put(rig, ecall);
        start(rig, &numbers);
        riscv_cpu_run(&rig->cpu, SIM_TIME_NEVER);
        assert_int_equal(rig->cpu.stop.state, RISCV_FAILS);
        assert_string_equal(rig->cpu.stop.why, cases[i].why);
        assert_int_equal(rig->cpu.stop.address, cases[i].address);
        end(rig);
    }
}

static void a_program_that_has_no_end_leaves_its_text(void **state)
{
    Rig *rig = g_new0(Rig, 1);

    (void) state;
    put(rig, nop);
    start(rig, &numbers);
    riscv_cpu_run(&rig->cpu, SIM_TIME_NEVER);
    assert_int_equal(rig->cpu.stop.state, RISCV_FAILS);
    assert_int_equal(riscv_cpu_pc(&rig->cpu), TEXT + 8);
    end(rig);
}

static void stores_outside_the_local_memory_are_reported(void **state)
{
    Rig *rig = g_new0(Rig, 1);

    (void) state;
    put(rig, sw(A1, A0, 0));
    put(rig, ecall);
    start(rig, &numbers);
    rig->cpu.x[A0] = LOCAL + LOCAL_BYTES;
    rig->cpu.x[A1] = 77;
    riscv_cpu_run(&rig->cpu, SIM_TIME_NEVER);
    assert_int_equal(rig->cpu.stop.state, RISCV_STORES);
    assert_int_equal(rig->cpu.stop.address, LOCAL + LOCAL_BYTES);
    assert_int_equal(rig->cpu.stop.value, 77);
    assert_int_equal(rig->cpu.stop.bytes, 4);
    end(rig);
}

static void instructions_can_be_read(void **state)
{
    const struct {
        uint32_t word;
        const char *text;
    } cases[] = {
        {r_type(1, 0, A0, A1, A2), "mul x10, x11, x12"},
        {addi(A0, SP, -16), "addi x10, x2, -16"},
        {sw(A0, SP, -12), "sw x10, -12(x2)"},
        {branch(5, A0, A1, -4000), "bge x10, x11, -4000"},
        {jal(1, 2048), "jal x1, +2048"},
        {0x12345000 | A0 << 7 | 0x37, "lui x10, 0x12345"},
        {ecall, "ecall"},
        {0, ".word 0x00000000"},
    };

    (void) state;
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = riscv_disassemble(cases[i].word);

        assert_string_equal(text, cases[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(registers_get_what_arithmetic_gives),
        cmocka_unit_test(immediates_are_signed),
        cmocka_unit_test(bytes_and_halves_are_extended),
        cmocka_unit_test(instructions_take_their_cycles),
        cmocka_unit_test(loads_wait_for_operands_and_slots),
        cmocka_unit_test(a_value_is_there_when_it_is_used_and_not_before),
        cmocka_unit_test(few_instructions_wait_behind_a_load),
        cmocka_unit_test(a_loop_is_foreseen_from_its_second_turn_until_it_ends),
        cmocka_unit_test(a_branch_back_that_is_never_taken_takes_a_cycle),
        cmocka_unit_test(fifty_nops_in_a_loop_take_52_cycles),
        cmocka_unit_test(loops_beyond_the_cache_are_fetched_again),
        cmocka_unit_test(it_pauses_in_time_and_goes_on),
        cmocka_unit_test(faults_are_named),
        cmocka_unit_test(a_program_that_has_no_end_leaves_its_text),
        cmocka_unit_test(stores_outside_the_local_memory_are_reported),
        cmocka_unit_test(instructions_can_be_read),
    };

    return cmocka_run_group_tests_name("arch.tensix_riscv", tests, NULL, NULL);
}
