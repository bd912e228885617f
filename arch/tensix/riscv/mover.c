/* Compiled kernels on data movers: runs their instructions, and carries out what they
 * load, store and ask for. */
#include <string.h>

#include "arch/error.h"
#include "arch/tensix/mover/access.h"
#include "arch/tensix/riscv/cpu.h"
#include "arch/tensix/riscv/niu.h"
#include "arch/tensix/riscv/program.h"
#include "sim/narrow.h"

typedef enum {
#define RISCV_CALL(name) CALL_##name,
#include "arch/tensix/riscv/calls.def"
    CALLS,
} Call;

/* Registers by their names in calls. */
enum {
    RA = 1,
    SP = 2,
    A0 = 10,
    A1 = 11,
    A2 = 12,
    A7 = 17,
};

enum {
    AHEAD_CYCLES = 4096, /* of the engine, so that a run can be stopped */
};

#define CLOCK_LOW  0xffb121f0u
#define CLOCK_HIGH 0xffb121f8u

typedef struct {
    ArchRiscvProgram *program;
    ArchRiscvListener listener;
    ArchMover *mover;
    RiscvCpu cpu;
    RiscvNiu nius[RISCV_NIUS];
    ArchMoverTransfer command; /* that it has started */
    bool is_stopped;           /* it has not been given yet what it stopped for */
    bool is_commanding;        /* `command` is under way */
    bool is_over;
    SimTime stored; /* when the L1 takes the next store */
    uint64_t store_remainder;
} RiscvMover;

static void riscv_mover_free(gpointer data)
{
    RiscvMover *self = data;

    riscv_cpu_clear(&self->cpu);
    arch_riscv_program_unref(self->program);
    g_free(self);
}

static ArchMoverResult refuse(GError **error, const char *why, uint32_t address)
{
    (void) arch_refuse(error, "%s 0x%x", why, address);
    return ARCH_MOVER_FAILED;
}

static bool is_clock(uint32_t address)
{
    return address == CLOCK_LOW || address == CLOCK_HIGH;
}

/* Time as the RISC-V has it goes on where the mover's is. */
static void catch_up(RiscvMover *self)
{
    self->cpu.now = MAX(self->cpu.now, arch_mover_now(self->mover));
}

static ArchMoverResult load(RiscvMover *self, GError **error)
{
    const ArchRiscvProgram *program = self->program;
    const uint32_t address = self->cpu.stop.address;
    uint32_t word = 0;
    ArchMoverResult result;

    if (riscv_niu_has(address)) {
        riscv_cpu_load(&self->cpu, riscv_niu_load(self->nius, address),
                       program->register_cycles);
        return ARCH_MOVER_DONE;
    }
    if (is_clock(address)) {
        const uint64_t now = self->cpu.now - 1;

        word = (uint32_t) (address == CLOCK_LOW ? now : now >> 32);
        riscv_cpu_load(&self->cpu, word, program->register_cycles);
        return ARCH_MOVER_DONE;
    }
    result = tensix_mover_see(self->mover, address / 4 * 4, &word, error);
    if (result == ARCH_MOVER_DONE) {
        catch_up(self);
        riscv_cpu_load(&self->cpu, word, program->load_cycles);
    } else if (result == ARCH_MOVER_FAILED) {
        g_prefix_error(error, "loads from 0x%x: ", address);
    }
    return result;
}

/* Issues the command that a store has started. */
static ArchMoverResult command(RiscvMover *self, GError **error)
{
    const ArchMoverResult result =
        arch_mover_transfer(self->mover, &self->command, error);

    self->is_commanding = result == ARCH_MOVER_AGAIN;
    return result;
}

static ArchMoverResult store_to_niu(RiscvMover *self, GError **error)
{
    const RiscvStop *stop = &self->cpu.stop;

    if (!self->is_commanding) {
        if (!riscv_niu_store(self->nius, stop->address, stop->value)) {
            return ARCH_MOVER_DONE;
        }
        if (!riscv_niu_command(self->nius, self->mover, stop->address, &self->command,
                               error)) {
            return ARCH_MOVER_FAILED;
        }
    }
    return command(self, error);
}

static ArchMoverResult store(RiscvMover *self, GError **error)
{
    const RiscvStop *stop = &self->cpu.stop;
    ArchMoverResult result;

    if (riscv_niu_has(stop->address)) {
        return stop->bytes == 4
                   ? store_to_niu(self, error)
                   : refuse(error, "stores a part of register", stop->address);
    }
    /* The L1 takes one after another. */
    tensix_lane_until(&self->mover->lane, self->stored, TENSIX_LANE_BUSY);
    result =
        tensix_mover_put(self->mover, stop->address, stop->value, stop->bytes, error);
    if (result == ARCH_MOVER_DONE) {
        self->stored =
            arch_mover_now(self->mover) +
            sim_ratio_charge(self->program->store_cycles, 1, &self->store_remainder);
    } else if (result == ARCH_MOVER_FAILED) {
        g_prefix_error(error, "stores to 0x%x: ", stop->address);
    }
    return result;
}

static uint32_t argument(const RiscvMover *self, guint number)
{
    return self->cpu.x[A0 + number];
}

/* A text of the kernel's, in its local memory; NULL if it lies elsewhere. The caller
 * frees it. */
static char *text_at(const RiscvMover *self, uint32_t address, uint32_t length)
{
    const RiscvNumbers *numbers = &self->program->numbers;
    const uint32_t offset = address - numbers->local_address;

    if (offset > numbers->local_bytes || length > numbers->local_bytes - offset) {
        return NULL;
    }
    return g_strndup((const char *) self->cpu.local + offset, length);
}

static ArchMoverResult pointer(RiscvMover *self, bool is_write, GError **error)
{
    uint32_t address = 0;

    if (!arch_mover_cb_pointer(self->mover, argument(self, 0), is_write, &address,
                               error)) {
        return ARCH_MOVER_FAILED;
    }
    self->cpu.x[A0] = address;
    self->cpu.now += self->program->numbers.local_load_cycles - 1;
    return ARCH_MOVER_DONE;
}

/* Calls with a text: what a listener hears. */
static ArchMoverResult say(RiscvMover *self, Call call, GError **error)
{
    const ArchRiscvListener *listener = &self->listener;
    const uint32_t length = argument(self, 1);
    g_autofree char *text = text_at(self, argument(self, 0), length);

    if (text == NULL) {
        return refuse(error, "a text outside of local memory, at", argument(self, 0));
    }
    if (call == CALL_zone_begin) {
        arch_mover_zone_begin(self->mover, g_intern_string(text));
    } else if (call == CALL_print && listener->print != NULL) {
        listener->print(listener->data, self->cpu.now, text, length);
    } else if (call == CALL_stamp && listener->stamp != NULL) {
        listener->stamp(listener->data, self->cpu.now, text, argument(self, 2));
    }
    return ARCH_MOVER_DONE;
}

static ArchMoverResult barrier(RiscvMover *self, GError **error)
{
    const uint32_t what = argument(self, 0);

    return what < ARCH_BARRIER_FABRIC
               ? arch_mover_barrier(self->mover, (ArchBarrier) what, error)
               : refuse(error, "no barrier", what);
}

static ArchMoverResult call(RiscvMover *self, GError **error)
{
    const uint32_t number = self->cpu.x[A7];

    switch (number) {
    case CALL_end:
        self->is_over = true;
        return ARCH_MOVER_DONE;
    case CALL_cb_wait:
        return arch_mover_cb(self->mover, ARCH_MOVER_CB_WAIT, argument(self, 0),
                             argument(self, 1), error);
    case CALL_cb_pop:
        return arch_mover_cb(self->mover, ARCH_MOVER_CB_POP, argument(self, 0),
                             argument(self, 1), error);
    case CALL_cb_reserve:
        return arch_mover_cb(self->mover, ARCH_MOVER_CB_RESERVE, argument(self, 0),
                             argument(self, 1), error);
    case CALL_cb_push:
        return arch_mover_cb(self->mover, ARCH_MOVER_CB_PUSH, argument(self, 0),
                             argument(self, 1), error);
    case CALL_cb_read_pointer:
    case CALL_cb_write_pointer:
        return pointer(self, number == CALL_cb_write_pointer, error);
    case CALL_barrier:
        return barrier(self, error);
    case CALL_semaphore_wait:
        return arch_mover_semaphore_wait(self->mover, argument(self, 0),
                                         argument(self, 1), argument(self, 2) != 0,
                                         error);
    case CALL_zone_end:
        return arch_mover_zone_end(self->mover, error) ? ARCH_MOVER_DONE
                                                       : ARCH_MOVER_FAILED;
    case CALL_print:
    case CALL_zone_begin:
    case CALL_stamp:
        return say(self, (Call) number, error);
    default:
        return refuse(error, "an ecall that does not exist:", number);
    }
}

/* Gives the RISC-V what it stopped for. */
static ArchMoverResult serve(RiscvMover *self, GError **error)
{
    const RiscvStop *stop = &self->cpu.stop;

    switch (stop->state) {
    case RISCV_LOADS:
        return load(self, error);
    case RISCV_STORES:
        return store(self, error);
    case RISCV_CALLS:
        return call(self, error);
    case RISCV_PAUSES:
        return tensix_mover_meets_engine(self->mover) ? ARCH_MOVER_DONE
                                                      : ARCH_MOVER_AGAIN;
    case RISCV_FAILS:
        return refuse(error, stop->why, stop->address);
    case RISCV_RUNS:
        break;
    }
    return ARCH_MOVER_DONE;
}

/* Ends the run: who, where, when, and the registers. */
static void fail(const RiscvMover *self, GError *error)
{
    const ArchMover *mover = self->mover;
    const uint32_t pc = riscv_cpu_pc(&self->cpu) - 4;
    g_autofree char *line = self->listener.line == NULL
                                ? NULL
                                : self->listener.line(self->listener.data, pc);
    g_autoptr(GString) registers = g_string_new(NULL);

    for (guint i = 0; i < 8; i++) {
        g_string_append_printf(registers, " a%u=0x%x", i, self->cpu.x[A0 + i]);
    }
    g_prefix_error(&error, "%s%skernel %s on %s: ", line == NULL ? "" : line,
                   line == NULL ? "" : ": ", self->program->name, mover->name);
    GError *whole = g_error_new(
        error->domain, error->code,
        "%s; pc=0x%x at cycle %" G_GUINT64_FORMAT ", ra=0x%x sp=0x%x%s", error->message,
        pc, arch_mover_now(mover), self->cpu.x[RA], self->cpu.x[SP], registers->str);

    g_error_free(error);
    sim_region_fail(sim_process_region(mover->process), whole);
}

static void run(RiscvMover *self)
{
    catch_up(self);
    riscv_cpu_run(&self->cpu, tensix_mover_engine_now(self->mover) + AHEAD_CYCLES);
    tensix_lane_until(&self->mover->lane, self->cpu.now, TENSIX_LANE_BUSY);
    self->is_stopped = true;
}

static SimProcessStatus resume(gpointer data)
{
    RiscvMover *self = data;

    while (!self->is_over) {
        GError *error = NULL;

        if (!self->is_stopped) {
            run(self);
        }
        switch (serve(self, &error)) {
        case ARCH_MOVER_DONE:
            self->is_stopped = false;
            break;
        case ARCH_MOVER_AGAIN:
            return SIM_PROCESS_BLOCKED;
        case ARCH_MOVER_FAILED:
            fail(self, error);
            self->is_over = true;
            break;
        }
    }
    return SIM_PROCESS_FINISHED;
}

void arch_riscv_start_mover(ArchTensixCore *core,
                            ArchRiscvProgram *program,
                            ArchMoverIndex index,
                            const ArchRiscvListener *listener,
                            SimTime delay)
{
    RiscvMover *self = g_new0(RiscvMover, 1);
    const ArchMoverConfig config = {.name = program->name,
                                    .index = index,
                                    .noc = index == ARCH_MOVER_BRISC ? 1 : 0,
                                    .resume = resume,
                                    .data = self,
                                    .free_data = riscv_mover_free};

    self->program = arch_riscv_program_ref(program);
    self->listener = *listener;
    riscv_program_begin(program, &self->cpu);
    self->mover = arch_mover_start(core, &config, delay);
    self->cpu.now = sim_engine_now(core->owner->engine) + delay;
}
