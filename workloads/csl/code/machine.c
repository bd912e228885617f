/* Generates the machine's own functions: those that our libraries declare as
 * `extern fn gridloom_...`. */
#include "sim/narrow.h"
#include "workloads/csl/code/generator.h"

typedef enum {
    SENSE,
    UNARY,
    BINARY,
    UNBLOCK_STREAM,
    TEARDOWN_EXIT,
} Kind;

static const struct {
    const char *name;
    Kind kind;
    const char *operation;
    ArchWseSense sense;
} rows[] = {
    {"gridloom_x", SENSE, NULL, ARCH_WSE_COLUMN},
    {"gridloom_y", SENSE, NULL, ARCH_WSE_ROW},
    {"gridloom_clock", SENSE, NULL, ARCH_WSE_CLOCK},
    {"gridloom_unblock_stream", UNBLOCK_STREAM, NULL, 0},
    {"gridloom_teardown_exit", TEARDOWN_EXIT, NULL, 0},
    {"gridloom_sqrt_f32", UNARY, "sqrt", 0},
    {"gridloom_sqrt_f16", UNARY, "sqrt", 0},
    {"gridloom_abs_f32", UNARY, "abs", 0},
    {"gridloom_abs_f16", UNARY, "abs", 0},
    {"gridloom_max_f32", BINARY, "max", 0},
    {"gridloom_max_f16", BINARY, "max", 0},
    {"gridloom_min_f32", BINARY, "min", 0},
    {"gridloom_min_f16", BINARY, "min", 0},
};

static CslNumber
compute(CslGenerator *self, const CslTyped *typed, const char *name, guint to)
{
    CslNumber operands[2] = {csl_constant(0), csl_constant(0)};

    for (uint32_t i = 0; i < typed->count && i < 2; i++) {
        operands[i] = csl_generate(self, typed->children[i], CSL_ANYWHERE_ELSE);
    }
    csl_emit_operate(self, name, csl_machine_type(self, typed->type), to, operands[0],
                     operands[1]);
    return csl_in_register(to);
}

CslNumber csl_generate_machine(CslGenerator *self, const CslTyped *typed, guint wanted)
{
    const char *name = csl_global_name(typed->instance->function);
    g_autoptr(GError) error = NULL;
    guint to = wanted;
    guint row = 0;

    while (row < G_N_ELEMENTS(rows) && g_strcmp0(rows[row].name, name) != 0) {
        row++;
    }
    csl_emit_at(self, typed->place);
    if (row == G_N_ELEMENTS(rows)) {
        csl_code_fail(self, "'%s' is extern and has no code", name);
        return csl_constant(0);
    }
    if (to == CSL_ANYWHERE_ELSE && csl_is_number(typed->type)) {
        to = csl_take(self, typed->type);
    }
    switch (rows[row].kind) {
    case SENSE:
        csl_check(self,
                  arch_wse_program_sense(self->program, rows[row].sense, to, &error),
                  &error);
        return csl_in_register(to);
    case UNARY:
    case BINARY:
        return compute(self, typed, rows[row].operation, to);
    case UNBLOCK_STREAM:
        csl_check(self, arch_wse_program_unblock_stream(self->program, &error), &error);
        break;
    case TEARDOWN_EXIT:
        csl_check(
            self,
            arch_wse_program_teardown_exit(
                self->program, (guint) typed->instance->arguments[0].integer, &error),
            &error);
        break;
    }
    return csl_constant(0);
}
