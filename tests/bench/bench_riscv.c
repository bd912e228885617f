/* Instructions per second of one baby RISC-V: arithmetic, local memory, branches, loads
 * from the L1, and all of them in turn. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <glib.h>

#include "arch/tensix/riscv/cpu.h"
#include "tests/arch/tensix/assembler.h"

enum {
    TEXT = 0x9000,
    WORDS = 128,
    L1_WORDS = 256,
    L1_CYCLES = 8,
    STRETCH_CYCLES = 4096, /* that a RISC-V runs before others have their turn */
    QUICK_TURNS = 100000,
    TURNS = 10000000,
    T2 = 7,
};

#define LOCAL 0xffb00000u

/* As a TRISC has them. */
static const RiscvNumbers numbers = {
    .multiply_cycles = 2,
    .divide_least_cycles = 6,
    .divide_most_cycles = 33,
    .divide_start_cycles = 3,
    .branch_cycles = {306, 100},
    .local_load_cycles = 2,
    .slot_cycles = 7,
    .cache_lines = 128,
    .miss_cycles = {60, 100},
    .local_address = LOCAL,
    .local_bytes = 2048,
};

typedef struct {
    uint32_t words[WORDS];
    guint count;
} Text;

/* Puts 12 instructions of a kind into a loop. */
typedef void Put(Text *text);

static void put(Text *text, uint32_t word)
{
    g_assert(text->count < WORDS);
    text->words[text->count++] = word;
}

static void put_arithmetic(Text *text)
{
    static const guint operations[] = {0, 4, 6, 7, 1, 5};

    for (guint i = 0; i < G_N_ELEMENTS(operations); i++) {
        put(text, r_type(0, operations[i], A1, A0, A2));
        put(text, addi(A0, A1, 5));
    }
}

static void put_local(Text *text)
{
    for (int i = 0; i < 4; i++) {
        put(text, lw(A0, SP, -64 + 8 * i));
        put(text, addi(A1, A1, 1));
        put(text, sw(A1, SP, -64 + 8 * i));
    }
}

/* One falls through, the next jumps. */
static void put_branches(Text *text)
{
    for (guint i = 0; i < 4; i++) {
        put(text, addi(A0, A0, 1));
        put(text, branch(i % 2, A0, 0, 4));
        put(text, addi(A1, A1, 1));
    }
}

static void put_l1(Text *text)
{
    for (int i = 0; i < 4; i++) {
        put(text, lw(A0 + (guint) i, T2, 4 * i));
        put(text, addi(T1, T1, 1));
        put(text, addi(T1, T1, -1));
    }
}

static void put_all(Text *text)
{
    put_arithmetic(text);
    put_local(text);
    put_branches(text);
    put_l1(text);
}

/* The loop counts t0 down to 0. */
static RiscvCode *code_of(Put *body, guint turns)
{
    Text text = {.count = 0};

    put(&text, lui(T0, turns + 0x800));
    put(&text, addi(T0, T0, (int) (turns << 20) >> 20));
    put(&text, lui(T2, 0x20000));
    const guint first = text.count;

    body(&text);
    put(&text, addi(T0, T0, -1));
    put(&text, branch(1, T0, 0, ((int) first - (int) text.count) * 4));
    put(&text, ecall);
    return riscv_code_new(TEXT, text.words, text.count);
}

static void run(RiscvCpu *cpu)
{
    static const uint32_t l1[L1_WORDS] = {1, 2, 3, 4};

    do {
        riscv_cpu_run(cpu, cpu->now + STRETCH_CYCLES);
        if (cpu->stop.state == RISCV_LOADS) {
            riscv_cpu_load(cpu, l1[cpu->stop.address / 4 % L1_WORDS], L1_CYCLES);
        }
    } while (cpu->stop.state != RISCV_CALLS);
}

static double cpu_seconds(void)
{
    struct timespec now = {0};

    (void) clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double) now.tv_sec + (double) now.tv_nsec * 1e-9;
}

static void measure(const char *name, Put *body, guint turns)
{
    g_autoptr(RiscvCode) code = code_of(body, turns);
    RiscvCpu cpu;

    riscv_cpu_init(&cpu, code, &numbers, TEXT);
    const double begin = cpu_seconds();

    run(&cpu);
    const double seconds = cpu_seconds() - begin;

    printf("{\"case\": \"%s\", \"instructions_per_second\": %.0f, "
           "\"instructions\": %" G_GUINT64_FORMAT ", \"cycles\": %" G_GUINT64_FORMAT
           "}\n",
           name, (double) cpu.instructions / seconds, cpu.instructions, cpu.now);
    (void) fflush(stdout);
    riscv_cpu_clear(&cpu);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        Put *body;
    } cases[] = {
        {"arithmetic", put_arithmetic}, {"local memory", put_local},
        {"branches", put_branches},     {"loads from L1", put_l1},
        {"all of these", put_all},
    };
    const guint turns =
        argc > 1 && g_str_equal(argv[1], "--quick") ? QUICK_TURNS : TURNS;

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        measure(cases[i].name, cases[i].body, turns);
    }
    return EXIT_SUCCESS;
}
