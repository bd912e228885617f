/* Decodes instructions of the scalar machine. */
#include "arch/wse/program/step.h"

#include "arch/wse/program/number.h"
#include "sim/narrow.h"

#define WSE_STEP_OF(type) (1U << (type))

static const struct {
    uint16_t types; /* as bits */
    uint8_t number; /* WseNumberCode */
    uint8_t step;
} numbers[] = {
#define WSE_STEP(name, number, types, expression)                                      \
    {types, WSE_NUMBER_##number, WSE_STEP_##name},
#include "arch/wse/program/step.def"
#undef WSE_STEP
};

static WseStepCode find_number(guint number, guint type)
{
    for (gsize i = 0; i < G_N_ELEMENTS(numbers); i++) {
        if (numbers[i].number == number && (numbers[i].types >> type & 1) != 0) {
            return (WseStepCode) numbers[i].step;
        }
    }
    return WSE_STEP_OTHER;
}

static WseStepCode find_load(ArchWseType type)
{
    if (arch_wse_type_bytes(type) == 4) {
        return WSE_STEP_LOAD_32;
    }
    if (type == ARCH_WSE_I16) {
        return WSE_STEP_LOAD_I16;
    }
    return arch_wse_type_bytes(type) == 2 ? WSE_STEP_LOAD_U16 : WSE_STEP_OTHER;
}

static WseStepCode find_store(ArchWseType type)
{
    if (arch_wse_type_bytes(type) == 4) {
        return WSE_STEP_STORE_32;
    }
    return arch_wse_type_bytes(type) == 2 ? WSE_STEP_STORE_16 : WSE_STEP_OTHER;
}

/* Of integers it is a move to the other type. */
static WseStepCode find_conversion(ArchWseType from, ArchWseType to)
{
    if (wse_type_is_float(from) || wse_type_is_wide(from) || wse_type_is_float(to)) {
        return WSE_STEP_OTHER;
    }
    return find_number(WSE_NUMBER_MOV, to);
}

static WseStepCode find(const WseInstruction *at)
{
    const ArchWseType type = (ArchWseType) at->relation;

    switch (at->code) {
    case WSE_INTEGER:
    case WSE_FLOAT:
        return find_number(at->scalar, type);
    case WSE_CONVERT:
        return find_conversion((ArchWseType) at->scalar, type);
    case WSE_LOAD:
        return find_load(type);
    case WSE_STORE:
        return find_store(type);
    case WSE_JUMP:
        return WSE_STEP_JUMP;
    case WSE_JUMP_IF_ZERO:
        return WSE_STEP_JUMP_IF_ZERO;
    case WSE_JUMP_IF_NOT_ZERO:
        return WSE_STEP_JUMP_IF_NOT_ZERO;
    case WSE_CALL:
        return WSE_STEP_CALL;
    case WSE_RETURN:
        return WSE_STEP_RETURN;
    default:
        return WSE_STEP_OTHER;
    }
}

static void set_operand(
    bool is_variable, int32_t value, uint16_t *variable, uint32_t *mask, uint32_t *bits)
{
    if (is_variable) {
        *variable = sim_u16(value);
        *mask = UINT32_MAX;
    } else {
        *bits = (uint32_t) value;
    }
}

static WseStep decode(const WseInstruction *at)
{
    WseStep step = {
        .code = sim_u8(find(at)),
        .to = at->variable,
        .target = at->target,
        .cycles = at->cycles,
        .cycles_taken = at->cycles_taken,
    };

    if (step.code == WSE_STEP_OTHER) {
        return step;
    }
    if (at->code == WSE_LOAD || at->code == WSE_STORE) {
        step.target = at->destination;
    }
    if (at->code == WSE_JUMP_IF_ZERO || at->code == WSE_JUMP_IF_NOT_ZERO) {
        set_operand(true, at->variable, &step.first, &step.first_mask,
                    &step.first_bits);
    } else if (at->code != WSE_CALL) {
        set_operand(at->is_first_variable, at->first, &step.first, &step.first_mask,
                    &step.first_bits);
        set_operand(at->is_variable, at->value, &step.second, &step.second_mask,
                    &step.second_bits);
    }
    return step;
}

WseStep *wse_steps_new(const WseInstruction *code, uint32_t count)
{
    WseStep *steps = g_new(WseStep, count + 1);

    for (uint32_t i = 0; i < count; i++) {
        steps[i] = decode(&code[i]);
    }
    return steps;
}
