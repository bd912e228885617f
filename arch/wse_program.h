/* What one class of PEs of a wafer runs: memory, descriptors, queues, tasks and their
 * operations. It is put together once, as at compile time, and then executed by every
 * PE of the class. Names are CSL's.
 *
 * Every function that can fail does so with ARCH_ERROR_INVALID and one line that names
 * the program and what is allowed. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/params.h"

typedef struct ArchWseProgram ArchWseProgram;

typedef enum {
    ARCH_WSE_F16,
    ARCH_WSE_F32,
    ARCH_WSE_I16,
    ARCH_WSE_U16,
    ARCH_WSE_I32,
    ARCH_WSE_U32,
} ArchWseType;

guint arch_wse_type_bytes(ArchWseType type);
const char *arch_wse_type_name(ArchWseType type); /* f32 */
bool arch_wse_type_find(const char *name, ArchWseType *type);

/* `params` is borrowed until the program is freed; `name` is copied. */
ArchWseProgram *arch_wse_program_new(const ArchParams *params, const char *name);
void arch_wse_program_free(ArchWseProgram *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ArchWseProgram, arch_wse_program_free)

const char *arch_wse_program_name(const ArchWseProgram *self);

/* --- memory --------------------------------------------------------------------- */

/* `count` numbers at a multiple of `align` bytes (0: of the type), all 0, after what
 * there is already. Whether all of it fits shows in arch_wse_program_finish(). */
bool arch_wse_program_array(ArchWseProgram *self,
                            const char *name,
                            ArchWseType type,
                            guint count,
                            guint align,
                            guint *array,
                            GError **error);

/* What numbers `first` on of the array hold at the start. */
bool arch_wse_program_set(ArchWseProgram *self,
                          guint array,
                          guint first,
                          const double *values,
                          guint count,
                          GError **error);

/* A whole number that tasks count with; there is one of it in every PE, whether data is
 * simulated or not. 32 bits. */
bool arch_wse_program_variable(ArchWseProgram *self,
                               const char *name,
                               int32_t value,
                               guint *variable,
                               GError **error);

/* The array of this name; its place for the host. False where there is none. */
typedef struct {
    ArchWseType type;
    guint address; /* in bytes */
    guint count;
} ArchWseSymbol;
bool arch_wse_program_find(const ArchWseProgram *self,
                           const char *name,
                           ArchWseSymbol *symbol);

/* One line per array: where it is, how large. The caller frees it. */
char *arch_wse_program_map(const ArchWseProgram *self);

/* --- descriptors ---------------------------------------------------------------- */

enum {
    ARCH_WSE_RANK = 4,
    ARCH_WSE_NONE = 0xffff, /* no variable, no task, no operand */
};

/* Numbers in memory: element (i, j, k, l) is number
 * offset + variable + i*stride[0] + j*stride[1] + ... of the array, the last extent
 * fastest. Rank 1 is CSL's mem1d, more are mem4d. `variable` is read when an operation
 * on it starts (CSL: increment_dsd_offset); ARCH_WSE_NONE for none. */
typedef struct {
    guint array;
    guint rank;
    guint extents[ARCH_WSE_RANK];
    int strides[ARCH_WSE_RANK];
    int offset;
    guint variable;
} ArchWseMemoryDsd;
bool arch_wse_program_memory_dsd(ArchWseProgram *self,
                                 const ArchWseMemoryDsd *config,
                                 guint *dsd,
                                 GError **error);

/* A stream from the fabric. `elements_per_wavelet` is 2 for 16-bit numbers packed
 * (simd_32), else 1. */
typedef struct {
    guint color;
    guint queue;
    guint extent; /* in elements */
    guint elements_per_wavelet;
} ArchWseFabinDsd;
bool arch_wse_program_fabin_dsd(ArchWseProgram *self,
                                const ArchWseFabinDsd *config,
                                guint *dsd,
                                GError **error);

/* A stream to the fabric. A control stream's words are control payloads. */
typedef struct {
    guint color;
    guint queue;
    guint extent;
    guint elements_per_wavelet;
    bool is_control;
    bool is_switch_advanced; /* the own router's, after the last wavelet */
    uint16_t index;          /* upper half of the wavelet of a 16-bit number */
} ArchWseFaboutDsd;
bool arch_wse_program_fabout_dsd(ArchWseProgram *self,
                                 const ArchWseFaboutDsd *config,
                                 guint *dsd,
                                 GError **error);

/* A first-in first-out buffer of the whole array, for one operation that pushes and one
 * that pops, either of them asynchronous. */
bool arch_wse_program_fifo(ArchWseProgram *self,
                           guint array,
                           guint *dsd,
                           GError **error);

/* One and the same number for every element. */
bool arch_wse_program_immediate(
    ArchWseProgram *self, ArchWseType type, double value, guint *dsd, GError **error);
/* The same with 32 bits given, such as a control payload. */
bool arch_wse_program_word(ArchWseProgram *self,
                           uint32_t bits,
                           guint *dsd,
                           GError **error);

/* --- queues and tasks ----------------------------------------------------------- */

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

/* Binds a task; what is emitted from now on is its code, until
 * arch_wse_program_end_task(). A data task gets the wavelet in number 0 of the array
 * `argument` (ARCH_WSE_NONE: it does not look). */
bool arch_wse_program_begin_task(ArchWseProgram *self,
                                 ArchWseTaskKind kind,
                                 guint id,
                                 const char *name,
                                 guint argument,
                                 GError **error);
bool arch_wse_program_end_task(ArchWseProgram *self, GError **error);

/* Outside of tasks: how the PE starts. Inside: operations of the task. */
bool arch_wse_program_activate(ArchWseProgram *self, guint task, GError **error);
bool arch_wse_program_block(ArchWseProgram *self, guint task, GError **error);
bool arch_wse_program_unblock(ArchWseProgram *self, guint task, GError **error);

/* --- code of a task ------------------------------------------------------------- */

typedef enum {
    ARCH_WSE_PRIORITY_LOW,
    ARCH_WSE_PRIORITY_MEDIUM,
    ARCH_WSE_PRIORITY_HIGH,
} ArchWsePriority;

/* A vector operation by its CSL name without the @: fmovs, fadds, fsubs, fmuls, fmacs,
 * fmaxs, fnegs, fabss, the same with h, fmachs, faddhs, fh2s, fs2h, mov16, mov32,
 * add16, sub16, and16, or16, xor16, sll16, slr16, sar16. Its length is that of the
 * first source that has one, else of the destination. */
typedef struct {
    const char *name;
    guint destination;
    guint sources[3]; /* ARCH_WSE_NONE after the last */
    bool is_async;    /* runs in a microthread; needs a fabric or FIFO operand */
    guint activated;  /* task for its end, or ARCH_WSE_NONE; asynchronous only */
    guint unblocked;
    ArchWsePriority priority;
} ArchWseVector;
bool arch_wse_program_vector(ArchWseProgram *self,
                             const ArchWseVector *config,
                             GError **error);

/* What a whole-number operation takes: a constant or a variable. */
typedef struct {
    bool is_variable;
    int32_t value; /* or the variable's number */
} ArchWseOperand;

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

/* The PE has come to the end of an iteration. Takes no time. */
bool arch_wse_program_iteration(ArchWseProgram *self, GError **error);

/* --- the end -------------------------------------------------------------------- */

/* Checks the whole: it fits into memory (the message holds the map), tasks that are
 * activated exist, no two operations that may run at once share a queue. Nothing may be
 * added after it. */
bool arch_wse_program_finish(ArchWseProgram *self, GError **error);
