/* A program as all PEs of a class read it: finished, it does not change. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/place.h"
#include "arch/wse/program/instruction.h"
#include "sim/ratio.h"

enum {
    WSE_COLORS = 24,
    WSE_INPUT_QUEUES = 8,
    WSE_OUTPUT_QUEUES = 8,
    WSE_THREADS = 8,
    WSE_TASKS = 64,
    WSE_PHASES = 16,
    WSE_TEARDOWN_TASK = 29,
    WSE_LAUNCH_TASK = 63, /* bit of a launch among those of tasks */
};

typedef struct {
    uint16_t start;     /* instruction; ARCH_WSE_NONE: no such task */
    uint8_t kind;       /* ArchWseTaskKind */
    uint16_t argument;  /* address of a data task's wavelet, or ARCH_WSE_NONE */
    uint16_t variable;  /* register of its first part */
    uint8_t part_count; /* that go to registers */
    uint8_t types[2];   /* ArchWseType */
    const char *name;
} WseTask;

typedef struct {
    uint16_t start; /* instruction; ARCH_WSE_NONE: not yet */
    uint16_t end;
    uint16_t variable; /* where it returns to; 0 while it does not run */
    const char *name;
} WseFunction;

/* How two sources in memory collide: the numbers of the chip file's `memory`. */
typedef struct {
    uint32_t period_bytes;      /* of reads of 32 bits */
    uint32_t wide_period_bytes; /* of 64 bits, but no more than all banks have */
    uint32_t reads_per_cycle;
    SimRatio narrow; /* extra cycles per step */
    SimRatio wide;
    SimRatio reduction; /* cycles per element */
    uint32_t unit;      /* parts of a cycle, the unit of remainders */
} WseCollisions;

struct ArchWseProgram {
    const ArchParams *params;
    char *name;
    GArray *dsds;             /* of WseDsd */
    GArray *instructions;     /* of WseInstruction */
    struct WseStep *steps;    /* the same as the scalar machine reads them: step.h */
    GArray *places;           /* of ArchPlace: theirs */
    ArchPlace place;          /* of the code that is added now */
    GArray *variables;        /* of int32_t: values at the start */
    GPtrArray *phases;        /* of char *, interned; [0] is "" */
    GPtrArray *zones;         /* the same of zones, which may be "" */
    GPtrArray *texts;         /* the same of prints */
    WseTask tasks[WSE_TASKS]; /* local and data tasks, by id */
    WseTask control_tasks[WSE_TASKS];
    GArray *functions; /* of WseFunction */
    GArray *entries;   /* of WseTask: functions that the host launches */
    WseCollisions collisions;
    uint8_t input_colors[WSE_INPUT_QUEUES]; /* first color of a queue, or 0xff */
    uint8_t color_inputs[WSE_COLORS];       /* queue of a color, or 0xff */
    uint8_t shared_inputs; /* bit: queue of several colors, bound as operations start */
    uint8_t kept_inputs;   /* bit: queue for colors that registers name */
    uint64_t activated;    /* bit: task activated at the start */
    uint64_t blocked;
    uint16_t random;    /* register of its random numbers, or ARCH_WSE_NONE */
    uint16_t torn_down; /* register of colors as bits, or ARCH_WSE_NONE */
    guint memory_bytes; /* taken by arrays */
    guint fifo_count;
    guint microthreads;
    bool is_by_queue;       /* data tasks have ids of queues, not of colors */
    bool has_own_routes;    /* configures its router */
    bool is_config_mapped;  /* by stores, too: any register of it */
    bool is_dynamic;        /* has operations whose operands are in registers */
    bool has_loads;         /* or stores: its scalar machine sees the memory */
    bool needs_data;        /* a branch or a control wavelet depends on numbers */
    uint8_t *image;         /* memory at the start, memory_bytes of it */
    struct WseBuild *build; /* state for the builder only */
};

/* What the operands of an operation make of it: streams, microthread, costs. Needs its
 * length, and its rate in elements_per_step. Fails with what is wrong. */
bool wse_vector_resolve(const ArchWseProgram *self,
                        WseInstruction *vector,
                        const WseDsd *const dsds[WSE_OPERANDS],
                        GError **error);

/* Whether the descriptor may be that operand. */
bool wse_vector_check_operand(const ArchWseProgram *self,
                              guint operation,
                              guint operand,
                              const WseDsd *dsd,
                              GError **error);

/* Executes elements first .. first + count - 1, one after the other, on `memory`. The
 * words of fabric sources lie one after the other in `in` (and `in2`), those for the
 * fabric go to `out`; wavelets, packed as the descriptors say, element `first` in the
 * lower half of the first. FIFO elements are at `fifo_at` of it. False where an address
 * lies outside the memory, which is then not touched there. */
typedef struct {
    const uint32_t *in;
    const uint32_t *in2;
    uint32_t *out;
    uint32_t fifo_at;             /* elements pushed or popped before element `first` */
    struct WseProducts *products; /* that are not in memory yet, and may stay out of it
                                     as long as `in` stays; NULL: none may */
} WseStreams;
bool wse_program_execute(const ArchWseProgram *self,
                         const WseInstruction *instruction,
                         const int32_t offsets[WSE_OPERANDS],
                         uint32_t first,
                         uint32_t count,
                         uint8_t *memory,
                         const WseStreams *streams);

/* The array that a byte of memory belongs to, interned, and its number there; NULL, and
 * the address itself, if there is none. */
const char *
wse_program_array_at(const ArchWseProgram *self, guint address, guint *number);

/* Executes a WSE_SCALAR. */
void wse_scalar_execute(const WseInstruction *instruction, uint8_t *memory);
/* Whether the condition of a WSE_JUMP_UNLESS_SCALAR holds. */
bool wse_scalar_holds(const WseInstruction *instruction, const uint8_t *memory);
/* The same for whole numbers: left relation right. */
bool wse_relation_holds(ArchWseRelation relation, int32_t left, int32_t right);
