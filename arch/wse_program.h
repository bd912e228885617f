/* The program of one class of PEs: memory, descriptors, queues, tasks and their
 * operations. It is built once, as at compile time, and then executed by every PE of
 * the class. Names are CSL's.
 *
 * Every function that can fail does so with ARCH_ERROR_INVALID and one line that names
 * the program and what is allowed. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/chipfile/params.h"
#include "arch/place.h"
#include "arch/wse_code.h"
#include "arch/wse_dsd.h"
#include "arch/wse_machine.h"
#include "arch/wse_memory.h"
#include "sim/time.h"

/* `params` is borrowed until the program is freed; `name` is copied. */
ArchWseProgram *arch_wse_program_new(const ArchParams *params, const char *name);
void arch_wse_program_free(ArchWseProgram *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ArchWseProgram, arch_wse_program_free)

const char *arch_wse_program_name(const ArchWseProgram *self);

/* The code that is added from now on comes from there. */
void arch_wse_program_at(ArchWseProgram *self, ArchPlace place);

/* Ids of data tasks are those of their input queues, as on a WSE-3, else of their
 * colors. Before the first task. */
void arch_wse_program_name_by_queue(ArchWseProgram *self);

/* Binds an input queue to a color (CSL: initialize_queue). */
bool arch_wse_program_input_queue(ArchWseProgram *self,
                                  guint queue,
                                  guint color,
                                  GError **error);

typedef enum {
    ARCH_WSE_TASK_LOCAL,   /* by activate, or by an operation that has ended */
    ARCH_WSE_TASK_DATA,    /* by a wavelet of the color that is its id */
    ARCH_WSE_TASK_CONTROL, /* by a control wavelet that names it */
} ArchWseTaskKind;

/* Binds a task and begins its code, which ends at arch_wse_program_end_task(). A data
 * task gets the wavelet in number 0 of the array `argument` (ARCH_WSE_NONE: the task
 * ignores it). */
bool arch_wse_program_begin_task(ArchWseProgram *self,
                                 ArchWseTaskKind kind,
                                 guint id,
                                 const char *name,
                                 guint argument,
                                 GError **error);
bool arch_wse_program_end_task(ArchWseProgram *self, GError **error);

/* In a data or control task that has just begun: its wavelet goes to registers. One
 * type of 32 bits takes all of it, one of 16 its lower half, two take the lower half
 * and then the upper, in two registers; of a control wavelet the lower half alone. */
bool arch_wse_program_arguments(ArchWseProgram *self,
                                const ArchWseType *types,
                                guint count,
                                guint variable,
                                GError **error);

/* Outside of tasks these set the initial state of the PE; inside they are operations of
 * the task. Blocking a color holds the control wavelets in its queue, too, and a color
 * without a task can be blocked; so can a queue where those are the ids. */
bool arch_wse_program_activate(ArchWseProgram *self, guint task, GError **error);
bool arch_wse_program_block(ArchWseProgram *self, guint task, GError **error);
bool arch_wse_program_unblock(ArchWseProgram *self, guint task, GError **error);

/* The function that runs when the color is torn down, as part of task 29: then the
 * program has no task 29 of its own. A color that is torn down from the start does not
 * call it. Outside of tasks. */
bool arch_wse_program_teardown_handler(ArchWseProgram *self,
                                       guint function,
                                       guint color,
                                       GError **error);

/* In a task: pieces of a line, which a newline in a text ends (arch/wse_profile.h). No
 * time. */
typedef enum {
    ARCH_WSE_DECIMAL,
    ARCH_WSE_HEX,
    ARCH_WSE_BINARY,
} ArchWseFormat;
bool arch_wse_program_print_text(ArchWseProgram *self,
                                 const char *text,
                                 GError **error);
bool arch_wse_program_print_value(ArchWseProgram *self,
                                  ArchWseType type, /* of up to 32 bits */
                                  ArchWseFormat format,
                                  ArchWseOperand value,
                                  GError **error);
/* Leaves a record for the host, arch_wse_records(). `text` may be NULL, `kind` is
 * anything up to 65535. Takes pe.store_cycles. */
bool arch_wse_program_record(ArchWseProgram *self,
                             const char *key,
                             guint kind,
                             const char *text,
                             ArchWseOperand value,
                             GError **error);

/* Checks the whole program: it fits into the memory that memory.code_reserved_bytes
 * leaves (the message holds the map), tasks that are activated or unblocked exist.
 * Colors of data tasks without an input queue get one that is free. Two operations that
 * use a queue at once are detected only at run time. Nothing may be added afterwards; a
 * second call does nothing. */
bool arch_wse_program_finish(ArchWseProgram *self, GError **error);

typedef struct ArchWse ArchWse; /* arch/wse.h */

/* A line that a PE has printed, or a record of it; texts are the loaded wafer's. */
typedef struct {
    SimTime when;
    guint x;
    guint y;
    const char *text; /* of a record: or NULL */
    bool has_value;   /* of a variable */
    int32_t value;
    const char *key; /* of a record, else NULL */
    guint kind;
    uint32_t visit; /* cycle of the launch in which its code began */
} ArchWsePrint;
/* The lines of the last launch, by cycle, row and column, once; and the records of a PE
 * since the start, in order. The caller frees the array of ArchWsePrint. */
GArray *arch_wse_take_prints(ArchWse *self);
GArray *arch_wse_records(const ArchWse *self, guint x, guint y);

/* Its text, and the value behind it; the caller frees it. */
char *arch_wse_print_text(const ArchWsePrint *print);
