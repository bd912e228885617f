/* Compiled kernels: programs of RV32IM on the baby RISC-Vs of a core. Their plain
 * instructions take the time that arch/tensix/riscv/cpu.h gives them. They command the
 * NoC through its registers; other units, which the calls of
 * arch/tensix/riscv/calls.def name, are the same that kernels of arch/tensix_mover.h
 * use. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/tensix.h"
#include "arch/tensix_compute.h"
#include "arch/tensix_mover.h"

typedef enum {
    ARCH_RISCV_B,
    ARCH_RISCV_NC,
    ARCH_RISCV_T0,
    ARCH_RISCV_T1,
    ARCH_RISCV_T2,
    ARCH_RISCVS,
} ArchRiscvIndex;

/* What a compiler made of a kernel for one of the five; shared by the cores that run
 * it. */
typedef struct ArchRiscvProgram ArchRiscvProgram;

typedef struct {
    const char *name; /* of the kernel, copied */
    uint32_t address; /* of its text */
    const uint32_t *words;
    guint word_count;
    uint32_t entry;
    gconstpointer local; /* the first bytes of its local memory; copied */
    guint local_bytes;
} ArchRiscvText;

/* Fails with ARCH_ERROR_INVALID: no text, an entry outside, too much local memory. */
ArchRiscvProgram *arch_riscv_program_new(ArchTensix *tensix,
                                         ArchRiscvIndex index,
                                         const ArchRiscvText *text,
                                         GError **error);
ArchRiscvProgram *arch_riscv_program_ref(ArchRiscvProgram *self);
void arch_riscv_program_unref(ArchRiscvProgram *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ArchRiscvProgram, arch_riscv_program_unref)

/* The names of the calls of arch/tensix/riscv/calls.def, in its order; NULL after the
 * last. */
const char *arch_riscv_call_name(guint number);

/* Likewise, the vector instructions of arch/tensix/compute/sfpu_opcodes.def. */
const char *arch_riscv_vector_name(guint number);

/* What the cycles of a kernel go to. */
typedef enum {
    ARCH_RISCV_RUNS,          /* instructions */
    ARCH_RISCV_FETCHES,       /* jumps not foreseen, text that is not in the cache */
    ARCH_RISCV_WAITS_LOAD,    /* for a value that it has loaded */
    ARCH_RISCV_WAITS_STORE,   /* until the L1 takes the next store */
    ARCH_RISCV_CALLS,         /* what calls take themselves */
    ARCH_RISCV_WAITS_CB,      /* for pages or space of a circular buffer */
    ARCH_RISCV_WAITS_COMMAND, /* for a place in the queue of a NoC */
    ARCH_RISCV_WAITS_BARRIER, /* for transfers under way */
    ARCH_RISCV_WAITS_SEMAPHORE,
    ARCH_RISCV_WAITS_DST,
    ARCH_RISCV_WAITS_SRC,
    ARCH_RISCV_WAITS_UNIT, /* that computes, or for a place among its instructions */
    ARCH_RISCV_WAITS_BANK, /* of the L1 */
    ARCH_RISCV_WAITS_FABRIC,
    ARCH_RISCV_UNATTRIBUTED,
    ARCH_RISCV_REASONS,
} ArchRiscvReason;

const char *arch_riscv_reason_name(ArchRiscvReason reason); /* "circular_buffer" */

/* What is known of a RISC-V whose program has ended. */
typedef struct {
    SimTime begin;
    SimTime end;
    /* `cycles[ARCH_RISCV_REASONS * i + reason]` of its i-th instruction: together,
     * those from `begin` to `end`. */
    guint instruction_count;
    const uint64_t *cycles;
    /* Transfers that it has not waited for. */
    uint64_t reads;
    uint64_t writes;
    uint64_t atomics;
} ArchRiscvEnd;

typedef enum {
    ARCH_RISCV_ZONE_BEGIN,
    ARCH_RISCV_ZONE_END, /* of the innermost; it has no name */
    ARCH_RISCV_DATA,
    ARCH_RISCV_EVENT, /* it has no name */
} ArchRiscvMarkKind;

/* What a kernel tells the profiler. Texts are borrowed. */
typedef struct {
    ArchRiscvMarkKind kind;
    SimTime when;
    const char *name;
    uint64_t value;
    guint line;
    const char *file;
} ArchRiscvMark;

/* What kernels say while they run, in an event of the region they run in: 0 for data
 * movers, arch_tensix_core_region() for compute. Any member may be NULL. */
typedef struct {
    /* A text, as the kernel has put it together. */
    void (*print)(gpointer data, SimTime when, const char *text, gsize length);
    void (*mark)(gpointer data, const ArchRiscvMark *mark);
    /* The source line of an address; the caller frees it, and NULL stands for none. */
    char *(*line)(gpointer data, uint32_t address);
    void (*over)(gpointer data, const ArchRiscvEnd *end);
    /* A load from these bytes of the L1, which nobody has set. */
    void (*stray)(gpointer data, uint32_t address);
    uint32_t stray_address;
    uint32_t stray_bytes; /* 0: there are none */
    /* It has ended; of compute kernels: all three threads have. */
    void (*ended)(gpointer data, SimTime when);
    gpointer data;
} ArchRiscvListener;

/* Starts `program`, made for that mover, which has a NoC of its own, `delay` cycles
 * from the engine's current time. Call it before the engine's run. The listener's data
 * stay the caller's. The core owns the kernel until arch_tensix_finish(). */
void arch_riscv_start_mover(ArchTensixCore *core,
                            ArchRiscvProgram *program,
                            ArchMoverIndex index,
                            guint noc,
                            const ArchRiscvListener *listener,
                            SimTime delay);

/* The same for the three programs of a compute kernel, made for T0 to T2, with a
 * listener each. Of `kernel`, name, fidelity and the flags count. */
void arch_riscv_start_compute(ArchTensixCore *core,
                              ArchRiscvProgram *const programs[3],
                              const ArchComputeKernel *kernel,
                              const ArchRiscvListener listeners[3],
                              SimTime delay);
