/* One kernel on one core, while a program runs: a coroutine in the state of its
 * region, in which the script is loaded again. States of different regions may run
 * at the same time. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>
#include <lauxlib.h>
#include <lua.h>

#include "arch/tensix.h"
#include "arch/tensix_mover.h"
#include "sim/narrow.h"
#include "workloads/sandbox/sandbox.h"
#include "workloads/tensix/scalar.h"
#include "workloads/tensix/taking.h"

enum {
    KERNEL_BUFFERS = 32, /* circular buffers of a core */
};

typedef struct KernelState KernelState;

/* The circular buffers and semaphores of a core, as its kernels see them. */
typedef struct {
    guint page_bytes[KERNEL_BUFFERS]; /* 0: there is none */
    guint semaphore_count;
    uint32_t *semaphores; /* their addresses, by id */
} KernelCore;

typedef struct {
    KernelState *state;
    KernelState *voices; /* for tapes (workloads/tensix/tape.h) */
    ArchTensixCore *core;
    KernelCore *memory;
    ArchMover *mover; /* NULL: it is a compute kernel */
    char *name;
    const char *processor; /* reader, writer, compute */
    const char *function;  /* of the script's kernels; borrowed */
    GBytes *arguments;     /* borrowed */
    gconstpointer launch;  /* that it belongs to */
    /* Gives a compute kernel `state`, which it needs if it has no tape. */
    KernelState *(*own_state)(gconstpointer launch, SimRegion *region, GError **error);
    guint x;
    guint y;
    SimRegion *region;
    lua_State *thread;
    bool is_begun;
    bool is_waiting;                /* it yielded in a call of the API */
    bool is_value_wanted;           /* that call was a READ_VALUE */
    double value;                   /* the value it returned */
    guint made;                     /* calls since it was resumed */
    guint16 packed[KERNEL_BUFFERS]; /* pages packed since the last push */
    SimTime end;
    uint64_t unattributed_cycles; /* of a tile; 0: not to be charged */
    ScalarCosts scalar;
    char *last_line; /* where it ends: "path:line" */
    KernelTaking taking;
    Tape *recorder; /* the tape that its coroutine makes calls for; NULL: its core */
} KernelRun;

/* The kernel that runs in L, or raises. */
KernelRun *kernel_run_of(lua_State *L);

/* The line of its script that a KernelRun has got to. */
ArchPlace kernel_run_place(gpointer data);

/* "kernel NAME on core[0,0]: ", with the chip where there are several; the caller frees
 * it. */
char *kernel_run_where(const KernelRun *self);

/* Raises `error`, which it takes, with the line, kernel, core and call in front. */
int kernel_run_fail(lua_State *L, const KernelRun *self, GError *error);

/* Raises an error: the argument is not in 0..`most`. */
void kernel_argument_fail(lua_State *L, int index, lua_Unsigned most);

/* The argument at `index`, an integer in 0..`most`, or raises. */
static inline guint kernel_argument(lua_State *L, int index, lua_Unsigned most)
{
    int is_integer = 0;
    lua_Integer value = lua_tointegerx(L, index, &is_integer);

    if (G_UNLIKELY(is_integer == 0 || (lua_Unsigned) value > most)) {
        kernel_argument_fail(L, index, most);
    }
    return sim_u32(value);
}

/* Lua functions that kernels of all kinds have. */
int kernel_my_x(lua_State *L);
int kernel_my_y(lua_State *L);
int kernel_my_chip(lua_State *L);
int kernel_get_arg(lua_State *L);
int kernel_get_tile_size(lua_State *L);

/* The cycles of unattributed(tiles): its argument at index 1. */
uint32_t kernel_unattributed_cycles(lua_State *L, const KernelRun *self);

/* Ends a call of a reader or writer kernel, made by `function`; takes `error`. It
 * is the last line of a Lua function of the API. A call that must wait yields; when
 * resumed, it starts again from its first line, with its arguments still on the
 * stack. */
int mover_settle(lua_State *L,
                 ArchMoverResult result,
                 GError *error,
                 lua_CFunction function);

/* An address in L1, or a number of bytes. */
static inline uint32_t mover_check_local(lua_State *L, int index)
{
    return kernel_argument(L, index, G_MAXUINT32);
}
