/* A compiled kernel, decoded, with the numbers of the RISC-V that it is for. */
#pragma once

#include "arch/tensix/riscv/cpu.h"
#include "arch/tensix_riscv.h"

struct ArchRiscvProgram {
    gatomicrefcount references;
    char *name;
    RiscvCode *code;
    guint8 *text; /* its words, and texts behind them */
    uint32_t text_address;
    guint text_bytes;
    uint32_t entry;
    guint8 *local;
    guint local_bytes;
    RiscvNumbers numbers;
    guint register_cycles; /* of a load from a register of the NoC or the clock */
    guint load_cycles;     /* from the L1 */
    SimRatio store_cycles; /* from one store to the L1 to the next */
};

/* Puts a RISC-V at the program's begin. Clear it with riscv_cpu_clear(). */
void riscv_program_begin(const ArchRiscvProgram *self, RiscvCpu *cpu);
