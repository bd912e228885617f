/* Generates the machine's own functions: those that our libraries declare as
 * `extern fn gridloom_...`. */
#include "sim/narrow.h"
#include "workloads/csl/code/call.h"
#include "workloads/csl/code/emit.h"
#include "workloads/csl/code/expression.h"
#include "workloads/csl/code/generator.h"
#include "workloads/csl/code/registers.h"

typedef enum {
    SENSE,
    UNARY,
    BINARY,
    UNBLOCK_STREAM,
    SEED,
    PRINT_TEXT,
    PRINT_VALUE,
    RECORD,
} Kind;

static const struct {
    const char *name;
    const char *operation;
    Kind kind;
    ArchWseSense sense;
} rows[] = {
    {"gridloom_x", NULL, SENSE, ARCH_WSE_COLUMN},
    {"gridloom_y", NULL, SENSE, ARCH_WSE_ROW},
    {"gridloom_clock", NULL, SENSE, ARCH_WSE_CLOCK},
    {"gridloom_unblock_stream", NULL, UNBLOCK_STREAM, 0},
    {"gridloom_random_seed", NULL, SEED, 0},
    {"gridloom_print_text", NULL, PRINT_TEXT, 0},
    {"gridloom_print_u16", NULL, PRINT_VALUE, 0},
    {"gridloom_print_u32", NULL, PRINT_VALUE, 0},
    {"gridloom_print_i16", NULL, PRINT_VALUE, 0},
    {"gridloom_print_i32", NULL, PRINT_VALUE, 0},
    {"gridloom_print_f32", NULL, PRINT_VALUE, 0},
    {"gridloom_trace", NULL, RECORD, 0},
    {"gridloom_sqrt_f32", "sqrt", UNARY, 0},
    {"gridloom_sqrt_f16", "sqrt", UNARY, 0},
    {"gridloom_abs_f32", "abs", UNARY, 0},
    {"gridloom_abs_f16", "abs", UNARY, 0},
    {"gridloom_max_f32", "max", BINARY, 0},
    {"gridloom_max_f16", "max", BINARY, 0},
    {"gridloom_min_f32", "min", BINARY, 0},
    {"gridloom_min_f16", "min", BINARY, 0},
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

/* A text that is an argument of comptime. */
static const char *text_of(const CslTyped *typed, uint32_t argument)
{
    const CslValue *value = &typed->instance->arguments[argument];

    return value->type == NULL || value->type->kind != CSL_KIND_STRING
               ? ""
               : value->text->bytes;
}

static ArchWseFormat format_of(const char *letter)
{
    if (g_ascii_tolower(letter[0]) == 'x') {
        return ARCH_WSE_HEX;
    }
    return letter[0] == 'b' ? ARCH_WSE_BINARY : ARCH_WSE_DECIMAL;
}

/* What leaves no value. */
static void act(CslGenerator *self, const CslTyped *typed, Kind kind)
{
    ArchWseProgram *program = self->program;
    CslNumber number = csl_constant(0);
    ArchWseOperand operand;
    g_autoptr(GError) error = NULL;
    bool is_well;

    if (typed->count > 0) {
        number = csl_generate(self, typed->children[0], CSL_ANYWHERE_ELSE);
    }
    operand = csl_operand(self, number, ARCH_WSE_U32);
    switch (+kind) {
    case SEED:
        is_well = arch_wse_program_seed(program, operand, &error);
        break;
    case PRINT_TEXT:
        is_well = arch_wse_program_print_text(program, text_of(typed, 0), &error);
        break;
    case PRINT_VALUE:
        is_well = arch_wse_program_print_value(
            program, csl_machine_type(self, typed->children[0]->type),
            format_of(text_of(typed, 1)), operand, &error);
        break;
    case RECORD:
        is_well = arch_wse_program_record(program, text_of(typed, 0), 0,
                                          text_of(typed, 1), operand, &error);
        break;
    default:
        is_well = arch_wse_program_unblock_stream(program, &error);
        break;
    }
    csl_check(self, is_well, &error);
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
    switch (+rows[row].kind) {
    case SENSE:
        csl_check(self,
                  arch_wse_program_sense(self->program, rows[row].sense, to, &error),
                  &error);
        return csl_in_register(to);
    case UNARY:
    case BINARY:
        return compute(self, typed, rows[row].operation, to);
    default:
        act(self, typed, rows[row].kind);
        break;
    }
    return csl_constant(0);
}
