/* What the tests of Tensix cores share: cores on an engine, kernels as lists of calls.
 */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/error.h"
#include "arch/memory/gather.h"
#include "arch/tensix/core.h"
#include "arch/tensix_mover.h"
#include "tests/sim/support.h"

/* Numbers that tests count with, whatever the chip file has. */
enum {
    RIG_VISIBLE = 6,
    RIG_POLL = 11,
    RIG_WAIT = 19,
    RIG_POP = 21,
    RIG_RESERVE = 23,
    RIG_PUSH = 25,
    RIG_LOAD = 8,
    RIG_SEMAPHORE_POLL = 11, /* a load and a branch of 3.03 */
    RIG_CALLS = 80,
};

typedef enum {
    CALL_CB,
    CALL_TRANSFER,
    CALL_SEND,
    CALL_BARRIER,
    CALL_SEMAPHORE,
    CALL_LOAD,
    CALL_STORE,
    CALL_GATHER,
    CALL_GATHER_DOT,
    CALL_SPEND,
    CALL_ZONE_BEGIN,
    CALL_ZONE_END,
} CallKind;

/* One call of a kernel. */
typedef struct {
    CallKind kind;
    guint op; /* of a circular buffer or a barrier */
    guint cb;
    guint pages;
    ArchMoverTransfer transfer;
    ArchMoverMessage message;
    ArchGather gather;
    uint32_t address;
    uint32_t value;
    bool is_minimum;
    guint count;
    SimTime cycles;
    const char *name;
} Call;

typedef struct {
    ArchMover *mover;
    SimRegion *region;
    Call calls[RIG_CALLS];
    guint call_count;
    guint next;
    SimTime starts[RIG_CALLS]; /* when each was called first, by the kernel's time */
    SimTime ends[RIG_CALLS];
    uint32_t loaded;
    float sum; /* of gathered products */
    guint resumed;
} Kernel;

typedef struct {
    SimEngine *engine;
    ArchParams *params;
    ArchDram *dram;
    ArchTensix *tensix;
    GPtrArray *kernels;
} Rig;

void rig_open(Rig *self, guint thread_count);
void rig_close(Rig *self);

ArchTensixCore *rig_core(const Rig *self, guint x, guint y);
uint32_t rig_memory(const Rig *self, guint x, guint y, guint bytes);
uint32_t rig_semaphore(const Rig *self, guint x, guint y, uint32_t value);
void rig_buffer(const Rig *self, guint x, guint y, guint index, guint pages);
uint32_t rig_word(const Rig *self, guint x, guint y, uint32_t address);
void rig_fill(
    const Rig *self, guint x, guint y, uint32_t address, guint bytes, guint8 seed);
void rig_assert_filled(
    const Rig *self, guint x, guint y, uint32_t address, guint bytes, guint8 seed);

/* A kernel without calls yet. */
Kernel *
rig_kernel(Rig *self, guint x, guint y, ArchMoverIndex index, guint noc, SimTime delay);

void call_cb(Kernel *self, ArchMoverCbOp op, guint cb, guint pages);
void call_transfer(Kernel *self, ArchMoverTransfer transfer);
void call_send(Kernel *self, ArchMoverMessage message);
void call_barrier(Kernel *self, ArchBarrier barrier);
void call_semaphore(Kernel *self, uint32_t address, uint32_t value, bool is_minimum);
void call_load(Kernel *self, uint32_t address);
void call_store(Kernel *self, uint32_t address, uint32_t value, guint count);
void call_gather(Kernel *self, ArchGather gather, uint32_t to);
void call_gather_dot(Kernel *self, ArchGather gather, uint32_t values);
void call_spend(Kernel *self, SimTime cycles);
void call_zone(Kernel *self, const char *name); /* NULL: ends it */

ArchMoverTransfer to_core(
    ArchMoverOp op, guint x, guint y, uint32_t there, uint32_t here, uint64_t bytes);
ArchMoverTransfer
to_dram(ArchMoverOp op, guint bank, uint64_t there, uint32_t here, uint64_t bytes);

/* Runs to the end, which must come. */
void rig_run(Rig *self);
/* Runs, and expects a failure; the caller frees its message. */
char *rig_fail(Rig *self, GQuark domain, int code);

/* How long the calls of a kernel took, from its first on. */
SimTime kernel_cycles(const Kernel *self);

/* Cycles of a lane of a core; of all its reasons if `reason` is NULL. */
uint64_t
rig_use(const Rig *self, guint x, guint y, const char *lane, const char *reason);
