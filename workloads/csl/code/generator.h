/* What turns typed functions of one class of PEs into code of the machine; private to
 * this folder. */
#pragma once

#include "arch/wse_program.h"
#include "workloads/csl/meaning/program.h"
#include "workloads/csl/meaning/typed.h"

/* A number, or a DSD's two words: a constant, or in registers from `variable` on.
 * Constants are as registers hold them: integers extended, floats as their bits. */
typedef struct {
    bool is_constant;
    int64_t bits;
    guint variable;
} CslNumber;

/* Where something lies: in registers, or in memory at base + offset. */
typedef struct {
    bool is_register;
    guint variable;
    CslNumber base; /* a byte address */
    int offset;
    const CslType *type;
} CslSpotOfCode;

/* Registers that expressions use for a while, taken and given back as on a stack. */
typedef struct {
    GArray *variables; /* guint: the first register of each */
    guint used;
} CslPool;

/* The registers of a function, or of a task. */
typedef struct {
    const CslInstance *instance;
    guint function;        /* of the machine; ARCH_WSE_NONE: it has none yet */
    CslSpotOfCode *places; /* of locals */
    guint result;          /* where its result is left */
    guint thunk;           /* what pointers to it call, or ARCH_WSE_NONE */
    guint base;            /* its first register in the file, and behind its last */
    guint top;
    CslPool singles;
    CslPool pairs;
} CslFrameOfCode;

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
    bool is_async;
    bool is_saved;
    guint activated; /* register with the task's number, or ARCH_WSE_NONE */
    guint unblocked;
    ArchWseOnControl on_control;
    guint control_task;
} CslDsrOfCode;

/* The memory of a global. */
typedef struct {
    guint array; /* of the machine's program */
    guint address;
} CslArrayOfCode;

typedef struct {
    CslProgram *source;
    CslPeClass *pe;
    ArchWseProgram *program;
    CslPlace place; /* what is being generated: errors are reported there */
    bool has_failed;
    GHashTable *arrays;      /* CslGlobal -> CslArrayOfCode */
    GHashTable *registers;   /* CslGlobal -> guint *: of a DSD's words */
    GHashTable *frames;      /* CslInstance -> CslFrameOfCode */
    GHashTable *begun;       /* CslInstances whose code has begun */
    GHashTable *descriptors; /* text -> guint *: what has been made once */
    GHashTable *dsrs;        /* kind and number -> CslDsrOfCode */
    GHashTable *names;       /* of arrays that are taken */
    GArray *fifos;           /* guint: descriptors of CslPeClass.fifos */
    uint32_t inputs;         /* bits of colors that have an input queue */
    uint32_t queues;         /* bits of input queues that have a color */
    GPtrArray *thunks;       /* CslFrameOfCode that pointers lead to */
    GHashTable *signatures;  /* function type -> guint *: registers of its arguments */
    GArray *file;          /* guint: registers that functions share, see registers.c */
    bool is_shared;        /* they do: nothing is called through pointers */
    guint base;            /* of the next frame */
    CslFrameOfCode *frame; /* that is being generated */
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

/* Reports at the current place. */
void csl_code_fail(CslGenerator *self, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* --- Machine code; what the machine refuses is reported. --- */
ArchWseOperand csl_operand(CslGenerator *self, CslNumber number, ArchWseType type);
guint csl_new_register(CslGenerator *self, const char *name, int32_t value);
void csl_emit_at(CslGenerator *self, CslPlace place);
void csl_emit_operate(CslGenerator *self,
                      const char *name,
                      ArchWseType type,
                      guint to,
                      CslNumber a,
                      CslNumber b);
void csl_emit_convert(
    CslGenerator *self, ArchWseType from, ArchWseType into, guint to, CslNumber number);
void csl_emit_load(CslGenerator *self,
                   ArchWseType type,
                   guint to,
                   const CslSpotOfCode *from);
void csl_emit_store(CslGenerator *self,
                    ArchWseType type,
                    CslNumber number,
                    const CslSpotOfCode *to);
guint csl_emit_label(CslGenerator *self);
void csl_emit_place(CslGenerator *self, guint label);
void csl_emit_jump(CslGenerator *self, guint label);
void csl_emit_jump_if(CslGenerator *self, CslNumber number, bool is_zero, guint label);
void csl_check(CslGenerator *self, bool is_well, GError **error);

/* --- Types. --- */
/* How the machine computes with a type; reports one that it cannot. */
ArchWseType csl_machine_type(CslGenerator *self, const CslType *type);
static inline bool csl_is_pair(const CslType *type)
{
    return type->kind == CSL_KIND_DSD ||
           ((type->kind == CSL_KIND_SIGNED || type->kind == CSL_KIND_UNSIGNED) &&
            type->bits == 64);
}
/* Whether values of the type lie in registers. */
bool csl_is_number(const CslType *type);

/* --- Registers. --- */
guint csl_take(CslGenerator *self, const CslType *type);
guint csl_take_single(CslGenerator *self);
typedef struct {
    guint singles;
    guint pairs;
} CslMark;
CslMark csl_mark(const CslGenerator *self);
void csl_release(CslGenerator *self, CslMark mark);
/* The registers of an instance, made if there are none: from `base` of the generator on
 * if functions share them. */
CslFrameOfCode *csl_frame_of(CslGenerator *self, const CslInstance *instance);
void csl_frame_free(CslFrameOfCode *self);

/* --- Memory. --- */
/* The memory of a global, made if there is none. */
const CslArrayOfCode *csl_array_of(CslGenerator *self, CslGlobal *global);
guint csl_address_at(CslGenerator *self,
                     const CslPointer *pointer,
                     const CslType *type);
/* The memory of an array that comptime knows. */
guint csl_memory_of(CslGenerator *self, const CslValue *value);
/* Memory for something without a name. */
guint csl_new_memory(CslGenerator *self, const char *name, const CslType *type);
/* A constant as registers hold it. */
int64_t csl_bits_of(CslGenerator *self, const CslValue *value);
/* Makes memory for all variables of the class. */
void csl_lay_out(CslGenerator *self);
/* The registers of a global DSD. */
guint csl_registers_of(CslGenerator *self, CslGlobal *global);

/* --- Expressions. --- */
#define CSL_ANYWHERE_ELSE UINT_MAX
/* The value; in registers `wanted` if the machine computes it (CSL_ANYWHERE_ELSE: the
 * generator chooses). */
CslNumber csl_generate(CslGenerator *self, const CslTyped *typed, guint wanted);
/* The same, in a register in any case. */
guint csl_generate_register(CslGenerator *self, const CslTyped *typed);
void csl_generate_into(CslGenerator *self, const CslTyped *typed, guint to);
CslNumber csl_compute(
    CslGenerator *self, const char *name, ArchWseType type, CslNumber a, CslNumber b);
void csl_move(CslGenerator *self, const CslType *type, guint to, CslNumber number);
/* Jumps if the condition is false. */
void csl_generate_unless(CslGenerator *self, const CslTyped *condition, guint label);

CslSpotOfCode csl_locate_code(CslGenerator *self, const CslTyped *typed);
CslNumber csl_load(CslGenerator *self, const CslSpotOfCode *from, guint wanted);
void csl_store(CslGenerator *self, const CslSpotOfCode *to, CslNumber number);
/* The byte address as a number. */
CslNumber csl_address(CslGenerator *self, const CslSpotOfCode *of);
/* Stores what is not a number: arrays and structs. */
void csl_store_whole(CslGenerator *self,
                     const CslSpotOfCode *to,
                     const CslTyped *typed);

CslNumber csl_generate_convert(CslGenerator *self, const CslTyped *typed, guint wanted);

/* --- Calls. --- */
CslNumber csl_generate_call(CslGenerator *self, const CslTyped *typed, guint wanted);
CslNumber
csl_generate_call_pointer(CslGenerator *self, const CslTyped *typed, guint wanted);
/* The instance of a function without comptime arguments, or NULL. */
const CslInstance *csl_plain_instance(const CslGenerator *self,
                                      const CslGlobal *function);
/* The number of a function in pointers. */
int64_t csl_function_number(CslGenerator *self, const CslGlobal *function);
void csl_generate_thunks(CslGenerator *self);
/* A function of the machine's own (`extern fn gridloom_...`). */
CslNumber csl_generate_machine(CslGenerator *self, const CslTyped *typed, guint wanted);

/* --- Statements. --- */
void csl_generate_statement(CslGenerator *self, const CslTyped *typed);

/* --- Descriptors and operations. --- */
CslNumber csl_dsd_constant(CslGenerator *self, const CslValue *value);
CslNumber csl_generate_builtin(CslGenerator *self, const CslTyped *typed, guint wanted);
/* Builtins that are vector operations. */
bool csl_is_operation(const char *name);
CslNumber
csl_generate_operation(CslGenerator *self, const CslTyped *typed, guint wanted);
void csl_generate_map(CslGenerator *self, const CslTyped *typed);
CslNumber csl_generate_dsd(CslGenerator *self, const CslTyped *typed, guint wanted);
/* A field of a struct that is partly known at run time, or NULL; and as comptime knows
 * it, or NULL. */
const CslTyped *csl_item(const CslGenerator *self,
                         const CslTyped *typed,
                         const char *name,
                         const CslValue **known);
/* The DSR that a value of comptime names. */
CslDsrOfCode *csl_dsr_of(CslGenerator *self, const CslValue *value);
/* The name that the host calls an instance by, or NULL. */
const char *csl_export_of(const CslGenerator *self, const CslInstance *instance);
/* The machine's number of a function, declared if it is new. */
guint csl_function_of(CslGenerator *self, CslFrameOfCode *frame);
/* A register that holds a constant from the start. */
guint csl_constant_register(CslGenerator *self, int64_t bits, bool is_pair);
/* Loads what comptime loads, and learns how all DSRs are loaded. */
void csl_learn_dsrs(CslGenerator *self);
void csl_generate_load_dsr(CslGenerator *self, const CslTyped *typed);
/* The number of the task or color that a value names; false if it is not known. */
bool csl_task_number(CslGenerator *self, const CslValue *value, guint *number);
/* Something made once for a text: *made is false if it is new, to be filled in. */
guint *csl_made_once(CslGenerator *self, const char *text, bool *made);
/* A descriptor of what lies in registers. */
guint csl_register_descriptor(CslGenerator *self,
                              ArchWseRegisterKind kind,
                              guint variable);

/* The program of a class; NULL after a report. */
ArchWseProgram *
csl_generate_class(CslProgram *source, CslPeClass *pe, const ArchParams *params);
