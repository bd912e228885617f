/* A data mover kernel: a RISC-V that commands one NoC. It keeps its own time, which
 * may be ahead of the engine's, and meets the engine where it touches the network. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/place.h"
#include "arch/tensix.h"
#include "sim/process.h"

typedef struct ArchMover ArchMover;

/* The processor. tt-metal runs writers on BRISC and readers on NCRISC. */
typedef enum {
    ARCH_MOVER_BRISC,
    ARCH_MOVER_NCRISC,
} ArchMoverIndex;

/* An address in the L1 of a core or in a DRAM bank. */
typedef struct {
    bool is_dram;
    guint x; /* logical coordinate of a core, or the bank */
    guint y;
    uint64_t offset;
} ArchNocAddress;

typedef struct {
    const char *name; /* of the kernel, copied */
    ArchMoverIndex index;
    guint noc;
    /* Continues the kernel until a call tells it to wait, or it ends. Called in an
     * event of region 0. */
    SimProcessStatus (*resume)(gpointer data);
    ArchPlaceFunc place; /* NULL: unknown */
    gpointer data;
    GDestroyNotify free_data; /* NULL: it stays the caller's */
} ArchMoverConfig;

/* Starts a kernel `delay` cycles from the engine's current time. Call it before the
 * engine's run. The core owns the mover until arch_tensix_finish(). */
ArchMover *
arch_mover_start(ArchTensixCore *core, const ArchMoverConfig *config, SimTime delay);

SimTime arch_mover_now(const ArchMover *self); /* its own, never before the engine's */

/* Every call below either completes or returns ARCH_MOVER_AGAIN. In the latter case the
 * kernel returns SIM_PROCESS_BLOCKED from `resume` and repeats the same call when it is
 * resumed; time is charged once. ARCH_MOVER_FAILED sets the error (ARCH_ERROR_INVALID).
 */
typedef enum {
    ARCH_MOVER_DONE,
    ARCH_MOVER_AGAIN,
    ARCH_MOVER_FAILED,
} ArchMoverResult;

typedef enum {
    ARCH_MOVER_CB_WAIT,
    ARCH_MOVER_CB_POP,
    ARCH_MOVER_CB_RESERVE,
    ARCH_MOVER_CB_PUSH,
} ArchMoverCbOp;

ArchMoverResult
arch_mover_cb(ArchMover *self, ArchMoverCbOp op, guint cb, guint pages, GError **error);
/* The L1 address of the next page to read or to write. */
bool arch_mover_cb_pointer(
    ArchMover *self, guint cb, bool is_write, uint32_t *address, GError **error);

typedef enum {
    ARCH_MOVER_READ,  /* from `remote` into `local` */
    ARCH_MOVER_WRITE, /* from `local` to `remote` */
    ARCH_MOVER_WRITE_POSTED,
    ARCH_MOVER_INLINE,    /* `value` to `remote`, 4 bytes */
    ARCH_MOVER_INCREMENT, /* `remote` += value, atomically */
    ARCH_MOVER_MULTICAST, /* from `local` to all cores of a rectangle */
} ArchMoverOp;

typedef struct {
    ArchMoverOp op;
    ArchNocAddress remote;
    uint32_t local;
    uint64_t bytes;
    uint32_t value;
    bool is_page;   /* charge the computation of a page's address first */
    bool is_issued; /* the kernel's own instructions have issued it */
    guint noc;      /* 1 + the NoC that it takes; 0: the mover's */
    guint vc;       /* 1 + the virtual channel of a request; 0: the usual one */
    guint corner_x; /* multicast: from remote's x, y to here, both included */
    guint corner_y;
    bool is_loopback; /* the sender receives too, if inside the rectangle */
    bool is_linked;
    bool is_to_many;   /* as is a multicast: also an inline write or an increment */
    guint transaction; /* the id that barriers may wait for */
    const char *name;  /* of the call, for traces (interned); NULL: after `op` */
} ArchMoverTransfer;

ArchMoverResult
arch_mover_transfer(ArchMover *self, const ArchMoverTransfer *what, GError **error);

/* A message to a core of another chip (see arch/border/fabric.h): data, then an
 * increment of a word of that core. Either may be left out. */
typedef struct {
    guint chip; /* its number in the system */
    guint x;    /* the core, logical */
    guint y;
    uint64_t address;
    uint32_t local;
    uint64_t bytes; /* 0: only the increment */
    uint64_t semaphore;
    uint32_t increment; /* 0: only data */
    const char *name;   /* of the call (interned) */
} ArchMoverMessage;

ArchMoverResult
arch_mover_send(ArchMover *self, const ArchMoverMessage *what, GError **error);

typedef enum {
    ARCH_BARRIER_READ,
    ARCH_BARRIER_WRITE,
    ARCH_BARRIER_FLUSH, /* until writes have left */
    ARCH_BARRIER_ATOMIC,
    ARCH_BARRIER_FABRIC, /* until messages have left their ports */
} ArchBarrier;
ArchMoverResult arch_mover_barrier(ArchMover *self, ArchBarrier what, GError **error);

/* Until a semaphore, a word of its own L1, is `value`, or no less if `is_minimum`. */
ArchMoverResult arch_mover_semaphore_wait(
    ArchMover *self, uint32_t address, uint32_t value, bool is_minimum, GError **error);

/* Loads and stores of the RISC-V in its own L1, word by word. `name` is the call's name
 * in traces (interned). */
ArchMoverResult
arch_mover_load(ArchMover *self, uint32_t address, uint32_t *value, GError **error);
ArchMoverResult arch_mover_store(ArchMover *self,
                                 const char *name,
                                 uint32_t address,
                                 const uint32_t *values,
                                 guint count,
                                 GError **error);

/* Spends cycles on the kernel's own computation. Traces call them `name` (interned). */
ArchMoverResult arch_mover_spend(ArchMover *self, const char *name, SimTime cycles);

void arch_mover_print(const ArchMover *self, const char *text); /* to a watcher */

void arch_mover_zone_begin(ArchMover *self, const char *name); /* interned */
bool arch_mover_zone_end(ArchMover *self, GError **error);
