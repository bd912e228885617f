/* A compute kernel: a program of which unpack, math and pack threads do a part each. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/place.h"
#include "arch/tensix.h"

typedef enum { /* their rows list the fields of a call that each reads */
#define OPERATION(id, ...) id,
#define FUNCTION(title, id, arguments, mode)
#include "arch/tensix_operations.def"
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

typedef struct {
    uint8_t op;   /* ArchComputeOp */
    uint8_t mode; /* ArchBroadcast, ArchReduction, whether approximate, ... */
    uint8_t keep; /* of products of a block, made of one call */
    uint8_t cb_a;
    uint8_t cb_b;
    uint8_t dst;
    uint8_t dst_b;
    uint8_t dst_c;
    int16_t out_offset; /* of the SFPU: the result goes so many tiles past dst */
    uint16_t tile_a;
    uint16_t tile_b;
    uint16_t count;
    union {
        int32_t value;
        uint32_t bits;
        float scalar;
    };
    float scalar_b;
    const char *text; /* interned */
} ArchComputeCall;

/* The arguments of a function, in this order. */
typedef enum {
    ARCH_ARGUMENTS_NONE,
    ARCH_ARGUMENTS_PAGES,         /* cb, pages */
    ARCH_ARGUMENTS_SHIFT,         /* cb, bytes */
    ARCH_ARGUMENTS_BUFFER,        /* cb */
    ARCH_ARGUMENTS_BUFFERS,       /* cb_a, cb_b */
    ARCH_ARGUMENTS_START_BUFFER,  /* cb; a START_INIT comes first */
    ARCH_ARGUMENTS_START_BUFFERS, /* cb_a, cb_b; likewise */
    ARCH_ARGUMENTS_NEXT_BUFFER,   /* cb before, cb; a RECONFIG comes first */
    ARCH_ARGUMENTS_TILE,          /* cb, tile, dst */
    ARCH_ARGUMENTS_ROW_TILE,      /* likewise, and how many tiles are side by side */
    ARCH_ARGUMENTS_TILES,         /* cb_a, cb_b, tile_a, tile_b, dst */
    ARCH_ARGUMENTS_REDUCTION,     /* likewise, and an ArchReduction */
    ARCH_ARGUMENTS_BLOCK,         /* likewise, and more of matmul_block */
    ARCH_ARGUMENTS_DST,           /* dst */
    ARCH_ARGUMENTS_DST_MODE,      /* dst, whether approximate */
    ARCH_ARGUMENTS_DST_PAIR,      /* dst, dst_b, where the result goes */
    ARCH_ARGUMENTS_DST_TRIPLE,    /* dst, dst_b, dst_c, likewise */
    ARCH_ARGUMENTS_SCALAR,        /* dst, scalar */
    ARCH_ARGUMENTS_MINUS_SCALAR,  /* likewise, the scalar with its sign changed */
    ARCH_ARGUMENTS_SCALARS,       /* dst, scalar, scalar_b */
    ARCH_ARGUMENTS_TYPECAST,      /* dst, ArchFormat before, ArchFormat after */
    ARCH_ARGUMENTS_PACK,          /* dst, cb, page */
    ARCH_ARGUMENTS_ROW_PACK,      /* likewise, and how many tiles are side by side */
    ARCH_ARGUMENTS_SETTING,       /* an integer, or whether */
    ARCH_ARGUMENTS_VALUE,         /* cb, tile, element; gives a number */
    ARCH_ARGUMENTS_ZONE,          /* text, function */
    ARCH_ARGUMENTS_COUNTS,        /* a table: how many instructions of each kind */
    ARCH_ARGUMENTS_UNATTRIBUTED,  /* tiles */
    ARCH_ARGUMENTS,
} ArchComputeArguments;

/* A function that a kernel calls, by tt-metal's name. */
typedef struct {
    const char *name;
    uint8_t op;        /* ArchComputeOp */
    uint8_t arguments; /* ArchComputeArguments */
    uint8_t mode;      /* of the call */
} ArchComputeFunction;

/* By their order in arch/tensix_operations.def; NULL after the last. */
const ArchComputeFunction *arch_compute_function_at(guint index);

typedef enum {
    ARCH_COMPUTE_ENDED,   /* the kernel will make no more calls */
    ARCH_COMPUTE_GOES_ON, /* it made some */
    ARCH_COMPUTE_WAITS,   /* it made a READ_VALUE and waits for the result */
} ArchComputeStatus;

typedef struct {
    const char *name; /* of the kernel, copied */
    bool is_large;    /* its loop exceeds the instruction caches */
    bool is_unrolled; /* so is its SFPU code */
    bool is_dst_fp32; /* Dst holds 8 tiles of 32 bits, not 16 of 16 */
    guint fidelity;   /* phases of a multiplication, 1..4 */
    /* Makes some dozens of arch_compute_call(), in an event of the core's region.
     * `value` is the result of the READ_VALUE that it waited for. */
    ArchComputeStatus (*more)(gpointer data, double value);
    /* Instead of `more`, for a program of `thread` (0 unpack, 1 math, 2 pack) alone. */
    ArchComputeStatus (*more_of)(gpointer data, guint thread, double value);
    void (*ended)(gpointer data, SimTime when); /* after all threads have ended */
    ArchPlaceFunc place;                        /* NULL: unknown */
    /* The unpack thread has got to an ARCH_COMPUTE_PRINT; returns its text. */
    const char *(*reached)(gpointer data, int32_t value, SimTime when);
    gpointer data;
    GDestroyNotify free_data; /* NULL: it stays the caller's */
} ArchComputeKernel;

/* Starts a kernel `delay` cycles from now on. Call it before the engine's run. */
void arch_compute_start(ArchTensixCore *core,
                        const ArchComputeKernel *kernel,
                        SimTime delay);

/* Adds a call, from inside `more`. Fails with ARCH_ERROR_INVALID if it may not come. */
bool arch_compute_call(ArchTensixCore *core,
                       const ArchComputeCall *call,
                       GError **error);

/* Whether somebody wants the places of all calls, not only of those that wait. */
bool arch_compute_wants_places(const ArchTensixCore *core);

/* Checks that the kernel may end here. Fails with ARCH_ERROR_INVALID. */
bool arch_compute_check_end(ArchTensixCore *core, GError **error);

/* From inside `more_of`, for the same thread: a call; its own time; instructions of the
 * thread's program that take until `when`; and the end of that program. */
bool arch_compute_call_on(ArchTensixCore *core,
                          guint thread,
                          const ArchComputeCall *call,
                          GError **error);
SimTime arch_compute_now(const ArchTensixCore *core, guint thread);
void arch_compute_spend(ArchTensixCore *core, guint thread, SimTime when);
bool arch_compute_check_end_on(ArchTensixCore *core, guint thread, GError **error);
