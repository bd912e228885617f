/* What compiled kernels on movers and on compute threads have in common. */
#include "arch/tensix/riscv/kernel.h"

#include <string.h>

#include "arch/error.h"
#include "arch/tensix/core.h"
#include "arch/tensix/unknown.h"
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

const char *arch_riscv_reason_name(ArchRiscvReason reason)
{
    static const char *const names[ARCH_RISCV_REASONS] = {
        [ARCH_RISCV_RUNS] = "instructions",
        [ARCH_RISCV_FETCHES] = "fetch",
        [ARCH_RISCV_WAITS_LOAD] = "load",
        [ARCH_RISCV_WAITS_STORE] = "store",
        [ARCH_RISCV_CALLS] = "call",
        [ARCH_RISCV_WAITS_CB] = "circular_buffer",
        [ARCH_RISCV_WAITS_COMMAND] = "command_queue",
        [ARCH_RISCV_WAITS_BARRIER] = "noc_barrier",
        [ARCH_RISCV_WAITS_SEMAPHORE] = "semaphore",
        [ARCH_RISCV_WAITS_DST] = "dst",
        [ARCH_RISCV_WAITS_SRC] = "src",
        [ARCH_RISCV_WAITS_UNIT] = "unit",
        [ARCH_RISCV_WAITS_BANK] = "bank_conflict",
        [ARCH_RISCV_WAITS_FABRIC] = "fabric",
        [ARCH_RISCV_UNATTRIBUTED] = "unattributed",
    };

    g_return_val_if_fail(reason < ARCH_RISCV_REASONS, NULL);
    return names[reason];
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
    self->begin = start;
}

void riscv_kernel_clear(RiscvKernel *self)
{
    riscv_cpu_clear(&self->cpu);
    g_clear_pointer(&self->program, arch_riscv_program_unref);
}

/* What a RISC-V waits for while its lane does: by TensixLaneReason. */
static ArchRiscvReason reason_of(TensixLaneReason reason, bool is_store)
{
    static const ArchRiscvReason reasons[TENSIX_LANE_REASONS] = {
        [TENSIX_LANE_BUSY] = ARCH_RISCV_CALLS,
        [TENSIX_LANE_CIRCULAR_BUFFER] = ARCH_RISCV_WAITS_CB,
        [TENSIX_LANE_NOC] = ARCH_RISCV_WAITS_BARRIER,
        [TENSIX_LANE_DST] = ARCH_RISCV_WAITS_DST,
        [TENSIX_LANE_SRC] = ARCH_RISCV_WAITS_SRC,
        [TENSIX_LANE_SEMAPHORE] = ARCH_RISCV_WAITS_SEMAPHORE,
        [TENSIX_LANE_FABRIC] = ARCH_RISCV_WAITS_FABRIC,
        [TENSIX_LANE_BANK_CONFLICT] = ARCH_RISCV_WAITS_BANK,
        [TENSIX_LANE_UNIT] = ARCH_RISCV_WAITS_UNIT,
        [TENSIX_LANE_ISSUE] = ARCH_RISCV_CALLS,
        [TENSIX_LANE_UNATTRIBUTED] = ARCH_RISCV_UNATTRIBUTED,
        [TENSIX_LANE_IDLE] = ARCH_RISCV_CALLS,
    };

    if (is_store && reason == TENSIX_LANE_BUSY) {
        return ARCH_RISCV_WAITS_STORE;
    }
    return is_store && reason == TENSIX_LANE_NOC ? ARCH_RISCV_WAITS_COMMAND
                                                 : reasons[reason];
}

void riscv_kernel_ran(RiscvKernel *self, const TensixLane *lane)
{
    const RiscvNumbers *numbers = &self->program->numbers;
    const uint32_t sp = self->cpu.x[SP];

    self->seen.at = lane->at;
    self->seen.cycles[TENSIX_LANE_BUSY] = lane->cycles[TENSIX_LANE_BUSY];
    if (G_UNLIKELY(sp - numbers->local_address - self->program->local_bytes >
                   numbers->local_bytes - self->program->local_bytes)) {
        self->cpu.stop = (RiscvStop){
            .state = RISCV_FAILS,
            .address = sp,
            .why = "its stack does not fit into local memory beside its data: sp is"};
    }
}

void riscv_kernel_catch_up(RiscvKernel *self, const TensixLane *lane)
{
    RiscvCpu *cpu = &self->cpu;
    SimTime left = lane->at - MIN(lane->at, cpu->now);

    if (lane->at == self->seen.at) {
        return;
    }
    cpu->now += left;
    for (guint i = 0; i < TENSIX_LANE_REASONS && left > 0; i++) {
        const SimTime cycles = MIN(lane->cycles[i] - self->seen.cycles[i], left);

        riscv_cpu_note(
            cpu, cycles,
            reason_of((TensixLaneReason) i, cpu->stop.state == RISCV_STORES));
        left -= cycles;
    }
    self->seen = *lane;
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

bool riscv_kernel_is_known(const ArchTensixCore *core, uint32_t word, GError **error)
{
    return word != TENSIX_UNKNOWN_WORD || !core->owner->options.moves_data ||
           arch_refuse(error, "it is of a tile, and a timing-only run computes none: "
                              "run without --timing-only");
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

bool riscv_kernel_load_own(RiscvKernel *self)
{
    const uint32_t address = self->cpu.stop.address;
    const uint64_t now = self->cpu.now - 1;
    const guint8 *bytes =
        inside(self->program->text, self->program->text_address,
               self->program->text_bytes, address / 4 * 4, sizeof(uint32_t));
    uint32_t word = 0;

    if (address - self->listener.stray_address < self->listener.stray_bytes) {
        self->listener.stray(self->listener.data, address);
    }
    if (bytes != NULL) {
        memcpy(&word, bytes, sizeof word);
        riscv_cpu_load(&self->cpu, word, self->program->load_cycles);
    } else if (address == CLOCK_LOW || address == CLOCK_HIGH) {
        word = sim_u32(address == CLOCK_LOW ? now & G_MAXUINT32 : now >> 32);
        riscv_cpu_load(&self->cpu, word, self->program->register_cycles);
    } else {
        return false;
    }
    return true;
}

/* The text whose address and length begin with that argument; the caller frees it. */
static char *text_at(const RiscvKernel *self, guint number, GError **error)
{
    const uint32_t length = riscv_kernel_argument(self, number + 1);
    const guint8 *bytes = NULL;

    if (length == 0) {
        return g_strdup("");
    }
    bytes =
        riscv_kernel_bytes(self, riscv_kernel_argument(self, number), length, error);
    return bytes == NULL ? NULL : g_strndup((const char *) bytes, length);
}

char *riscv_kernel_text(const RiscvKernel *self, GError **error)
{
    return text_at(self, 0, error);
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
    }
}

const char *riscv_kernel_mark(const RiscvKernel *self, GError **error)
{
    const ArchRiscvListener *listener = &self->listener;
    const bool is_stamp = riscv_kernel_call(self) == RISCV_CALL_stamp;
    ArchRiscvMark mark = {.kind = ARCH_RISCV_ZONE_END, .when = self->cpu.now};
    g_autofree char *name = NULL;
    g_autofree char *file = NULL;

    if (riscv_kernel_call(self) != RISCV_CALL_zone_end) {
        name = text_at(self, 0, error);
        file = name == NULL ? NULL : text_at(self, is_stamp ? 5 : 3, error);
        if (file == NULL) {
            return NULL;
        }
        mark.kind = ARCH_RISCV_ZONE_BEGIN;
        mark.line = riscv_kernel_argument(self, is_stamp ? 4 : 2);
    }
    if (is_stamp) {
        mark.kind = *name == '\0' ? ARCH_RISCV_EVENT : ARCH_RISCV_DATA;
        mark.value = (uint64_t) riscv_kernel_argument(self, 3) << 32 |
                     riscv_kernel_argument(self, 2);
    }
    mark.name = name == NULL ? "" : name;
    mark.file = file == NULL ? "" : file;
    if (listener->mark != NULL) {
        listener->mark(listener->data, &mark);
    }
    return g_intern_string(mark.name);
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
    riscv_cpu_spend(&self->cpu, self->program->numbers.local_load_cycles - 1,
                    ARCH_RISCV_WAITS_LOAD);
    return true;
}

void riscv_kernel_over(RiscvKernel *self, const ArchRiscvEnd *end)
{
    ArchRiscvEnd whole = *end;

    riscv_cpu_add_up(&self->cpu);
    whole.begin = self->begin;
    whole.end = self->cpu.now;
    whole.instruction_count = self->program->code->count;
    whole.cycles = self->cpu.spent;
    if (self->listener.over != NULL) {
        self->listener.over(self->listener.data, &whole);
    }
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
