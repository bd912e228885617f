/* The code of a PE's tasks: vector operations, whole numbers, branches. Every function
 * here adds to the task that is being built, and fails outside of a task. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/wse_dsd.h"

typedef enum {
    ARCH_WSE_PRIORITY_LOW,
    ARCH_WSE_PRIORITY_MEDIUM,
    ARCH_WSE_PRIORITY_HIGH,
} ArchWsePriority;

/* Operand of an integer operation: a constant or a variable. */
typedef struct {
    bool is_variable;
    int32_t value; /* or the variable's number */
} ArchWseOperand;

/* What a control wavelet in front of its first fabin does to an operation. */
typedef enum {
    ARCH_WSE_CONTROL_WAITS,     /* nothing: a control task may take it */
    ARCH_WSE_CONTROL_ENDS,      /* ends it as its last element would */
    ARCH_WSE_CONTROL_ACTIVATES, /* ends it, and activates `control_task` instead */
    ARCH_WSE_CONTROL_UNBLOCKS,
} ArchWseOnControl;

/* A vector operation by its CSL name without the @: fmovs, fadds, fsubs, fmuls, fmacs,
 * fmaxs, fnegs, fabss, the same with h, fmachs, faddhs, fh2s, fs2h, mov16, mov32,
 * add16, sub16, and16, or16, xor16, sll16, slr16, sar16, clz, ctz, popcnt, fscales and
 * fscaleh, whose second source is the exponent. CSL's others are refused: their results
 * are not public. @dfilt is mov32 into one number with on_control. The length is that
 * of the first source that has one, else of the destination; no operand may be shorter.
 * Constants and FIFOs have none. With operands in registers (arch_wse_program_
 * register_dsd()) operands may be shorter or longer, and the length may be 0. A
 * microthread's number is the output queue's, else that of the first source's input
 * queue, else 7. What it computes: arch/wse/program/operation.h; fmacs is source 0 +
 * source 1 * source 2, rounded once.
 */
typedef struct {
    const char *name;
    guint destination;
    guint sources[3]; /* ARCH_WSE_NONE after the last */
    bool is_async;    /* runs in a microthread; needs a fabric or FIFO operand */
    guint activated;  /* task for its end, or ARCH_WSE_NONE; asynchronous only */
    guint unblocked;
    ArchWsePriority priority;
    guint thread; /* 1 + its microthread (CSL: ut_id), or 0: its operands tell */
    bool is_activated_in_register; /* `activated` is the variable with its number, or
                                    * with ARCH_WSE_NONE */
    bool is_unblocked_in_register;
    bool is_loaded; /* descriptors are in DSRs: without dsd.setup_busy_cycles. If it
                     * is asynchronous and finds memory alone, it is not */
    ArchWseOnControl on_control; /* the wavelet leaves, unless it calls a task */
    guint control_task;
    guint control_count; /* wavelets that it takes; those before the last leave */
    bool is_tried; /* synchronous, on a FIFO: ends where the FIFO is full or empty;
                    * variable `tried` is then 0, else 1 */
    guint tried;
    bool has_index; /* of descriptors that are indexed */
    ArchWseOperand index;
    uint8_t saved; /* bit i: the address of operand i, a descriptor in registers, moves
                    * past what was used, at the end (CSL: save_address) */
} ArchWseVector;
bool arch_wse_program_vector(ArchWseProgram *self,
                             const ArchWseVector *config,
                             GError **error);

/* variable = operand; variable += operand. */
bool arch_wse_program_assign(ArchWseProgram *self,
                             guint variable,
                             ArchWseOperand operand,
                             GError **error);
bool arch_wse_program_add(ArchWseProgram *self,
                          guint variable,
                          ArchWseOperand operand,
                          GError **error);

typedef enum {
    ARCH_WSE_EQUAL,
    ARCH_WSE_NOT_EQUAL,
    ARCH_WSE_LESS,
    ARCH_WSE_LESS_EQUAL,
    ARCH_WSE_GREATER,
    ARCH_WSE_GREATER_EQUAL,
} ArchWseRelation;

/* if (variable relation operand) { ... } else { ... } */
bool arch_wse_program_begin_if(ArchWseProgram *self,
                               guint variable,
                               ArchWseRelation relation,
                               ArchWseOperand operand,
                               GError **error);
bool arch_wse_program_begin_else(ArchWseProgram *self, GError **error);
bool arch_wse_program_end_if(ArchWseProgram *self, GError **error);
/* while (variable relation operand) { ... } */
bool arch_wse_program_begin_while(ArchWseProgram *self,
                                  guint variable,
                                  ArchWseRelation relation,
                                  ArchWseOperand operand,
                                  GError **error);
bool arch_wse_program_end_while(ArchWseProgram *self, GError **error);

/* Scalar f32 arithmetic between numbers 0 of arrays: add, sub, mul, div, max, neg,
 * sqrt, mov. */
bool arch_wse_program_scalar(ArchWseProgram *self,
                             const char *name,
                             guint destination,
                             guint source0,
                             guint source1, /* ARCH_WSE_NONE for neg, sqrt, mov */
                             GError **error);

/* The same if, on numbers 0 of two f32 arrays: such a program needs its data. */
bool arch_wse_program_begin_if_scalar(ArchWseProgram *self,
                                      guint source0,
                                      ArchWseRelation relation,
                                      guint source1,
                                      GError **error);

/* After a teardown: another position 0 of the color, one of arch/wse_layout.h's
 * directions each; and traffic goes on. */
bool arch_wse_program_route(
    ArchWseProgram *self, guint color, guint rx, guint tx, GError **error);
bool arch_wse_program_teardown_exit(ArchWseProgram *self, guint color, GError **error);

/* Operations from here on belong to this phase, for the grain of streams: "" for none.
 */
bool arch_wse_program_phase(ArchWseProgram *self, const char *name, GError **error);

/* The PE's time from here on counts for this zone (arch/wse_profile.h), until the next
 * one begins: "" for none. Takes no time. */
bool arch_wse_program_zone(ArchWseProgram *self, const char *name, GError **error);

/* Prints `text`, and the value of a variable unless it is ARCH_WSE_NONE, see
 * arch/wse_profile.h. Takes no time. */
bool arch_wse_program_print(ArchWseProgram *self,
                            const char *text,
                            guint variable,
                            GError **error);

/* The PE has come to the end of an iteration. Takes no time. */
bool arch_wse_program_iteration(ArchWseProgram *self, GError **error);
