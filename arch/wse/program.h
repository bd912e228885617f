/* A program as the PEs read it. All PEs of a class share it; nothing in it changes
 * after arch_wse_program_finish(). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/wse/operation.h"
#include "arch/wse_program.h"

enum {
    WSE_COLORS = 24,
    WSE_INPUT_QUEUES = 8,
    WSE_OUTPUT_QUEUES = 8,
    WSE_THREADS = 8,
    WSE_TASKS = 64,
    WSE_OPERANDS = 4, /* destination, then up to three sources */
    WSE_PHASES = 16,
};

typedef enum {
    WSE_MEMORY,
    WSE_FABRIC_IN,
    WSE_FABRIC_OUT,
    WSE_FIFO,
    WSE_IMMEDIATE,
} WseDsdKind;

typedef struct {
    WseDsdKind kind;
    ArchWseType type;
    uint8_t rank;
    uint8_t elements_per_wavelet;
    uint8_t color;
    uint8_t queue;
    bool is_control;
    bool is_switch_advanced;
    uint16_t index;
    uint16_t variable; /* whose value is added to the offset */
    uint16_t fifo;     /* number of the FIFO among those of the program */
    uint16_t extents[ARCH_WSE_RANK];
    int16_t strides[ARCH_WSE_RANK]; /* in elements */
    int32_t address;                /* of element 0, in bytes */
    uint32_t length;                /* in elements; of a FIFO its capacity */
    uint32_t bits;                  /* of an immediate */
} WseDsd;

typedef enum {
    WSE_VECTOR,
    WSE_ASSIGN, /* variable = operand */
    WSE_ADD,
    WSE_JUMP,        /* to `target` */
    WSE_JUMP_UNLESS, /* variable relation operand */
    WSE_JUMP_UNLESS_SCALAR,
    WSE_ACTIVATE,
    WSE_BLOCK,
    WSE_UNBLOCK,
    WSE_SCALAR,
    WSE_ROUTE,
    WSE_TEARDOWN_EXIT,
    WSE_ITERATION,
    WSE_END, /* of a task */
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

typedef struct {
    uint8_t code;     /* WseCode */
    uint8_t relation; /* ArchWseRelation */
    uint8_t task;     /* of activate, block, unblock */
    uint8_t scalar;   /* WseScalarCode */
    uint16_t cycles;  /* that it keeps the CE busy; vectors: their set-up */
    uint16_t target;  /* of a jump */
    uint16_t variable;
    int32_t value;    /* a constant, or a variable's number */
    bool is_variable; /* `value` is one */
    /* scalars: addresses in bytes */
    uint16_t destination;
    uint16_t sources[2];
    /* routes */
    uint8_t color;
    uint8_t rx;
    uint8_t tx;
    /* vectors */
    bool is_async;
    bool has_fabric;   /* an operand is a fabric stream or a FIFO */
    bool is_alone;     /* no other thread of the program has a part in its phase */
    uint8_t thread;    /* microthread, if asynchronous */
    uint8_t priority;  /* ArchWsePriority */
    uint8_t phase;     /* 0: none */
    uint8_t input;     /* input queue of the first fabric source, or 0xff */
    uint8_t input2;    /* of the second */
    uint8_t output;    /* output queue, or 0xff */
    uint8_t activated; /* task, or 0xff */
    uint8_t unblocked;
    uint8_t operation; /* of operation.h */
    uint8_t operand_count;
    uint8_t elements_per_step;       /* without a fabric operand */
    uint8_t memory_words_x2;         /* half words of 32 bits that one element moves */
    uint16_t operands[WSE_OPERANDS]; /* descriptors, ARCH_WSE_NONE for none */
    uint32_t length;                 /* in elements */
} WseInstruction;

typedef struct {
    uint16_t start;    /* instruction; ARCH_WSE_NONE: no such task */
    uint8_t kind;      /* ArchWseTaskKind */
    uint16_t argument; /* address of a data task's wavelet, or ARCH_WSE_NONE */
    const char *name;
} WseTask;

/* Costs of whole vector operations on memory. */
typedef struct {
    uint32_t steps;  /* cycles with an issue */
    uint32_t stalls; /* cycles in which banks collide */
} WseCost;

struct ArchWseProgram {
    const ArchParams *params;
    char *name;
    GArray *dsds;         /* of WseDsd */
    GArray *instructions; /* of WseInstruction */
    GArray *variables;    /* of int32_t: values at the start */
    GPtrArray *phases;    /* of char *, interned; [0] is "" */
    WseTask
        tasks[WSE_TASKS]; /* local and data tasks 0..31, control tasks 0..63 below */
    WseTask control_tasks[WSE_TASKS];
    uint8_t input_colors[WSE_INPUT_QUEUES]; /* color bound to a queue, or 0xff */
    uint8_t color_inputs[WSE_COLORS];       /* queue a color is bound to, or 0xff */
    uint64_t activated;                     /* tasks at the start, bits */
    uint64_t blocked;
    guint memory_bytes; /* that arrays take */
    guint fifo_count;
    bool needs_data;        /* a branch depends on numbers */
    uint8_t *image;         /* memory at the start, memory_bytes of it */
    struct WseBuild *build; /* what only the builder knows */
};

/* Of a vector operation whose operands are all in memory. `offsets` are the values of
 * its operands' variables. `remainder` is the PE's, in parts of a cycle: see
 * wide_conflict_cycles_per_step. */
WseCost wse_program_cost(const ArchWseProgram *self,
                         const WseInstruction *instruction,
                         const int32_t offsets[WSE_OPERANDS],
                         uint32_t *remainder);

/* Stall cycles of each step of one that has fabric operands too. */
uint32_t wse_program_step_stall(const ArchWseProgram *self,
                                const WseInstruction *instruction,
                                const int32_t offsets[WSE_OPERANDS]);

/* Executes elements first .. first + count - 1 on `memory`. The words of fabric sources
 * lie one after the other in `in` (and `in2`), those for the fabric go to `out`;
 * wavelets, packed as the descriptors say. FIFO elements are at `fifo_at` of it. False
 * where an address lies outside the memory. */
typedef struct {
    const uint32_t *in;
    const uint32_t *in2;
    uint32_t *out;
    uint32_t fifo_at; /* elements pushed or popped so far */
} WseStreams;
bool wse_program_execute(const ArchWseProgram *self,
                         const WseInstruction *instruction,
                         const int32_t offsets[WSE_OPERANDS],
                         uint32_t first,
                         uint32_t count,
                         uint8_t *memory,
                         const WseStreams *streams);
