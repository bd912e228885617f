/* A compute kernel: one program that the unpack, math and pack threads of a core go
 * through, each doing its part. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/tensix.h"

typedef enum {
    ARCH_COMPUTE_CB_WAIT,    /* cb_a, count */
    ARCH_COMPUTE_CB_POP,     /* cb_a, count */
    ARCH_COMPUTE_CB_RESERVE, /* cb_a, count */
    ARCH_COMPUTE_CB_PUSH,    /* cb_a, count */
    ARCH_COMPUTE_CB_SHIFT,   /* cb_a, value: later unpacks read so many bytes further */
    ARCH_COMPUTE_ACQUIRE,
    ARCH_COMPUTE_COMMIT,
    ARCH_COMPUTE_WAIT,
    ARCH_COMPUTE_RELEASE,
    ARCH_COMPUTE_START_INIT, /* once a kernel: sets up all three threads */
    ARCH_COMPUTE_BINARY_INIT,
    ARCH_COMPUTE_COPY_INIT,
    ARCH_COMPUTE_TRANSPOSE_INIT,
    ARCH_COMPUTE_REDUCE_INIT,
    ARCH_COMPUTE_MATMUL_INIT,
    ARCH_COMPUTE_SFPU_INIT,
    ARCH_COMPUTE_RECONFIG, /* count operands: 1 or 2 */
    ARCH_COMPUTE_PACK_RECONFIG,
    ARCH_COMPUTE_ADD, /* cb_a, tile_a, cb_b, tile_b, dst; broadcast of b */
    ARCH_COMPUTE_SUB,
    ARCH_COMPUTE_MUL,
    ARCH_COMPUTE_COPY,      /* cb_a, tile_a, dst */
    ARCH_COMPUTE_TRANSPOSE, /* cb_a, tile_a, dst */
    ARCH_COMPUTE_REDUCE,    /* cb_a, tile_a, cb_b: scaler, tile_b, dst; reduction */
    ARCH_COMPUTE_MATMUL,    /* cb_a, tile_a, cb_b, tile_b, dst; keep: operand in Src */
    ARCH_COMPUTE_SFPU_ADD,  /* dst = dst op dst_b */
    ARCH_COMPUTE_SFPU_SUB,
    ARCH_COMPUTE_SFPU_MUL,
    ARCH_COMPUTE_SFPU_MAD,     /* dst = dst * dst_b + dst_c */
    ARCH_COMPUTE_SFPU_RECIP,   /* dst */
    ARCH_COMPUTE_SFPU_SQRT,    /* dst */
    ARCH_COMPUTE_SFPU_SCALE,   /* dst *= scalar */
    ARCH_COMPUTE_SFPU_OFFSET,  /* dst += scalar */
    ARCH_COMPUTE_SFPU_COMPARE, /* dst: 1 where the comparison is true, else 0 */
    ARCH_COMPUTE_SFPU_SUM,     /* dst: all its numbers, in element 0; others 0 */
    ARCH_COMPUTE_PACK,         /* dst, cb_a; tile_a pages past the write pointer */
    ARCH_COMPUTE_READ_VALUE, /* cb_a, tile_a, value: element; for the kernel to know */
    ARCH_COMPUTE_ZONE_BEGIN, /* text */
    ARCH_COMPUTE_ZONE_END,
    ARCH_COMPUTE_UNATTRIBUTED, /* value: cycles that pass on all three threads */
    ARCH_COMPUTE_OPS,
} ArchComputeOp;

typedef enum {
    ARCH_BROADCAST_NONE,
    ARCH_BROADCAST_SCALAR, /* element 0 of the tile */
    ARCH_BROADCAST_ROW,    /* its first row, down */
    ARCH_BROADCAST_COLUMN, /* its first column, across */
} ArchBroadcast;

typedef enum {
    ARCH_REDUCE_SCALAR,
    ARCH_REDUCE_ROW,
    ARCH_REDUCE_COLUMN,
} ArchReduction;

typedef enum {
    ARCH_KEEP_NONE,
    ARCH_KEEP_A, /* operand a is in Src from the matmul before */
    ARCH_KEEP_B,
} ArchKeep;

typedef enum {
    ARCH_COMPARE_EQZ, /* with zero */
    ARCH_COMPARE_NEZ,
    ARCH_COMPARE_LTZ,
    ARCH_COMPARE_GTZ,
    ARCH_COMPARE_LEZ,
    ARCH_COMPARE_GEZ,
    ARCH_COMPARISONS,
} ArchComparison;

typedef struct {
    uint8_t op;   /* ArchComputeOp */
    uint8_t mode; /* ArchBroadcast, ArchReduction, ArchKeep or ArchComparison */
    uint8_t cb_a;
    uint8_t cb_b;
    uint8_t dst;
    uint8_t dst_b;
    uint8_t dst_c;
    uint16_t tile_a;
    uint16_t tile_b;
    uint16_t count;
    union {
        int32_t value;
        float scalar;
    };
    const char *text; /* interned */
} ArchComputeCall;

typedef enum {
    ARCH_COMPUTE_ENDED,   /* the kernel will make no more calls */
    ARCH_COMPUTE_GOES_ON, /* it made some */
    ARCH_COMPUTE_WAITS,   /* it made a READ_VALUE and waits for what it gives */
} ArchComputeStatus;

typedef struct {
    const char *name; /* of the kernel, copied */
    bool is_large;    /* its loop is beyond the instruction caches */
    bool is_unrolled; /* so is its SFPU code */
    bool is_dst_fp32; /* Dst holds 8 tiles of 32 bits, not 16 of 16 */
    guint fidelity;   /* phases of a multiplication, 1..4 */
    /* Has the kernel make further calls, by arch_compute_call(): some dozens, no
     * more than needed. `value` is what the READ_VALUE gave that it waited for. In an
     * event of the core's region. */
    ArchComputeStatus (*more)(gpointer data, double value);
    void (*ended)(gpointer data, SimTime when); /* when all threads are through */
    gpointer data;
} ArchComputeKernel;

/* Before the engine runs; `delay` cycles from its present on. */
void arch_compute_start(ArchTensixCore *core,
                        const ArchComputeKernel *kernel,
                        SimTime delay);

/* Adds a call to the program, from inside `more`. Fails with ARCH_ERROR_INVALID, in
 * program order: pop without wait, push without reserve, more pages than the buffer
 * has, Dst index out of range, math outside acquire and commit, ... */
bool arch_compute_call(ArchTensixCore *core,
                       const ArchComputeCall *call,
                       GError **error);

/* What is wrong with a kernel that ends here: NULL if nothing. */
bool arch_compute_check_end(ArchTensixCore *core, GError **error);
