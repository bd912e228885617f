/* Scalar operations per second of PEs, on one host thread: integers, floats, memory,
 * branches, calls, and a loop as compilers write it. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <glib.h>

#include "arch/wse.h"

enum {
    COLUMNS = 20,
    ROWS = 20,
    QUICK_TURNS = 50,
    TURNS = 10000,
    ELEMENTS = 64,
    Y = 256, /* address of the second array */
    ONE = 0x3f800000,
};

/* The program at hand, its registers and its function. */
typedef struct {
    ArchWseProgram *program;
    guint a;
    guint b;
    guint c;
    guint at;
    guint function;
    guint count; /* operations of the loop's body */
} Code;

/* Puts a body into the loop. */
typedef void Put(Code *code);

static ArchWseOperand constant(int32_t value)
{
    return (ArchWseOperand){.value = value};
}

static ArchWseOperand in(guint variable)
{
    return (ArchWseOperand){.is_variable = true, .value = (int32_t) variable};
}

static void
operate(Code *code, const char *name, ArchWseType type, guint to, ArchWseOperand b)
{
    const ArchWseOperand operands[] = {in(to), b};

    (void) arch_wse_program_operate(code->program, name, type, to, operands, NULL);
    code->count++;
}

static void put_integers(Code *code)
{
    for (guint i = 0; i < 3; i++) {
        operate(code, "add", ARCH_WSE_U16, code->a, constant(3));
        operate(code, "xor", ARCH_WSE_U16, code->b, in(code->a));
        operate(code, "mul", ARCH_WSE_I16, code->c, in(code->b));
        operate(code, "add", ARCH_WSE_U32, code->at, in(code->c));
    }
}

static void put_floats(Code *code)
{
    for (guint i = 0; i < 4; i++) {
        operate(code, "sub", ARCH_WSE_F32, code->a, in(code->c));
        operate(code, "mul", ARCH_WSE_F32, code->a, in(code->b));
        operate(code, "add", ARCH_WSE_F32, code->c, in(code->a));
    }
}

static void load(Code *code, guint to, int offset)
{
    (void) arch_wse_program_load(code->program, ARCH_WSE_F32, to, in(code->at), offset,
                                 NULL);
    code->count++;
}

static void store(Code *code, guint from, int offset)
{
    (void) arch_wse_program_store(code->program, ARCH_WSE_F32, in(from), in(code->at),
                                  offset, NULL);
    code->count++;
}

static void put_memory(Code *code)
{
    for (int i = 0; i < 6; i++) {
        load(code, code->a, 4 * i);
        store(code, code->a, Y + 4 * i);
    }
}

/* One falls through, the next jumps. */
static void put_branches(Code *code)
{
    for (guint i = 0; i < 4; i++) {
        guint label = 0;

        operate(code, "eq", ARCH_WSE_U16, code->a, in(code->a));
        (void) arch_wse_program_label(code->program, &label, NULL);
        (void) arch_wse_program_jump_if(code->program, code->a, i % 2 == 0, label,
                                        NULL);
        (void) arch_wse_program_place(code->program, label, NULL);
        code->count++;
    }
}

static void put_calls(Code *code)
{
    for (guint i = 0; i < 4; i++) {
        (void) arch_wse_program_call(code->program, code->function, NULL);
        code->count += 3; /* with the addition in it, and the return */
    }
}

/* y[i] = y[i] + 2 x[i], the address counted up to an end */
static void put_loop(Code *code)
{
    for (guint i = 0; i < 4; i++) {
        load(code, code->a, 0);
        operate(code, "mul", ARCH_WSE_F32, code->a, constant(ONE));
        load(code, code->b, Y);
        operate(code, "add", ARCH_WSE_F32, code->b, in(code->a));
        store(code, code->b, Y);
        operate(code, "add", ARCH_WSE_U16, code->at, constant(4));
        operate(code, "and", ARCH_WSE_U16, code->at, constant(Y - 1));
        operate(code, "lt", ARCH_WSE_U16, code->c, constant(100));
    }
}

static guint new_register(ArchWseProgram *program, int32_t value)
{
    guint variable = 0;

    (void) arch_wse_program_variable(program, NULL, value, &variable, NULL);
    return variable;
}

static void put_function(Code *code)
{
    (void) arch_wse_program_function(code->program, "f", &code->function, NULL);
    (void) arch_wse_program_begin_function(code->program, code->function, NULL);
    operate(code, "add", ARCH_WSE_U16, code->a, constant(1));
    (void) arch_wse_program_end_function(code->program, NULL);
    code->count = 0;
}

/* Returns how many operations a PE executes. */
static uint64_t put_program(ArchWseProgram *program, Put *body, guint turns)
{
    Code code = {.program = program};
    const guint left = new_register(program, (int32_t) turns);
    guint array = 0;
    guint head = 0;

    code.a = new_register(program, ONE);
    code.b = new_register(program, ONE);
    code.c = new_register(program, 0);
    code.at = new_register(program, 0);
    (void) arch_wse_program_array(program, "x", ARCH_WSE_F32, 2 * ELEMENTS, 0, &array,
                                  NULL);
    put_function(&code);
    (void) arch_wse_program_begin_task(program, ARCH_WSE_TASK_LOCAL, 8, "loop",
                                       ARCH_WSE_NONE, NULL);
    (void) arch_wse_program_label(program, &head, NULL);
    (void) arch_wse_program_place(program, head, NULL);
    body(&code);
    operate(&code, "sub", ARCH_WSE_U16, left, constant(1));
    (void) arch_wse_program_jump_if(program, left, false, head, NULL);
    (void) arch_wse_program_end_task(program, NULL);
    (void) arch_wse_program_activate(program, 8, NULL);
    return (uint64_t) turns * (code.count + 1);
}

static double cpu_seconds(void)
{
    struct timespec now = {0};

    (void) clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double) now.tv_sec + (double) now.tv_nsec * 1e-9;
}

static void measure(const ArchParams *params, const char *name, Put *body, guint turns)
{
    const ArchWseTiles all = {0, 0, COLUMNS - 1, ROWS - 1, 1, 1};
    const ArchWseOptions options = {.is_functional = true};
    g_autoptr(GError) error = NULL;
    g_autoptr(SimEngine) engine = sim_engine_new(sim_engine_config_default());
    g_autoptr(ArchWse) wse = arch_wse_new(engine, params);
    ArchWseLayout *layout = arch_wse_layout_new(params, COLUMNS, ROWS, NULL);
    ArchWseProgram *program = arch_wse_program_new(params, name);
    const uint64_t each = put_program(program, body, turns);

    if (!arch_wse_layout_set_tile_code(layout, all, program, &error) ||
        !arch_wse_load(wse, layout, &options, &error)) {
        g_error("%s", error->message);
    }
    arch_wse_start(wse);
    const double begin = cpu_seconds();

    if (!sim_engine_run(engine, SIM_TIME_NEVER, &error)) {
        g_error("%s", error->message);
    }
    const double seconds = cpu_seconds() - begin;
    const double operations = (double) each * COLUMNS * ROWS;

    printf("{\"case\": \"%s\", \"pes\": %d, \"operations_per_second\": %.0f, "
           "\"operations\": %.0f, \"cycles\": %" G_GUINT64_FORMAT "}\n",
           name, COLUMNS * ROWS, operations / seconds, operations,
           (uint64_t) sim_engine_now(engine));
    (void) fflush(stdout);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        Put *body;
    } cases[] = {
        {"integers", put_integers}, {"floats", put_floats}, {"memory", put_memory},
        {"branches", put_branches}, {"calls", put_calls},   {"loop", put_loop},
    };
    const guint turns =
        argc > 1 && g_str_equal(argv[1], "--quick") ? QUICK_TURNS : TURNS;
    g_autoptr(ArchParams) params =
        arch_params_load(GRIDLOOM_SOURCE_DIR "/arch/chips/wse2.ini", NULL);

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        measure(params, cases[i].name, cases[i].body, turns);
    }
    return EXIT_SUCCESS;
}
