/* Instructions of a PE's program. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "arch/wse/program/descriptor.h"
#include "arch/wse_program.h"

enum {
    WSE_OPERANDS = 4,           /* destination, then up to three sources */
    WSE_CONFIG_ROUTES = 0x7f20, /* registers of the router: of color 0 */
    WSE_CONFIG_SWITCHES = 0x7f40,
    WSE_CONFIG_COUNTER = 0x7f80, /* of cycles: where the simulator has it */
    WSE_CONFIG_SPACING = 32,
    WSE_CONFIG_PRIORITIES = 0x7ec0, /* of task 0; ours, as no document has it */
    WSE_CONFIG_TASKS = 64,
    WSE_CONFIG_NO_SWITCHES = 0x555,
};

typedef enum {
    WSE_VECTOR,
    WSE_ASSIGN, /* variable = operand */
    WSE_ADD,
    WSE_JUMP_UNLESS, /* variable relation operand */
    WSE_JUMP_UNLESS_SCALAR,
    WSE_ACTIVATE,
    WSE_BLOCK,
    WSE_UNBLOCK,
    WSE_SCALAR,
    WSE_ROUTE,
    WSE_TEARDOWN_EXIT,
    WSE_ITERATION,
    WSE_ZONE,
    WSE_PRINT,
    WSE_PRINT_TEXT,
    WSE_PRINT_VALUE,
    WSE_RECORD, /* of kind `destination`, with text `variable` */
    WSE_UNBLOCK_STREAM,
    WSE_END, /* of a task */
    /* The scalar machine: ce/machine.c executes what is from here on. */
    WSE_MACHINE,
    WSE_JUMP = WSE_MACHINE, /* to `target` */
    WSE_JUMP_IF_ZERO,       /* the variable */
    WSE_JUMP_IF_NOT_ZERO,
    WSE_INTEGER, /* of up to 32 bits: variable = first `scalar` operand */
    WSE_FLOAT,
    WSE_INTEGER64, /* 64-bit integers */
    WSE_CONVERT,   /* variable = first, of type `scalar` */
    WSE_LOAD,
    WSE_STORE,
    WSE_SENSE,
    WSE_DSD_VALUE,
    WSE_DSD_SET,
    WSE_CALL,
    WSE_CALL_POINTER,
    WSE_CALL_LAST, /* `first` has where it returns to */
    WSE_RETURN,    /* to where the variable says */
    WSE_STOP,      /* the run */
    /* These take effect after the work before them. */
    WSE_ORDERED,
    WSE_SET_CONFIG = WSE_ORDERED,
    WSE_GET_CONFIG,
} WseCode;

typedef enum {
    WSE_SCALAR_ADD,
    WSE_SCALAR_SUB,
    WSE_SCALAR_MUL,
    WSE_SCALAR_DIV,
    WSE_SCALAR_MAX,
    WSE_SCALAR_NEG,
    WSE_SCALAR_SQRT,
    WSE_SCALAR_MOV,
} WseScalarCode;

/* How two sources in memory conflict. */
typedef enum {
    WSE_NO_COLLISION, /* fewer than two sources advance through memory */
    WSE_NARROW,       /* reads of 32 bits or less: memory.conflict_factor */
    WSE_WIDE,         /* of more: memory.wide_conflict_cycles_per_step */
} WseCollision;

typedef struct {
    uint8_t code;          /* WseCode */
    bool is_private;       /* from it to the next vector or end, nothing fails, and all
                            * stays in the CE's registers and memory */
    uint8_t relation;      /* ArchWseRelation; of the machine: ArchWseType */
    uint8_t task;          /* of activate, block, unblock */
    uint8_t scalar;        /* WseScalarCode; of the machine: WseNumberCode */
    uint16_t cycles;       /* that the CE is busy; vectors: set-up cycles */
    uint16_t cycles_taken; /* the same of a jump that is taken */
    uint16_t target;       /* of a jump; of a zone or a print, its text's number */
    uint16_t variable;
    int32_t value;    /* a constant, or a variable's number */
    bool is_variable; /* `value` is one */
    bool is_first_variable;
    int32_t first;        /* of the machine's operands: the same */
    uint16_t destination; /* byte addresses; of loads and stores: what is added */
    uint16_t sources[2];
    uint8_t color; /* of routes */
    uint8_t rx;    /* ArchWseDirection */
    uint8_t tx;
    /* vectors */
    bool is_async;
    bool has_fabric; /* an operand is a fabric stream or a FIFO */
    bool has_fifo;
    uint8_t per_wavelet; /* elements, of its fabric operands */
    bool is_wide;        /* a step moves up to two wavelets (CSL: simd_64) */
    bool is_patient;     /* and waits for both */
    bool is_alone;       /* no other thread of the program takes part in its phase */
    uint8_t thread;      /* microthread, if asynchronous */
    uint8_t own_thread;  /* 1 + the one that it names, or 0 */
    uint8_t priority;    /* ArchWsePriority */
    uint8_t phase;       /* 0: none */
    uint8_t input;       /* input queue of the first fabric source, or 0xff */
    uint8_t input2;      /* of the second */
    uint8_t output;      /* output queue, or 0xff */
    uint8_t activated;   /* task, or 0xff */
    uint8_t unblocked;
    uint8_t operation;               /* of operation.h */
    uint8_t operand_count;           /* with the destination */
    uint8_t collision;               /* WseCollision */
    uint8_t moving_sources;          /* that advance through memory */
    bool is_reduction;               /* into one number */
    uint8_t elements_per_step;       /* without a fabric operand */
    uint8_t memory_words_x2;         /* half words of 32 bits that one element moves */
    uint16_t operands[WSE_OPERANDS]; /* descriptors, ARCH_WSE_NONE for none */
    uint32_t length;                 /* in elements */
    bool is_endless;
    bool is_moving;  /* and goes on through memory, until a control wavelet ends it */
    bool is_dynamic; /* registers decide: executed as the instruction of a WseLive */
    bool is_live;    /* is that instruction */
    bool is_loaded;  /* operands are in DSRs */
    bool is_activated_in_register;
    bool is_unblocked_in_register;
    uint8_t saved;      /* bit: operand whose address moves */
    uint8_t on_control; /* ArchWseOnControl */
    uint8_t control_task;
    uint16_t control_count; /* of wavelets that end it; 0 is 1 */
    bool is_tried;
    uint16_t tried; /* register */
    bool has_index;
    uint16_t signal[2]; /* registers of the tasks to activate and to unblock */
} WseInstruction;
