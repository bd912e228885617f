/* A compiled kernel on one RISC-V: its program, its state, and what those that carry it
 * out, on movers or compute threads, have in common. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/tensix/circular_buffer.h"
#include "arch/tensix/lane.h"
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
    SimTime begin;
    TensixLane seen; /* its lane, when the RISC-V last was where that is */
} RiscvKernel;

/* Takes a reference of the program. Free it with riscv_kernel_clear(). */
void riscv_kernel_init(RiscvKernel *self,
                       ArchRiscvProgram *program,
                       const ArchRiscvListener *listener,
                       SimTime start);
void riscv_kernel_clear(RiscvKernel *self);

/* The RISC-V goes on where its lane is, and has spent what that has meanwhile. */
void riscv_kernel_catch_up(RiscvKernel *self, const TensixLane *lane);
/* It has run, and its lane has come after it. It fails if its stack has grown too far.
 */
void riscv_kernel_ran(RiscvKernel *self, const TensixLane *lane);

/* Which call an ecall makes, and its arguments from 0 on. */
uint32_t riscv_kernel_call(const RiscvKernel *self);
uint32_t riscv_kernel_argument(const RiscvKernel *self, guint number);
void riscv_kernel_return(RiscvKernel *self, uint32_t value);

/* Answers a load from the clock, or of a constant that lies with the program's text;
 * false if that is not what it stopped for. */
bool riscv_kernel_load_own(RiscvKernel *self);

/* Bytes of local memory or of the program's text; NULL, with an error, outside. */
const guint8 *riscv_kernel_bytes(const RiscvKernel *self,
                                 uint32_t address,
                                 uint32_t count,
                                 GError **error);

/* The text of a call with address and length; NULL, with an error, if it lies
 * elsewhere. The caller frees it. */
char *riscv_kernel_text(const RiscvKernel *self, GError **error);

/* Fails if a word of L1 stands for a number that nobody has computed. */
bool riscv_kernel_is_known(const ArchTensixCore *core, uint32_t word, GError **error);

/* What a call of `fail` says. */
void riscv_kernel_refuse(const RiscvKernel *self, GError **error);

/* Hands the text of a print to the listener. */
void riscv_kernel_say(const RiscvKernel *self, const char *text);

/* Tells the listener of a zone that begins or ends, or of a stamp. Gives the zone's
 * name, interned, or else "". NULL on failure. */
const char *riscv_kernel_mark(const RiscvKernel *self, GError **error);

/* Answers what is asked of a circular buffer; `filled`: its pages to be read. */
bool riscv_kernel_buffer_fact(RiscvKernel *self,
                              const CircularBuffer *buffer,
                              uint64_t filled,
                              GError **error);

/* Tells the listener what is known of its program, whose last call was made. Of `end`,
 * the transfers count. */
void riscv_kernel_over(RiscvKernel *self, const ArchRiscvEnd *end);

/* Tells the listener that it has ended. */
void riscv_kernel_ended(const RiscvKernel *self, SimTime when);

/* Completes an error, which it takes: line, kernel, `where`, and the registers. */
GError *riscv_kernel_fault(const RiscvKernel *self,
                           const char *where,
                           SimTime now,
                           GError *error);
