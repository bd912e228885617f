/* Compiles the code of tasks: whole numbers, scalars, and branches to jumps. */
#include "arch/wse/program/build.h"
#include "arch/wse_code.h"
#include "arch/wse_layout.h"
#include "sim/narrow.h"

bool wse_emit(ArchWseProgram *self, const WseInstruction *instruction, GError **error)
{
    if (!wse_check_task_open(self, error)) {
        return false;
    }
    /* A jump may lead to the place after the last. */
    if (self->instructions->len >= ARCH_WSE_NONE - 1) {
        return wse_refuse(self, error, "more than %d instructions", ARCH_WSE_NONE - 1);
    }
    g_array_append_vals(self->instructions, instruction, 1);
    g_array_append_val(self->places, self->place);
    return true;
}

static bool
check_operand(const ArchWseProgram *self, ArchWseOperand operand, GError **error)
{
    return !operand.is_variable ||
           wse_check_variable(self, sim_u32(operand.value), error);
}

static bool emit_whole(ArchWseProgram *self,
                       WseInstruction instruction,
                       guint variable,
                       ArchWseOperand operand,
                       GError **error)
{
    if (!wse_check_variable(self, variable, error) ||
        !check_operand(self, operand, error)) {
        return false;
    }
    instruction.variable = sim_u16(variable);
    instruction.value = operand.value;
    instruction.is_variable = operand.is_variable;
    return wse_emit(self, &instruction, error);
}

/* Whole numbers that tasks share, and scalars, are in memory: an instruction on them
 * loads its sources, takes `cycles`, and stores what it has. */
static uint16_t
with_memory(const ArchWseProgram *self, guint loads, guint cycles, guint stores)
{
    return sim_u16(loads * wse_param(self, "pe.load_cycles") + cycles +
                   stores * wse_param(self, "pe.store_cycles"));
}

bool arch_wse_program_assign(ArchWseProgram *self,
                             guint variable,
                             ArchWseOperand operand,
                             GError **error)
{
    const WseInstruction assign = {
        .code = WSE_ASSIGN,
        .cycles = with_memory(self, operand.is_variable ? 1 : 0, 0, 1),
    };

    return emit_whole(self, assign, variable, operand, error);
}

bool arch_wse_program_add(ArchWseProgram *self,
                          guint variable,
                          ArchWseOperand operand,
                          GError **error)
{
    const WseInstruction add = {
        .code = WSE_ADD,
        .cycles = with_memory(self, operand.is_variable ? 2 : 1,
                              wse_param(self, "pe.integer_cycles"), 1),
    };

    return emit_whole(self, add, variable, operand, error);
}

static WseInstruction jump_unless(const ArchWseProgram *self,
                                  WseCode code,
                                  ArchWseRelation relation,
                                  guint loads)
{
    return (WseInstruction){
        .code = sim_u8(code),
        .relation = sim_u8(relation),
        .cycles =
            with_memory(self, loads, wse_param(self, "pe.branch_not_taken_cycles"), 0),
        .cycles_taken =
            with_memory(self, loads, wse_param(self, "pe.branch_taken_cycles"), 0),
    };
}

static bool emit_jump(ArchWseProgram *self, guint target, GError **error)
{
    const uint16_t cycles = sim_u16(wse_param(self, "pe.branch_taken_cycles"));
    const WseInstruction jump = {.code = WSE_JUMP,
                                 .cycles = cycles,
                                 .cycles_taken = cycles,
                                 .target = sim_u16(target)};

    return wse_emit(self, &jump, error);
}

/* The condition has just been emitted. Returns true. */
static bool open_block(ArchWseProgram *self, WseBlockKind kind)
{
    const guint jump = self->instructions->len - 1;
    const WseBlock block = {.kind = kind, .start = jump, .jump = jump};

    g_array_append_val(self->build->blocks, block);
    return true;
}

/* The block that is open, of one of two kinds. NULL with an error. */
static WseBlock *innermost(const ArchWseProgram *self,
                           WseBlockKind kind,
                           WseBlockKind other,
                           const char *what,
                           GError **error)
{
    const GArray *blocks = self->build->blocks;
    WseBlock *block = NULL;

    if (!wse_check_task_open(self, error)) {
        return NULL;
    }
    block = blocks->len == 0 ? NULL : &g_array_index(blocks, WseBlock, blocks->len - 1);
    if (block == NULL || (block->kind != kind && block->kind != other)) {
        (void) wse_refuse(self, error, "%s, it does not belong to what is open", what);
        return NULL;
    }
    return block;
}

static void aim(ArchWseProgram *self, guint jump, guint target)
{
    g_array_index(self->instructions, WseInstruction, jump).target = sim_u16(target);
}

static void close_block(ArchWseProgram *self, const WseBlock *block)
{
    aim(self, block->jump, self->instructions->len);
    g_array_set_size(self->build->blocks, self->build->blocks->len - 1);
}

bool arch_wse_program_begin_if(ArchWseProgram *self,
                               guint variable,
                               ArchWseRelation relation,
                               ArchWseOperand operand,
                               GError **error)
{
    return emit_whole(self,
                      jump_unless(self, WSE_JUMP_UNLESS, relation,
                                  operand.is_variable ? 2 : 1),
                      variable, operand, error) &&
           open_block(self, WSE_IF);
}

bool arch_wse_program_begin_else(ArchWseProgram *self, GError **error)
{
    WseBlock *block = innermost(self, WSE_IF, WSE_IF, "an else", error);

    if (block == NULL || !emit_jump(self, 0, error)) {
        return false;
    }
    aim(self, block->jump, self->instructions->len);
    block->kind = WSE_ELSE;
    block->jump = self->instructions->len - 1;
    return true;
}

bool arch_wse_program_end_if(ArchWseProgram *self, GError **error)
{
    const WseBlock *block =
        innermost(self, WSE_IF, WSE_ELSE, "the end of an if", error);

    if (block == NULL) {
        return false;
    }
    close_block(self, block);
    return true;
}

bool arch_wse_program_begin_while(ArchWseProgram *self,
                                  guint variable,
                                  ArchWseRelation relation,
                                  ArchWseOperand operand,
                                  GError **error)
{
    return emit_whole(self,
                      jump_unless(self, WSE_JUMP_UNLESS, relation,
                                  operand.is_variable ? 2 : 1),
                      variable, operand, error) &&
           open_block(self, WSE_WHILE);
}

bool arch_wse_program_end_while(ArchWseProgram *self, GError **error)
{
    const WseBlock *block =
        innermost(self, WSE_WHILE, WSE_WHILE, "the end of a while", error);

    if (block == NULL || !emit_jump(self, block->start, error)) {
        return false;
    }
    close_block(self, block);
    return true;
}

/* Address of number 0 of an f32 array. */
static bool
find_scalar(const ArchWseProgram *self, guint array, uint16_t *address, GError **error)
{
    const WseArray *entry = wse_find_array(self, array, error);

    if (entry == NULL) {
        return false;
    }
    if (entry->type != ARCH_WSE_F32) {
        return wse_refuse(self, error, "array %s is of %s, scalars are of f32",
                          entry->name, arch_wse_type_name(entry->type));
    }
    *address = sim_u16(entry->address);
    return true;
}

static const struct {
    const char *name;
    guint source_count;
    const char *cycles;
} scalars[] = {
    [WSE_SCALAR_ADD] = {"add", 2, "pe.scalar_float_cycles"},
    [WSE_SCALAR_SUB] = {"sub", 2, "pe.scalar_float_cycles"},
    [WSE_SCALAR_MUL] = {"mul", 2, "pe.scalar_float_cycles"},
    [WSE_SCALAR_DIV] = {"div", 2, "pe.divide_f32_cycles"},
    [WSE_SCALAR_MAX] = {"max", 2, "pe.scalar_float_cycles"},
    [WSE_SCALAR_NEG] = {"neg", 1, "pe.scalar_float_cycles"},
    [WSE_SCALAR_SQRT] = {"sqrt", 1, "pe.sqrt_f32_cycles"},
    [WSE_SCALAR_MOV] = {"mov", 1, NULL},
};

static bool find_operation(const ArchWseProgram *self,
                           const char *name,
                           bool has_second,
                           guint *code,
                           GError **error)
{
    for (guint i = 0; i < G_N_ELEMENTS(scalars); i++) {
        if (g_str_equal(scalars[i].name, name)) {
            *code = i;
            return has_second == (scalars[i].source_count == 2) ||
                   wse_refuse(self, error, "scalar %s has %u sources", name,
                              scalars[i].source_count);
        }
    }
    return wse_refuse(self, error,
                      "scalar %s, there are add, sub, mul, div, max, neg, sqrt, mov",
                      name);
}

bool arch_wse_program_scalar(ArchWseProgram *self,
                             const char *name,
                             guint destination,
                             guint source0,
                             guint source1,
                             GError **error)
{
    const bool has_second = source1 != ARCH_WSE_NONE;
    WseInstruction scalar = {.code = WSE_SCALAR};
    guint code = 0;

    if (!find_operation(self, name, has_second, &code, error) ||
        !find_scalar(self, destination, &scalar.destination, error) ||
        !find_scalar(self, source0, &scalar.sources[0], error) ||
        (has_second && !find_scalar(self, source1, &scalar.sources[1], error))) {
        return false;
    }
    scalar.scalar = sim_u8(code);
    scalar.cycles = with_memory(
        self, scalars[code].source_count,
        scalars[code].cycles == NULL ? 0 : wse_param(self, scalars[code].cycles), 1);
    return wse_emit(self, &scalar, error);
}

bool arch_wse_program_begin_if_scalar(ArchWseProgram *self,
                                      guint source0,
                                      ArchWseRelation relation,
                                      guint source1,
                                      GError **error)
{
    WseInstruction jump = jump_unless(self, WSE_JUMP_UNLESS_SCALAR, relation, 2);

    if (!find_scalar(self, source0, &jump.sources[0], error) ||
        !find_scalar(self, source1, &jump.sources[1], error) ||
        !wse_emit(self, &jump, error)) {
        return false;
    }
    self->needs_data = true;
    open_block(self, WSE_IF);
    return true;
}

bool arch_wse_program_route(
    ArchWseProgram *self, guint color, guint rx, guint tx, GError **error)
{
    const WseInstruction route = {
        .code = WSE_ROUTE,
        .cycles = 1,
        .color = sim_u8(color),
        .rx = sim_u8(rx),
        .tx = sim_u8(tx),
    };

    if (!wse_check_index(self, "color", color, wse_color_count(self), error)) {
        return false;
    }
    if (rx >= ARCH_WSE_DIRECTIONS || tx >= ARCH_WSE_DIRECTIONS) {
        return wse_refuse(self, error, "route from %u to %u, directions are 0..%d", rx,
                          tx, ARCH_WSE_DIRECTIONS - 1);
    }
    return wse_emit(self, &route, error);
}

bool arch_wse_program_teardown_exit(ArchWseProgram *self, guint color, GError **error)
{
    const WseInstruction leave = {
        .code = WSE_TEARDOWN_EXIT, .cycles = 1, .color = sim_u8(color)};

    return wse_check_index(self, "color", color, wse_color_count(self), error) &&
           wse_emit(self, &leave, error);
}

bool arch_wse_program_phase(ArchWseProgram *self, const char *name, GError **error)
{
    if (!wse_check_open(self, error)) {
        return false;
    }
    for (guint i = 0; i < self->phases->len; i++) {
        if (g_str_equal(g_ptr_array_index(self->phases, i), name)) {
            self->build->phase = i;
            return true;
        }
    }
    if (self->phases->len >= WSE_PHASES) {
        return wse_refuse(self, error, "phase %s, allowed are %d", name,
                          WSE_PHASES - 1);
    }
    self->build->phase = self->phases->len;
    g_ptr_array_add(self->phases, (gpointer) g_intern_string(name));
    return true;
}

/* Zones are few and programs short: names are looked through. */
/* The number of a text in `texts`, which gets it if it is new. */
static uint16_t text_number(GPtrArray *texts, const char *text)
{
    guint number = 0;

    while (number < texts->len &&
           !g_str_equal(g_ptr_array_index(texts, number), text)) {
        number++;
    }
    if (number == texts->len) {
        g_ptr_array_add(texts, (gpointer) g_intern_string(text));
    }
    return sim_u16(number);
}

bool arch_wse_program_zone(ArchWseProgram *self, const char *name, GError **error)
{
    const WseInstruction zone = {.code = WSE_ZONE,
                                 .target = text_number(self->zones, name)};

    return wse_emit(self, &zone, error);
}

bool arch_wse_program_print(ArchWseProgram *self,
                            const char *text,
                            guint variable,
                            GError **error)
{
    if (variable != ARCH_WSE_NONE && !wse_check_variable(self, variable, error)) {
        return false;
    }
    const WseInstruction print = {.code = WSE_PRINT,
                                  .target = text_number(self->texts, text),
                                  .variable = sim_u16(variable)};

    return wse_emit(self, &print, error);
}

bool arch_wse_program_print_text(ArchWseProgram *self, const char *text, GError **error)
{
    const WseInstruction print = {.code = WSE_PRINT_TEXT,
                                  .target = text_number(self->texts, text)};

    return wse_emit(self, &print, error);
}

bool arch_wse_program_print_value(ArchWseProgram *self,
                                  ArchWseType type,
                                  ArchWseFormat format,
                                  ArchWseOperand value,
                                  GError **error)
{
    const WseInstruction print = {
        .code = WSE_PRINT_VALUE,
        .relation = sim_u8(type),
        .scalar = sim_u8(format),
        .is_variable = value.is_variable,
        .value = value.value,
    };

    if (arch_wse_type_bytes(type) > sizeof(uint32_t)) {
        return wse_refuse(self, error, "a %s is printed, allowed are up to 32 bits",
                          arch_wse_type_name(type));
    }
    return check_operand(self, value, error) && wse_emit(self, &print, error);
}

/* NOLINTNEXTLINE(readability-function-size) */
bool arch_wse_program_record(ArchWseProgram *self,
                             const char *key,
                             guint kind,
                             const char *text,
                             ArchWseOperand value,
                             GError **error)
{
    if (kind > UINT16_MAX || !check_operand(self, value, error)) {
        return kind <= UINT16_MAX ||
               wse_refuse(self, error, "a record of kind %u, allowed are 0..%d", kind,
                          UINT16_MAX);
    }
    const WseInstruction record = {
        .code = WSE_RECORD,
        .cycles = sim_u16(wse_param(self, "pe.store_cycles")),
        .target = text_number(self->texts, key),
        .variable = text == NULL ? ARCH_WSE_NONE : text_number(self->texts, text),
        .destination = sim_u16(kind),
        .is_variable = value.is_variable,
        .value = value.value,
    };

    return wse_emit(self, &record, error);
}

bool arch_wse_program_iteration(ArchWseProgram *self, GError **error)
{
    const WseInstruction iteration = {.code = WSE_ITERATION};

    return wse_emit(self, &iteration, error);
}
