/* A compiled kernel on one RISC-V: its program, its state, and what those that carry it
 * out, on movers or compute threads, have in common. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/tensix/riscv/cpu.h"
#include "arch/tensix/riscv/program.h"
#include "arch/tensix_riscv.h"

typedef enum {
#define RISCV_CALL(name) RISCV_CALL_##name,
#include "arch/tensix/riscv/calls.def"
} RiscvCall;

typedef struct {
    ArchRiscvProgram *program;
    ArchRiscvListener listener;
    RiscvCpu cpu;
} RiscvKernel;

/* Takes a reference of the program. Free it with riscv_kernel_clear(). */
void riscv_kernel_init(RiscvKernel *self,
                       ArchRiscvProgram *program,
                       const ArchRiscvListener *listener,
                       SimTime start);
void riscv_kernel_clear(RiscvKernel *self);

/* Which call an ecall makes, and its arguments from 0 on. */
uint32_t riscv_kernel_call(const RiscvKernel *self);
uint32_t riscv_kernel_argument(const RiscvKernel *self, guint number);
void riscv_kernel_return(RiscvKernel *self, uint32_t value);

/* Answers a load from the clock; false if that is not what it stopped for. */
bool riscv_kernel_load_clock(RiscvKernel *self);

/* The text of a call with address and length; NULL, with an error, if it lies outside
 * of local memory. The caller frees it. */
char *riscv_kernel_text(const RiscvKernel *self, GError **error);

/* Hands the text of a print or a stamp to the listener. */
void riscv_kernel_say(const RiscvKernel *self, const char *text);

/* Tells the listener that it has ended. */
void riscv_kernel_ended(const RiscvKernel *self, SimTime when);

/* Completes an error, which it takes: line, kernel, `where`, and the registers. */
GError *riscv_kernel_fault(const RiscvKernel *self,
                           const char *where,
                           SimTime now,
                           GError *error);
