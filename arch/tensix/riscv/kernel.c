/* What compiled kernels on movers and on compute threads have in common. */
#include "arch/tensix/riscv/kernel.h"

#include <string.h>

#include "arch/error.h"
#include "sim/narrow.h"

/* Registers by their names in calls. */
enum {
    RA = 1,
    SP = 2,
    A0 = 10,
    A7 = 17,
};

enum {
    SHOWN_REGISTERS = 8, /* from a0 on */
};

#define CLOCK_LOW  0xffb121f0u
#define CLOCK_HIGH 0xffb121f8u

const char *arch_riscv_call_name(guint number)
{
    static const char *const names[] = {
#define RISCV_CALL(name) #name,
#include "arch/tensix/riscv/calls.def"
        NULL,
    };

    return names[MIN(number, G_N_ELEMENTS(names) - 1)];
}

void riscv_kernel_init(RiscvKernel *self,
                       ArchRiscvProgram *program,
                       const ArchRiscvListener *listener,
                       SimTime start)
{
    self->program = arch_riscv_program_ref(program);
    self->listener = *listener;
    riscv_program_begin(program, &self->cpu);
    self->cpu.now = start;
}

void riscv_kernel_clear(RiscvKernel *self)
{
    riscv_cpu_clear(&self->cpu);
    g_clear_pointer(&self->program, arch_riscv_program_unref);
}

uint32_t riscv_kernel_call(const RiscvKernel *self)
{
    return self->cpu.x[A7];
}

uint32_t riscv_kernel_argument(const RiscvKernel *self, guint number)
{
    return self->cpu.x[A0 + number];
}

void riscv_kernel_return(RiscvKernel *self, uint32_t value)
{
    self->cpu.x[A0] = value;
}

bool riscv_kernel_load_clock(RiscvKernel *self)
{
    const uint32_t address = self->cpu.stop.address;
    const uint64_t now = self->cpu.now - 1;

    if (address != CLOCK_LOW && address != CLOCK_HIGH) {
        return false;
    }
    riscv_cpu_load(&self->cpu,
                   sim_u32(address == CLOCK_LOW ? now & G_MAXUINT32 : now >> 32),
                   self->program->register_cycles);
    return true;
}

/* Of a memory that begins at `first`; NULL outside. */
static const guint8 *inside(
    const guint8 *memory, uint32_t first, guint bytes, uint32_t address, uint32_t count)
{
    const uint32_t offset = address - first;

    return offset > bytes || count > bytes - offset ? NULL : memory + offset;
}

const guint8 *riscv_kernel_bytes(const RiscvKernel *self,
                                 uint32_t address,
                                 uint32_t count,
                                 GError **error)
{
    const RiscvNumbers *numbers = &self->program->numbers;
    const guint8 *bytes = inside(self->cpu.local, numbers->local_address,
                                 numbers->local_bytes, address, count);

    if (bytes == NULL) {
        bytes = inside(self->program->text, self->program->text_address,
                       self->program->text_bytes, address, count);
    }
    if (bytes == NULL) {
        (void) arch_refuse(error, "a text outside of local memory, at 0x%x", address);
    }
    return bytes;
}

char *riscv_kernel_text(const RiscvKernel *self, GError **error)
{
    const uint32_t length = riscv_kernel_argument(self, 1);
    const guint8 *bytes =
        riscv_kernel_bytes(self, riscv_kernel_argument(self, 0), length, error);

    return bytes == NULL ? NULL : g_strndup((const char *) bytes, length);
}

void riscv_kernel_refuse(const RiscvKernel *self, GError **error)
{
    g_autofree char *text = riscv_kernel_text(self, error);

    if (text != NULL) {
        (void) arch_refuse(error, "%s", text);
    }
}

void riscv_kernel_say(const RiscvKernel *self, const char *text)
{
    const ArchRiscvListener *listener = &self->listener;

    if (riscv_kernel_call(self) == RISCV_CALL_print && listener->print != NULL) {
        listener->print(listener->data, self->cpu.now, text, strlen(text));
    } else if (riscv_kernel_call(self) == RISCV_CALL_stamp && listener->stamp != NULL) {
        listener->stamp(listener->data, self->cpu.now, text,
                        riscv_kernel_argument(self, 2));
    }
}

bool riscv_kernel_buffer_fact(RiscvKernel *self,
                              const CircularBuffer *buffer,
                              uint64_t filled,
                              GError **error)
{
    const uint32_t facts[RISCV_BUFFER_FACTS] = {
        [RISCV_BUFFER_ADDRESS] = buffer->address,
        [RISCV_BUFFER_PAGE_BYTES] = buffer->page_bytes,
        [RISCV_BUFFER_PAGES] = buffer->page_count,
        [RISCV_BUFFER_PAGES_FILLED] = sim_u32(filled),
        [RISCV_BUFFER_PAGES_FREE] = buffer->page_count - sim_u32(filled),
    };
    const uint32_t what = riscv_kernel_argument(self, 1);

    if (what >= RISCV_BUFFER_FACTS) {
        return arch_refuse(error, "circular buffers have no fact %u", what);
    }
    riscv_kernel_return(self, facts[what]);
    self->cpu.now += self->program->numbers.local_load_cycles - 1;
    return true;
}

void riscv_kernel_ended(const RiscvKernel *self, SimTime when)
{
    if (self->listener.ended != NULL) {
        self->listener.ended(self->listener.data, when);
    }
}

GError *riscv_kernel_fault(const RiscvKernel *self,
                           const char *where,
                           SimTime now,
                           GError *error)
{
    const uint32_t pc = riscv_cpu_pc(&self->cpu) - 4;
    g_autofree char *line = self->listener.line == NULL
                                ? NULL
                                : self->listener.line(self->listener.data, pc);
    g_autoptr(GString) registers = g_string_new(NULL);
    GError *whole;

    for (guint i = 0; i < SHOWN_REGISTERS; i++) {
        g_string_append_printf(registers, " a%u=0x%x", i, self->cpu.x[A0 + i]);
    }
    whole = g_error_new(ARCH_ERROR, ARCH_ERROR_FAULT,
                        "%s%skernel %s on %s: %s; pc=0x%x at cycle %" G_GUINT64_FORMAT
                        ", ra=0x%x sp=0x%x%s",
                        line == NULL ? "" : line, line == NULL ? "" : ": ",
                        self->program->name, where, error->message, pc, now,
                        self->cpu.x[RA], self->cpu.x[SP], registers->str);
    g_error_free(error);
    return whole;
}
