/* The scalar machine of a compute element while it runs. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "arch/wse/ce/visit.h"
#include "arch/wse/program/step.h"

/* The PE's registers, and its memory where data is simulated. */
typedef struct {
    WseVisit *visit;
    uint32_t *registers;
    uint8_t *memory;
    uint32_t memory_bytes;
    const WseStep *steps;
    uint32_t limit; /* of addresses that steps reach: 0 without data */
    uint32_t pc;    /* of the next instruction */
    uint32_t work;  /* cycles so far */
} WseMachine;

/* Executes the instruction at `pc`, of any kind of the machine's. False where the
 * machine stops before it: at other kinds, and at those that take effect after the work
 * before them. */
bool wse_machine_step(WseMachine *self);
