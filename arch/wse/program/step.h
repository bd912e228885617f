/* Steps: instructions of the scalar machine as PEs execute them, small and decoded. */
#pragma once

#include <stdint.h>

#include "arch/wse/program/instruction.h"

typedef enum {
    WSE_STEP_OTHER, /* as the instruction says */
#define WSE_STEP(name, number, types, expression) WSE_STEP_##name,
#include "arch/wse/program/step.def"
#undef WSE_STEP
    WSE_STEP_LOAD_U16,
    WSE_STEP_LOAD_I16,
    WSE_STEP_LOAD_32,
    WSE_STEP_STORE_16,
    WSE_STEP_STORE_32,
    WSE_STEP_JUMP,
    WSE_STEP_JUMP_IF_ZERO,
    WSE_STEP_JUMP_IF_NOT_ZERO,
    WSE_STEP_CALL,
    WSE_STEP_RETURN,
} WseStepCode;

/* An operand is (register & mask) | bits, so that a constant is one, too. */
typedef struct WseStep {
    uint32_t first_mask;
    uint32_t first_bits;
    uint32_t second_mask;
    uint32_t second_bits;
    uint16_t first;  /* register */
    uint16_t second; /* register */
    uint16_t to;     /* register */
    uint16_t target; /* of a jump; what is added to an address */
    uint16_t cycles;
    uint16_t cycles_taken;
    uint8_t code; /* WseStepCode */
} WseStep;

/* One for each instruction; the caller frees it. */
WseStep *wse_steps_new(const WseInstruction *code, uint32_t count);
