/* Builds the code of the scalar machine, and looks its costs up. */
#include "arch/wse/program/build.h"
#include "arch/wse/program/number.h"
#include "arch/wse_machine.h"
#include "sim/narrow.h"

#define RANDOM_START 0xdeadbeefU /* Cerebras SDK documentation, @random16 */

typedef enum {
    INTEGERS = 1,
    FLOATS = 2,
} Types;

static const struct {
    const char *name;
    guint operand_count;
    guint types;        /* Types */
    const char *cycles; /* key of what it costs with integers of 16 bits */
    const char *f16_cycles;
    const char *f32_cycles;
} codes[] = {
#define PLAIN   "pe.integer_cycles", "pe.scalar_float_cycles", "pe.scalar_float_cycles"
#define DIVIDES "pe.divide_integer_cycles", "pe.divide_f16_cycles"
    [WSE_NUMBER_MOV] = {"mov", 1, INTEGERS | FLOATS, PLAIN},
    [WSE_NUMBER_ADD] = {"add", 2, INTEGERS | FLOATS, PLAIN},
    [WSE_NUMBER_SUB] = {"sub", 2, INTEGERS | FLOATS, PLAIN},
    [WSE_NUMBER_MUL] = {"mul", 2, INTEGERS | FLOATS, "pe.multiply_cycles",
                        "pe.scalar_float_cycles", "pe.scalar_float_cycles"},
    [WSE_NUMBER_DIV] = {"div", 2, INTEGERS | FLOATS, DIVIDES, "pe.divide_f32_cycles"},
    [WSE_NUMBER_REM] = {"rem", 2, INTEGERS, DIVIDES, NULL},
    [WSE_NUMBER_AND] = {"and", 2, INTEGERS, PLAIN},
    [WSE_NUMBER_OR] = {"or", 2, INTEGERS, PLAIN},
    [WSE_NUMBER_XOR] = {"xor", 2, INTEGERS, PLAIN},
    [WSE_NUMBER_SHL] = {"shl", 2, INTEGERS, PLAIN},
    [WSE_NUMBER_SHR] = {"shr", 2, INTEGERS, PLAIN},
    [WSE_NUMBER_NOT] = {"not", 1, INTEGERS, PLAIN},
    [WSE_NUMBER_NEG] = {"neg", 1, INTEGERS | FLOATS, PLAIN},
    [WSE_NUMBER_ABS] = {"abs", 1, INTEGERS | FLOATS, PLAIN},
    [WSE_NUMBER_MAX] = {"max", 2, INTEGERS | FLOATS, PLAIN},
    [WSE_NUMBER_MIN] = {"min", 2, INTEGERS | FLOATS, PLAIN},
    [WSE_NUMBER_SQRT] = {"sqrt", 1, FLOATS, DIVIDES, "pe.sqrt_f32_cycles"},
    [WSE_NUMBER_EQ] = {"eq", 2, INTEGERS | FLOATS, PLAIN},
    [WSE_NUMBER_NE] = {"ne", 2, INTEGERS | FLOATS, PLAIN},
    [WSE_NUMBER_LT] = {"lt", 2, INTEGERS | FLOATS, PLAIN},
    [WSE_NUMBER_LE] = {"le", 2, INTEGERS | FLOATS, PLAIN},
    [WSE_NUMBER_GT] = {"gt", 2, INTEGERS | FLOATS, PLAIN},
    [WSE_NUMBER_GE] = {"ge", 2, INTEGERS | FLOATS, PLAIN},
#undef PLAIN
#undef DIVIDES
};

static bool check_register(const ArchWseProgram *self,
                           ArchWseType type,
                           guint variable,
                           GError **error)
{
    return wse_check_variable(self, variable, error) &&
           (!wse_type_is_wide(type) || wse_check_variable(self, variable + 1, error));
}

static bool check_operand(const ArchWseProgram *self,
                          ArchWseType type,
                          ArchWseOperand operand,
                          GError **error)
{
    return !operand.is_variable ||
           check_register(self, type, sim_u32(operand.value), error);
}

static guint words_of(ArchWseType type)
{
    return MAX(arch_wse_type_bytes(type) / 2, 1);
}

/* Registers of the hardware have 16 bits: wider integers take an instruction for each
 * word, and a product one for each pair of words. */
static uint16_t
cycles_of(const ArchWseProgram *self, WseNumberCode code, ArchWseType type)
{
    guint words = words_of(type);

    if (type == ARCH_WSE_F16) {
        return sim_u16(wse_param(self, codes[code].f16_cycles));
    }
    if (type == ARCH_WSE_F32) {
        return sim_u16(wse_param(self, codes[code].f32_cycles));
    }
    const int64_t parts = code == WSE_NUMBER_MUL ? (int64_t) words * words : words;

    return sim_u16(parts * wse_param(self, codes[code].cycles));
}

static bool find_code(const ArchWseProgram *self,
                      const char *name,
                      ArchWseType type,
                      guint *code,
                      GError **error)
{
    const guint wanted = wse_type_is_float(type) ? FLOATS : INTEGERS;
    g_autoptr(GString) names = g_string_new(NULL);

    for (guint i = 0; i < G_N_ELEMENTS(codes); i++) {
        if ((codes[i].types & wanted) == 0) {
            continue;
        }
        if (g_str_equal(codes[i].name, name)) {
            *code = i;
            return true;
        }
        g_string_append_printf(names, "%s%s", names->len == 0 ? "" : ", ",
                               codes[i].name);
    }
    return wse_refuse(self, error, "%s of %s, there are %s", name,
                      arch_wse_type_name(type), names->str);
}

static void set_first(WseInstruction *instruction, ArchWseOperand operand)
{
    instruction->first = operand.value;
    instruction->is_first_variable = operand.is_variable;
}

static void set_second(WseInstruction *instruction, ArchWseOperand operand)
{
    instruction->value = operand.value;
    instruction->is_variable = operand.is_variable;
}

static WseCode class_of(ArchWseType type)
{
    if (wse_type_is_float(type)) {
        return WSE_FLOAT;
    }
    return wse_type_is_wide(type) ? WSE_INTEGER64 : WSE_INTEGER;
}

bool arch_wse_program_operate(ArchWseProgram *self,
                              const char *name,
                              ArchWseType type,
                              guint destination,
                              const ArchWseOperand operands[2],
                              GError **error)
{
    WseInstruction operate = {.code = sim_u8(class_of(type)), .relation = sim_u8(type)};
    guint code = 0;

    if (!find_code(self, name, type, &code, error) ||
        !check_register(self, type, destination, error) ||
        !check_operand(self, type, operands[0], error)) {
        return false;
    }
    operate.scalar = sim_u8(code);
    operate.cycles = cycles_of(self, (WseNumberCode) code, type);
    operate.variable = sim_u16(destination);
    set_first(&operate, operands[0]);
    if (codes[code].operand_count == 2) {
        if (!check_operand(self, type, operands[1], error)) {
            return false;
        }
        set_second(&operate, operands[1]);
    }
    return wse_emit(self, &operate, error);
}

bool arch_wse_program_convert(ArchWseProgram *self,
                              ArchWseType from,
                              ArchWseType to,
                              guint destination,
                              ArchWseOperand source,
                              GError **error)
{
    const bool is_float = wse_type_is_float(from) || wse_type_is_float(to);
    WseInstruction convert = {
        .code = WSE_CONVERT,
        .relation = sim_u8(to),
        .scalar = sim_u8(from),
        .cycles = is_float ? sim_u16(wse_param(self, "pe.convert_cycles"))
                           : cycles_of(self, WSE_NUMBER_MOV, to),
    };

    if (!check_register(self, to, destination, error) ||
        !check_operand(self, from, source, error)) {
        return false;
    }
    convert.variable = sim_u16(destination);
    set_first(&convert, source);
    return wse_emit(self, &convert, error);
}

/* Memory is read and written by words of up to 32 bits. */
static WseInstruction access(const ArchWseProgram *self,
                             WseCode code,
                             ArchWseType type,
                             ArchWseOperand base,
                             int offset)
{
    const char *key = code == WSE_LOAD ? "pe.load_cycles" : "pe.store_cycles";
    WseInstruction instruction = {
        .code = sim_u8(code),
        .relation = sim_u8(type),
        .cycles =
            sim_u16((int64_t) wse_param(self, key) * (wse_type_is_wide(type) ? 2 : 1)),
        .destination = sim_u16(offset & UINT16_MAX),
    };

    set_first(&instruction, base);
    return instruction;
}

bool arch_wse_program_load(ArchWseProgram *self,
                           ArchWseType type,
                           guint destination,
                           ArchWseOperand base,
                           int offset,
                           GError **error)
{
    WseInstruction load = access(self, WSE_LOAD, type, base, offset);

    if (!check_register(self, type, destination, error) ||
        !check_operand(self, ARCH_WSE_U16, base, error)) {
        return false;
    }
    load.variable = sim_u16(destination);
    return wse_emit(self, &load, error);
}

bool arch_wse_program_store(ArchWseProgram *self,
                            ArchWseType type,
                            ArchWseOperand source,
                            ArchWseOperand base,
                            int offset,
                            GError **error)
{
    WseInstruction store = access(self, WSE_STORE, type, base, offset);

    if (!check_operand(self, type, source, error) ||
        !check_operand(self, ARCH_WSE_U16, base, error)) {
        return false;
    }
    set_second(&store, source);
    return wse_emit(self, &store, error);
}

/* The register of random numbers, which the program gets when it needs one. */
static bool find_random(ArchWseProgram *self, GError **error)
{
    guint variable = 0;

    if (self->random != ARCH_WSE_NONE) {
        return true;
    }
    if (!arch_wse_program_variable(self, NULL, (int32_t) RANDOM_START, &variable,
                                   error)) {
        return false;
    }
    self->random = sim_u16(variable);
    return true;
}

bool arch_wse_program_sense(ArchWseProgram *self,
                            ArchWseSense what,
                            guint destination,
                            GError **error)
{
    WseInstruction sense = {
        .code = WSE_SENSE,
        .scalar = sim_u8(what),
        .cycles = sim_u16(wse_param(self, "pe.load_cycles")),
        .variable = sim_u16(destination),
    };

    if (!check_register(self, what == ARCH_WSE_CLOCK ? ARCH_WSE_U64 : ARCH_WSE_U16,
                        destination, error) ||
        (what == ARCH_WSE_RANDOM && !find_random(self, error))) {
        return false;
    }
    sense.value = self->random;
    return wse_emit(self, &sense, error);
}

bool arch_wse_program_seed(ArchWseProgram *self, ArchWseOperand seed, GError **error)
{
    const ArchWseOperand operands[] = {seed, {0}};

    return find_random(self, error) &&
           arch_wse_program_operate(self, "mov", ARCH_WSE_U32, self->random, operands,
                                    error);
}

bool arch_wse_program_set_config(ArchWseProgram *self,
                                 ArchWseOperand address,
                                 ArchWseOperand value,
                                 GError **error)
{
    WseInstruction set = access(self, WSE_STORE, ARCH_WSE_U16, address, 0);

    if (!check_operand(self, ARCH_WSE_U16, address, error) ||
        !check_operand(self, ARCH_WSE_U16, value, error)) {
        return false;
    }
    set.code = WSE_SET_CONFIG;
    set_second(&set, value);
    self->has_own_routes = true;
    return wse_emit(self, &set, error);
}

void arch_wse_program_map_config(ArchWseProgram *self)
{
    self->has_own_routes = true;
    self->is_config_mapped = true;
}

bool arch_wse_program_get_config(ArchWseProgram *self,
                                 guint destination,
                                 ArchWseOperand address,
                                 GError **error)
{
    WseInstruction get = access(self, WSE_LOAD, ARCH_WSE_U16, address, 0);

    if (!check_operand(self, ARCH_WSE_U16, address, error) ||
        !wse_check_variable(self, destination, error)) {
        return false;
    }
    get.code = WSE_GET_CONFIG;
    get.variable = sim_u16(destination);
    self->has_own_routes = true;
    return wse_emit(self, &get, error);
}

bool arch_wse_program_signal(ArchWseProgram *self,
                             ArchWseSignal signal,
                             guint variable,
                             GError **error)
{
    static const WseCode signals[] = {
        [ARCH_WSE_ACTIVATE] = WSE_ACTIVATE,
        [ARCH_WSE_BLOCK] = WSE_BLOCK,
        [ARCH_WSE_UNBLOCK] = WSE_UNBLOCK,
    };
    const WseInstruction instruction = {
        .code = sim_u8(signals[signal]),
        .cycles = sim_u16(wse_param(self, "task.signal_cycles")),
        .task = 0xff,
        .is_variable = true,
        .value = sim_i32(variable),
    };

    return wse_check_variable(self, variable, error) &&
           wse_emit(self, &instruction, error);
}
