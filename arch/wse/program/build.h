/* A program under construction: what its parts share. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/wse/program/program.h"

enum {
    WSE_ADDRESSES = 65536, /* addresses of a PE have 16 bits */
    WSE_FIFO_THREAD = 7,   /* microthread of what has FIFOs alone */
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

struct WseBuild {
    GArray *arrays;            /* of WseArray */
    GPtrArray *variable_names; /* of char */
    GArray *blocks;            /* of WseBlock */
    const WseTask *task;       /* that is open, or NULL */
    guint task_id;
    guint phase;
    bool is_finished;
};

/* Sets ARCH_ERROR_INVALID and "program NAME: task ID (NAME): ...", the task where one
 * is open. Returns false. */
bool wse_refuse(const ArchWseProgram *self, GError **error, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

/* The program is not finished; and in the second, a task is open. */
bool wse_check_open(const ArchWseProgram *self, GError **error);
bool wse_check_task_open(const ArchWseProgram *self, GError **error);

/* A number of the chip file's. */
guint wse_param(const ArchWseProgram *self, const char *key);

/* How many there are of each: of the chip, as far as programs can name them. */
guint wse_color_count(const ArchWseProgram *self);
guint wse_input_count(const ArchWseProgram *self);
guint wse_output_count(const ArchWseProgram *self);
guint wse_task_count(const ArchWseProgram *self, ArchWseTaskKind kind);

/* "WHAT = INDEX, CHIP has 0..COUNT-1" where there is none. */
bool wse_check_index(const ArchWseProgram *self,
                     const char *what,
                     guint index,
                     guint count,
                     GError **error);

/* The color comes in by this queue. A queue of several colors is bound to one of them
 * by the operation that starts. */
bool wse_share_input(ArchWseProgram *self, guint queue, guint color, GError **error);

/* NULL with an error where there is none. Borrowed until the next array. */
WseArray *wse_find_array(const ArchWseProgram *self, guint array, GError **error);
bool wse_check_variable(const ArchWseProgram *self, guint variable, GError **error);

/* Bits of a number; where the type does not have it, false with a message that begins
 * with `where`. */
bool wse_encode(const ArchWseProgram *self,
                const char *where,
                ArchWseType type,
                double value,
                uint32_t *bits,
                GError **error);

/* Adds an instruction to the task that is open. */
bool wse_emit(ArchWseProgram *self, const WseInstruction *instruction, GError **error);
