/* A compiled kernel on one RISC-V: its program, its state, and what those that carry it
 * out, on movers or compute threads, have in common. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/tensix/circular_buffer.h"
#include "arch/tensix/riscv/cpu.h"
#include "arch/tensix/riscv/program.h"
#include "arch/tensix_riscv.h"

typedef enum {
#define RISCV_CALL(name) RISCV_CALL_##name,
#include "arch/tensix/riscv/calls.def"
} RiscvCall;

/* What may be asked of a circular buffer. */
typedef enum {
    RISCV_BUFFER_ADDRESS,
    RISCV_BUFFER_PAGE_BYTES,
    RISCV_BUFFER_PAGES,
    RISCV_BUFFER_PAGES_FILLED,
    RISCV_BUFFER_PAGES_FREE,
    RISCV_BUFFER_FACTS,
} RiscvBufferFact;

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

/* Bytes of local memory or of the program's text; NULL, with an error, outside. */
const guint8 *riscv_kernel_bytes(const RiscvKernel *self,
                                 uint32_t address,
                                 uint32_t count,
                                 GError **error);

/* The text of a call with address and length; NULL, with an error, if it lies
 * elsewhere. The caller frees it. */
char *riscv_kernel_text(const RiscvKernel *self, GError **error);

/* What a call of `fail` says. */
void riscv_kernel_refuse(const RiscvKernel *self, GError **error);

/* Hands the text of a print or a stamp to the listener. */
void riscv_kernel_say(const RiscvKernel *self, const char *text);

/* Answers what is asked of a circular buffer; `filled`: its pages to be read. */
bool riscv_kernel_buffer_fact(RiscvKernel *self,
                              const CircularBuffer *buffer,
                              uint64_t filled,
                              GError **error);

/* Tells the listener that it has ended. */
void riscv_kernel_ended(const RiscvKernel *self, SimTime when);

/* Completes an error, which it takes: line, kernel, `where`, and the registers. */
GError *riscv_kernel_fault(const RiscvKernel *self,
                           const char *where,
                           SimTime now,
                           GError *error);
