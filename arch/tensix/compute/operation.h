/* The properties of an operation of a compute kernel: a row of
 * arch/tensix_operations.def. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/tensix/compute/bf16_tile.h"
#include "arch/tensix/compute/costs.h"
#include "arch/tensix/compute/fpu.h"
#include "arch/tensix/compute/program.h"
#include "arch/tensix/compute/sfpu.h"
#include "arch/tensix/compute/sfpu_functions.h"
#include "arch/tensix/compute/thread.h"
#include "arch/tensix/core.h"

/* Executes a thread's part of a call as far as possible. Returns true when the thread
 * has finished it. */
typedef bool
TensixStep(TensixCompute *self, TensixThread *thread, const ArchComputeCall *call);

/* Members of the call that it works on, and that traces show. */
typedef enum {
    TENSIX_CB = 1 << 0,
    TENSIX_CB_B = 1 << 1,
    TENSIX_PAGES = 1 << 2,
    TENSIX_DST_A = 1 << 3,
    TENSIX_DST_B = 1 << 4,
    TENSIX_DST_C = 1 << 5,
} TensixOperand;

/* What it does to numbers. Selects the member of the union below. */
typedef enum {
    TENSIX_NO_NUMBERS,
    TENSIX_ELEMENTWISE, /* two: b may be broadcast */
    TENSIX_MATMUL,      /* two: the left matrix goes into SrcB */
    TENSIX_REDUCE,      /* reduce */
    TENSIX_REUSE,       /* two: one of them is in Dst */
    TENSIX_COPY,        /* one */
    TENSIX_UNARY,       /* unary, and so on: of the SFPU */
    TENSIX_BINARY,
    TENSIX_TERNARY,
    TENSIX_SCALAR,
    TENSIX_COMPARE,  /* comparison */
    TENSIX_FUNCTION, /* function, of dst, dst_b and dst_c */
    TENSIX_CAST,     /* mode: from which format, times 16, to which */
} TensixOperationKind;

typedef struct {
    const char *name;           /* in messages and traces */
    TensixCheck *check;         /* NULL: it may come anywhere */
    TensixStep *steps[THREADS]; /* NULL: the thread does nothing */
    guint16 cost;          /* offset in TensixComputeCosts; the step knows the type */
    guint16 flops_counter; /* likewise, in TensixComputeCounters */
    guint32 flops;         /* of a call */
    guint8 operands;       /* of TensixOperand */
    guint8 kind;           /* TensixOperationKind */
    bool adds_to_dst;      /* to the result of earlier calls there */
    bool is_transposed;
    TensixBf16Two *bf16; /* as `two`; NULL: there is none */
    union {
        TensixLedgerTurn *ledger; /* of tensix_check_pages() */
        TensixFpuTwo *two;
        TensixFpuOne *one;
        TensixFpuReduce *reduce;
        TensixSfpuUnary *unary;
        TensixSfpuBinary *binary;
        TensixSfpuTernary *ternary;
        TensixSfpuScalar *scalar;
        TensixComparison comparison;
        guint8 function; /* SfpuFunction */
    };
} TensixOperation;

extern const TensixOperation tensix_operations[ARCH_COMPUTE_OPS];

static inline const TensixOperation *tensix_operation_of(const ArchComputeCall *call)
{
    return &tensix_operations[call->op];
}

/* The function of a TENSIX_FUNCTION or a TENSIX_CAST. */
static inline SfpuFunction tensix_operation_function(const ArchComputeCall *call)
{
    const TensixOperation *operation = tensix_operation_of(call);

    return operation->kind == TENSIX_CAST
               ? tensix_sfpu_cast((ArchFormat) (call->mode >> 4),
                                  (ArchFormat) (call->mode & 15))
               : (SfpuFunction) operation->function;
}

/* Its cost; the caller knows the type. */
static inline gconstpointer tensix_operation_cost(const ArchComputeCall *call,
                                                  const TensixComputeCosts *costs)
{
    return (const char *) costs + tensix_operation_of(call)->cost;
}
