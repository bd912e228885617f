/* A baby RISC-V: an in-order RV32IM core that issues one instruction a cycle, waits for
 * operands that are still on their way, and stops where its surroundings must act. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/tensix/riscv/instruction.h"
#include "arch/tensix_riscv.h"
#include "sim/ratio.h"
#include "sim/time.h"

/* The text of a program: instructions that lie one after another, behind them one that
 * says that the program has left its text. */
typedef struct {
    uint32_t address;
    guint count;
    RiscvInstruction *instructions;
} RiscvCode;

/* `words` are those of the text, as they lie in memory. */
RiscvCode *riscv_code_new(uint32_t address, const uint32_t *words, guint count);
void riscv_code_free(RiscvCode *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(RiscvCode, riscv_code_free)

enum {
    RISCV_LOAD_SLOTS = 4,    /* loads that can be under way */
    RISCV_RETIRE_PLACES = 8, /* instructions that can wait behind a load */
};

/* What instructions cost, beyond their first cycle, and how fast they are fetched. */
typedef struct {
    guint multiply_cycles; /* whole cost */
    guint divide_least_cycles;
    guint divide_most_cycles;
    guint divide_start_cycles; /* beyond the bits of the dividend */
    SimRatio branch_cycles;    /* of a taken one that was not foreseen */
    guint local_load_cycles;
    guint slot_cycles; /* that a load other than a local one keeps its slot */
    guint cache_lines; /* a power of two; 0: text comes without delay */
    SimRatio miss_cycles;
    uint32_t local_address;
    uint32_t local_bytes;
} RiscvNumbers;

typedef enum {
    RISCV_CALLS,   /* an ecall */
    RISCV_VECTORS, /* an instruction of the vector unit, the one before `next` */
    RISCV_LOADS,   /* from `address`, which is not local: see riscv_cpu_load() */
    RISCV_STORES,  /* `value` to `address`, likewise */
    RISCV_PAUSES,  /* it has reached the time that it was given */
    RISCV_FAILS,   /* `why` */
} RiscvState;

typedef struct {
    RiscvState state;
    uint32_t address;
    uint32_t value;
    guint bytes; /* 1, 2 or 4 */
    guint rd;
    bool is_signed;
    const char *why;
} RiscvStop;

struct RiscvCpu {
    uint32_t x[RISCV_REGISTERS + 1];
    const RiscvInstruction *next;
    SimTime now;   /* when the next instruction can begin */
    SimTime until; /* where it pauses */
    RiscvStop stop;
    uint32_t pending;                   /* registers whose values are on their way */
    SimTime ready[RISCV_REGISTERS + 1]; /* when those come */
    SimTime slots[RISCV_LOAD_SLOTS];    /* when each is free again */
    uint64_t load_number;               /* counts them */
    uint64_t retire_at;                 /* instruction that waits for `retires` */
    SimTime retires;                    /* when the last load is through */
    uint64_t instructions;              /* begun so far */
    uint64_t branch_remainder;
    uint64_t miss_remainder;
    uint32_t *lines; /* that the instruction cache has */
    guint8 *jumped;  /* by instruction: a branch back, when it was last carried out */
    guint8 *local;
    /* Where its time goes, by instruction. Runs of instructions begin, and end before,
     * those with `visits`, so that only jumps are counted; `spent` has, by
     * ArchRiscvReason, what is beyond the first cycle of each. */
    uint64_t *visits;
    uint64_t *spent;
    const RiscvCode *code;
    const RiscvNumbers *numbers;
};

/* `code` and `numbers` are borrowed. It begins at `entry` with its stack pointer at the
 * end of the local memory. Free it with riscv_cpu_clear(). */
void riscv_cpu_init(RiscvCpu *self,
                    const RiscvCode *code,
                    const RiscvNumbers *numbers,
                    uint32_t entry);
void riscv_cpu_clear(RiscvCpu *self);

/* The address of the next instruction; after a stop, of the one behind it. */
uint32_t riscv_cpu_pc(const RiscvCpu *self);

/* Runs until it stops; never before an instruction that begins at `until` or later.
 * self->stop says why. */
void riscv_cpu_run(RiscvCpu *self, SimTime until);

/* Gives the load at which it stopped the word that contains its bytes; they come
 * `cycles` after the load began. */
void riscv_cpu_load(RiscvCpu *self, uint32_t word, guint cycles);

/* Waits until a value that is on its way has come. */
void riscv_cpu_settle(RiscvCpu *self, guint rd);

/* The instruction at which it stopped takes longer, without or with its clock. */
void riscv_cpu_note(RiscvCpu *self, SimTime cycles, ArchRiscvReason reason);
void riscv_cpu_spend(RiscvCpu *self, SimTime cycles, ArchRiscvReason reason);

/* When it has ended: adds the first cycles of instructions to `spent`. */
void riscv_cpu_add_up(RiscvCpu *self);
