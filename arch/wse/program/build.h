/* A program under construction: what its parts share. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/wse/program/program.h"

enum {
    WSE_ADDRESSES = 65536, /* addresses of a PE have 16 bits */
    WSE_FIFO_THREAD = 7,   /* microthread of operations whose only streams are FIFOs */
    WSE_VALUE_WORDS = 4,   /* of 16 bits, of a descriptor */
};

typedef struct {
    char *name;
    ArchWseType type;
    guint address;
    guint count;
    bool is_view;    /* of another array's bytes */
    uint8_t *values; /* at the start; NULL: all 0 */
} WseArray;

typedef enum {
    WSE_IF,
    WSE_ELSE,
    WSE_WHILE,
} WseBlockKind;

/* An if or while that is open. */
typedef struct {
    WseBlockKind kind;
    guint start; /* instruction that a while begins with */
    guint jump;  /* whose target is not known yet */
} WseBlock;

/* A place in the code, for jumps; ARCH_WSE_NONE until it is known. */
typedef guint WseLabel;

struct WseBuild {
    GArray *arrays;            /* of WseArray */
    GPtrArray *variable_names; /* of char */
    GArray *blocks;            /* of WseBlock */
    const WseTask *task;       /* that is open, or NULL */
    guint task_id;
    guint function; /* that is open, + 1, or 0; `task` stands for it, too */
    WseTask body;
    uint16_t handlers[WSE_COLORS]; /* functions + 1 for teardowns; 0: none */
    GArray *labels;                /* of WseLabel: of what is open */
    GArray *jumps;                 /* of guint: instructions whose target is a label */
    guint phase;
    bool is_finished;
};

/* Sets ARCH_ERROR_INVALID and "program NAME: task ID (NAME): ...", the task where one
 * is open. Returns false. */
bool wse_refuse(const ArchWseProgram *self, GError **error, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

/* Checks that the program is not finished; the second also checks that a task is open.
 */
bool wse_check_open(const ArchWseProgram *self, GError **error);
bool wse_check_task_open(const ArchWseProgram *self, GError **error);

/* A number of the chip file's. */
guint wse_param(const ArchWseProgram *self, const char *key);

/* How many colors, queues and tasks programs can name on this chip. */
guint wse_color_count(const ArchWseProgram *self);
guint wse_input_count(const ArchWseProgram *self);
guint wse_output_count(const ArchWseProgram *self);
guint wse_task_count(const ArchWseProgram *self, ArchWseTaskKind kind);

/* Fails with "WHAT = INDEX, CHIP has 0..COUNT-1" if the index is out of range. */
bool wse_check_index(const ArchWseProgram *self,
                     const char *what,
                     guint index,
                     guint count,
                     GError **error);

/* Registers that the color arrives in this queue. A queue of several colors is bound to
 * one of them when an operation starts. */
bool wse_share_input(ArchWseProgram *self, guint queue, guint color, GError **error);

/* Registers that colors may arrive in this queue that only registers know. */
bool wse_keep_input(ArchWseProgram *self, guint queue, GError **error);

/* Returns NULL with an error if there is none. Borrowed until the next array is added.
 */
WseArray *wse_find_array(const ArchWseProgram *self, guint array, GError **error);
bool wse_check_variable(const ArchWseProgram *self, guint variable, GError **error);

/* Refuses a descriptor of memory that reaches beyond its array. */
bool wse_check_inside(const ArchWseProgram *self, const WseDsd *dsd, GError **error);

/* Encodes a number as bits. Returns false, with a message that begins with `where`, if
 * the type cannot represent it. */
bool wse_encode(const ArchWseProgram *self,
                const char *where,
                ArchWseType type,
                double value,
                uint64_t *bits,
                GError **error);

/* The rate and the conflicts of an operation with these operands. Its rate alone is in
 * elements_per_step. */
void wse_vector_costs(WseInstruction *vector, const WseDsd *const dsds[WSE_OPERANDS]);

/* Places the label of what is open where its code ends, aims its jumps, and closes it
 * with `end`. */
bool wse_close_body(ArchWseProgram *self, const WseInstruction *end, GError **error);

/* Makes the task of teardowns out of their handlers. */
bool wse_finish_handlers(ArchWseProgram *self, GError **error);

/* Checks calls, and aims them. */
bool wse_finish_functions(ArchWseProgram *self, GError **error);

/* Whether a branch, a call or a descriptor depends on numbers in memory. */
bool wse_depends_on_data(const ArchWseProgram *self);

/* Marks instructions that are private. */
void wse_mark_private(ArchWseProgram *self);

/* Adds an instruction to the task that is open. */
bool wse_emit(ArchWseProgram *self, const WseInstruction *instruction, GError **error);
