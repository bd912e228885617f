/* The scalar machine of a PE: arithmetic, memory, jumps and functions. Its registers
 * are the program's variables, 32 bits each. Operations cost what their kind does in
 * the chip file (pe.*_cycles). Except for functions, everything here adds to the task
 * or function that is being built. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/wse_code.h"

/* destination = a NAME b. Of every type: mov, add, sub, mul, div, neg, abs, max, min,
 * and eq, ne, lt, le, gt, ge, which give 0 or 1. Of integers: rem, and, or, xor, shl,
 * shr (with the sign where the type has one), not. Of floats: sqrt. neg, abs, not, mov
 * and sqrt ignore `b`.
 *
 * Integers wrap; division truncates, and stops the run where b is 0. Shifts by the
 * type's bits or more leave 0 or the sign. Floats are rounded after every operation. A
 * register holds its number extended to 32 bits: with the sign, or with 0 for unsigned
 * numbers and f16. 64-bit integers take two registers, the lower half in the one that
 * is named and the upper in the next; constants are extended with their sign. */
bool arch_wse_program_operate(ArchWseProgram *self,
                              const char *name,
                              ArchWseType type,
                              guint destination,
                              const ArchWseOperand operands[2],
                              GError **error);

/* destination, of type `to` = source, of type `from`. Integers keep their low bits;
 * floats become integers by cutting the fraction off, and the nearest that there is
 * beyond the range. */
bool arch_wse_program_convert(ArchWseProgram *self,
                              ArchWseType from,
                              ArchWseType to,
                              guint destination,
                              ArchWseOperand source,
                              GError **error);

/* Memory at byte `base` + `offset` of the PE, modulo 2^16, as a number of the type. An
 * access beyond the program's arrays stops the run. */
bool arch_wse_program_load(ArchWseProgram *self,
                           ArchWseType type,
                           guint destination,
                           ArchWseOperand base,
                           int offset,
                           GError **error);
bool arch_wse_program_store(ArchWseProgram *self,
                            ArchWseType type,
                            ArchWseOperand source,
                            ArchWseOperand base,
                            int offset,
                            GError **error);

/* What the PE knows of itself. */
typedef enum {
    ARCH_WSE_COLUMN, /* in the layout */
    ARCH_WSE_ROW,
    ARCH_WSE_CLOCK,  /* cycles since the start, 64 bits in two registers */
    ARCH_WSE_RANDOM, /* the next 16 bits of its shift register, 128 steps on (CSL:
                      * @random16); every PE starts with the same */
} ArchWseSense;
bool arch_wse_program_sense(ArchWseProgram *self,
                            ArchWseSense what,
                            guint destination,
                            GError **error);

/* Lower 23 bits of 0 count as 1. */
bool arch_wse_program_seed(ArchWseProgram *self, ArchWseOperand seed, GError **error);

/* Registers of the PE's router, by word address. 0x7f20 + color: tx in bits 0..4, of W,
 * E, S, N, RAMP; rx in 5..9 likewise; swaps of N/S and E/W in 10 and 11; pop mode in
 * 13..12; bit 14 while the color is torn down. 0x7f40 + color: position 1 in 2..0 (W,
 * E, S, N, RAMP are 0..4; 5: none), bit 3 if that is rx; positions 2 and 3 in 7..4
 * and 11..8 likewise; bit 12 of a ring; the current position in 14..13. Wavelets of a
 * color that has no route yet wait. 0x7ec0 + task: 1 if its priority is high. */
bool arch_wse_program_set_config(ArchWseProgram *self,
                                 ArchWseOperand address,
                                 ArchWseOperand value,
                                 GError **error);
bool arch_wse_program_get_config(ArchWseProgram *self,
                                 guint destination,
                                 ArchWseOperand address,
                                 GError **error);

/* Loads and stores of 16 bits at twice these addresses reach the registers, too. */
void arch_wse_program_map_config(ArchWseProgram *self);

/* Activates, blocks or unblocks the task, or the color, whose number a register has. */
typedef enum {
    ARCH_WSE_ACTIVATE,
    ARCH_WSE_BLOCK,
    ARCH_WSE_UNBLOCK,
} ArchWseSignal;
bool arch_wse_program_signal(ArchWseProgram *self,
                             ArchWseSignal signal,
                             guint variable,
                             GError **error);

/* Labels of a task or function: jumps lead to the place of one, before or after it. */
bool arch_wse_program_label(ArchWseProgram *self, guint *label, GError **error);
bool arch_wse_program_place(ArchWseProgram *self, guint label, GError **error);
bool arch_wse_program_jump(ArchWseProgram *self, guint label, GError **error);
/* Jumps if the register is 0, or if it is not. */
bool arch_wse_program_jump_if(
    ArchWseProgram *self, guint variable, bool is_zero, guint label, GError **error);

/* Declares a function; its code may come later, and must come if it is called. */
bool arch_wse_program_function(ArchWseProgram *self,
                               const char *name,
                               guint *function,
                               GError **error);
/* The code of a function, outside of tasks. Arguments and results are registers that
 * caller and function agree upon: a function is not called while it runs, which
 * arch_wse_program_finish() checks for direct calls and the run for others. */
bool arch_wse_program_begin_function(ArchWseProgram *self,
                                     guint function,
                                     GError **error);
bool arch_wse_program_end_function(ArchWseProgram *self, GError **error);
/* The host may launch it (arch_wse_launch()). Outside of tasks. */
bool arch_wse_program_entry(ArchWseProgram *self, guint function, GError **error);
/* The PE is ready for the next launch (CSL: unblock_cmd_stream). */
bool arch_wse_program_unblock_stream(ArchWseProgram *self, GError **error);

bool arch_wse_program_call(ArchWseProgram *self, guint function, GError **error);
/* In a function, as the last of what it does: the other one returns to its caller. So
 * functions may follow each other in circles. */
bool arch_wse_program_call_last(ArchWseProgram *self, guint function, GError **error);
/* Through a pointer: the register holds the function's number + 1. */
bool arch_wse_program_call_pointer(ArchWseProgram *self,
                                   guint variable,
                                   GError **error);
/* Leaves the function, or ends the task. */
bool arch_wse_program_return(ArchWseProgram *self, GError **error);
/* Stops the run with an error, unless data is not simulated (CSL: @assert). */
bool arch_wse_program_stop(ArchWseProgram *self, GError **error);
