/* What turns typed functions of one class of PEs into code of the machine; private to
 * this folder. */
#pragma once

#include "arch/wse_program.h"
#include "workloads/csl/code/bits.h"
#include "workloads/csl/meaning/program.h"
#include "workloads/csl/meaning/typed.h"

/* A number, or a DSD's two words: a constant, or in registers from `variable` on.
 * Constants are as registers hold them: integers extended, floats as their bits. */
typedef struct {
    int64_t bits;
    guint variable;
    bool is_constant;
} CslNumber;

/* Where something lies: in registers, or in memory at base + offset. */
typedef struct {
    bool is_register;
    guint variable;
    CslNumber base; /* a byte address */
    int offset;
    const CslType *type;
} CslCodeSpot;

/* Registers that expressions use for a while, taken and given back as on a stack. */
typedef struct {
    GArray *variables; /* guint: the first register of each */
    guint used;
} CslPool;

/* The registers of a function, or of a task. */
typedef struct {
    const CslInstance *instance;
    guint function;      /* of the machine; ARCH_WSE_NONE: it has none yet */
    CslCodeSpot *places; /* of locals */
    guint result;        /* where its result is left */
    CslCodeSpot whole;   /* the same of an array or a struct */
    guint thunk;         /* what pointers to it call, or ARCH_WSE_NONE */
    guint base;          /* its first register in the file, and behind its last */
    guint top;
    CslPool singles;
    CslPool pairs;
} CslCodeFrame;

/* A loop or a labelled block that `break` and `continue` may leave. */
typedef struct CslJumps CslJumps;
struct CslJumps {
    const char *name; /* its label, or NULL */
    bool is_loop;
    guint end;
    guint next;
    CslJumps *outer;
};

/* A DSR: a descriptor in registers, and what its loads have said. */
typedef struct {
    guint variable;
    bool is_async;  /* by a load; */
    bool is_waited; /* not by another: then a register says what the last one does */
    bool is_saved;  /* likewise */
    bool is_kept;
    guint asynced;
    guint saved;
    guint activated; /* register with the task's number, or ARCH_WSE_NONE */
    guint unblocked;
    ArchWseOnControl on_control;
    guint control_task;
    guint thread; /* 1 + .ut_id of its loads, or 0 */
} CslCodeDsr;

/* The memory of a global. */
typedef struct {
    guint array; /* of the machine's program */
    guint address;
} CslCodeArray;

typedef struct {
    CslProgram *source;
    CslPeClass *pe;
    ArchWseProgram *program;
    CslPlace place; /* what is being generated: errors are reported there */
    bool has_failed;
    GHashTable *arrays;      /* CslGlobal -> CslCodeArray */
    GHashTable *registers;   /* CslGlobal -> guint *: of a DSD's words */
    GHashTable *frames;      /* CslInstance -> CslCodeFrame */
    GHashTable *begun;       /* CslInstances whose code has begun */
    guint saved[4];          /* of the operands of an operation: CslCodeDsr.saved */
    guint asynced;           /* whether one of them makes it async, or ARCH_WSE_NONE */
    GHashTable *tails;       /* CslTyped calls that are jumps */
    GHashTable *descriptors; /* text -> guint *: what has been made once */
    GHashTable *dsrs;        /* kind and number -> CslCodeDsr */
    GHashTable *names;       /* of arrays that are taken */
    GArray *fifos;           /* guint: descriptors of CslPeClass.fifos */
    uint32_t inputs;         /* bits of colors that have an input queue */
    uint32_t queues;         /* bits of input queues that have a color */
    GPtrArray *thunks;       /* CslCodeFrame that pointers lead to */
    GHashTable *signatures;  /* function type -> guint *: registers of its arguments */
    GArray *file;        /* guint: registers that functions share, see registers.c */
    bool is_shared;      /* they do: nothing is called through pointers */
    guint base;          /* of the next frame */
    CslCodeFrame *frame; /* that is being generated */
    CslJumps *jumps;
} CslGenerator;

static inline CslNumber csl_constant(int64_t bits)
{
    return (CslNumber){.is_constant = true, .bits = bits};
}
static inline CslNumber csl_in_register(guint variable)
{
    return (CslNumber){.variable = variable};
}

/* Whether a field is there, and true. */
static inline bool csl_is_true(const CslValue *value)
{
    return value != NULL && value->type->kind == CSL_KIND_BOOL && value->integer != 0;
}

/* Reports at the current place. */
void csl_code_fail(CslGenerator *self, const char *format, ...) G_GNUC_PRINTF(2, 3);
