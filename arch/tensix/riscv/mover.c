/* Compiled kernels on data movers: runs their instructions, and carries out what they
 * load, store and ask for. */
#include "arch/error.h"
#include "arch/tensix/mover/access.h"
#include "arch/tensix/mover/barrier.h"
#include "arch/tensix/riscv/kernel.h"
#include "arch/tensix/riscv/niu.h"
#include "arch/tensix/riscv/print.h"

enum {
    AHEAD_CYCLES = 4096, /* of the engine, so that a run can be stopped */
};

typedef struct {
    RiscvKernel kernel;
    ArchMover *mover;
    RiscvNiu nius[RISCV_NIUS];
    ArchMoverTransfer command; /* that it has started */
    bool is_stopped;           /* it has not been given yet what it stopped for */
    bool is_commanding;        /* `command` is under way */
    bool is_over;
    SimTime stored; /* when the L1 takes the next store */
    uint64_t store_remainder;
} RiscvMover;

static void mover_free(gpointer data)
{
    RiscvMover *self = data;

    riscv_kernel_clear(&self->kernel);
    g_free(self);
}

static ArchMoverResult refuse(GError **error, const char *why, uint32_t number)
{
    (void) arch_refuse(error, "%s 0x%x", why, number);
    return ARCH_MOVER_FAILED;
}

/* Time as the RISC-V has it goes on where the mover's is. */
static void catch_up(RiscvMover *self)
{
    riscv_kernel_catch_up(&self->kernel, &self->mover->lane);
}

static ArchMoverResult load(RiscvMover *self, GError **error)
{
    RiscvCpu *cpu = &self->kernel.cpu;
    const ArchRiscvProgram *program = self->kernel.program;
    const uint32_t address = cpu->stop.address;
    uint32_t word = 0;
    ArchMoverResult result;

    if (riscv_niu_has(address)) {
        riscv_cpu_load(cpu, riscv_niu_load(self->nius, address),
                       program->register_cycles);
        return ARCH_MOVER_DONE;
    }
    if (riscv_kernel_load_own(&self->kernel)) {
        return ARCH_MOVER_DONE;
    }
    result = tensix_mover_see(self->mover, address / 4 * 4, &word, error);
    if (result == ARCH_MOVER_DONE &&
        !riscv_kernel_is_known(self->mover->core, word, error)) {
        result = ARCH_MOVER_FAILED;
    }
    if (result == ARCH_MOVER_DONE) {
        catch_up(self);
        riscv_cpu_load(cpu, word, program->load_cycles);
    } else if (result == ARCH_MOVER_FAILED) {
        g_prefix_error(error, "loads from 0x%x: ", address);
    }
    return result;
}

static ArchMoverResult store_to_niu(RiscvMover *self, GError **error)
{
    const RiscvStop *stop = &self->kernel.cpu.stop;
    ArchMoverResult result;

    if (stop->bytes != sizeof(uint32_t)) {
        return refuse(error, "stores a part of register", stop->address);
    }
    if (!self->is_commanding) {
        if (!riscv_niu_store(self->nius, stop->address, stop->value)) {
            return ARCH_MOVER_DONE;
        }
        if (!riscv_niu_command(self->nius, self->mover, stop->address, &self->command,
                               error)) {
            return ARCH_MOVER_FAILED;
        }
    }
    result = arch_mover_transfer(self->mover, &self->command, error);
    self->is_commanding = result == ARCH_MOVER_AGAIN;
    return result;
}

static ArchMoverResult store(RiscvMover *self, GError **error)
{
    const RiscvStop *stop = &self->kernel.cpu.stop;
    ArchMoverResult result;

    if (riscv_niu_has(stop->address)) {
        return store_to_niu(self, error);
    }
    /* The L1 takes one after another. */
    tensix_lane_until(&self->mover->lane, self->stored, TENSIX_LANE_BUSY);
    result =
        tensix_mover_put(self->mover, stop->address, stop->value, stop->bytes, error);
    if (result == ARCH_MOVER_DONE) {
        self->stored = arch_mover_now(self->mover) +
                       sim_ratio_charge(self->kernel.program->store_cycles, 1,
                                        &self->store_remainder);
    } else if (result == ARCH_MOVER_FAILED) {
        g_prefix_error(error, "stores to 0x%x: ", stop->address);
    }
    return result;
}

static ArchMoverResult pointer(RiscvMover *self, bool is_write, GError **error)
{
    uint32_t address = 0;

    if (!arch_mover_cb_pointer(self->mover, riscv_kernel_argument(&self->kernel, 0),
                               is_write, &address, error)) {
        return ARCH_MOVER_FAILED;
    }
    riscv_kernel_return(&self->kernel, address);
    riscv_cpu_spend(&self->kernel.cpu,
                    self->kernel.program->numbers.local_load_cycles - 1,
                    ARCH_RISCV_WAITS_LOAD);
    return ARCH_MOVER_DONE;
}

static ArchMoverResult fact(RiscvMover *self, GError **error)
{
    const uint32_t cb = riscv_kernel_argument(&self->kernel, 0);
    const CircularBuffer *buffer = &self->mover->core->buffers[cb % CIRCULAR_BUFFERS];

    if (cb >= CIRCULAR_BUFFERS) {
        return refuse(error, "no circular buffer", cb);
    }
    if (!tensix_mover_meets_engine(self->mover)) {
        return ARCH_MOVER_AGAIN;
    }
    return riscv_kernel_buffer_fact(&self->kernel, buffer,
                                    tensix_cb_fill(buffer, TENSIX_CB_MOVERS), error)
               ? ARCH_MOVER_DONE
               : ARCH_MOVER_FAILED;
}

static ArchMoverResult say(RiscvMover *self, GError **error)
{
    g_autofree char *text = riscv_print_text(&self->kernel, self->mover->core, error);

    if (text == NULL) {
        return ARCH_MOVER_FAILED;
    }
    riscv_kernel_say(&self->kernel, text);
    return ARCH_MOVER_DONE;
}

static ArchMoverResult mark(RiscvMover *self, GError **error)
{
    const uint32_t number = riscv_kernel_call(&self->kernel);
    const char *name = NULL;

    if (number == RISCV_CALL_zone_end && !arch_mover_zone_end(self->mover, error)) {
        return ARCH_MOVER_FAILED;
    }
    name = riscv_kernel_mark(&self->kernel, error);
    if (name != NULL && number == RISCV_CALL_zone_begin) {
        arch_mover_zone_begin(self->mover, name);
    }
    return name == NULL ? ARCH_MOVER_FAILED : ARCH_MOVER_DONE;
}

/* The engine must have come there, so that what is under way is known. */
static ArchMoverResult end(RiscvMover *self)
{
    const ArchMover *mover = self->mover;

    if (!tensix_mover_meets_engine(self->mover)) {
        return ARCH_MOVER_AGAIN;
    }
    self->is_over = true;
    riscv_kernel_over(
        &self->kernel,
        &(ArchRiscvEnd){
            .reads = mover->outstanding[ARCH_BARRIER_READ][TENSIX_TRANSACTIONS],
            .writes = mover->outstanding[ARCH_BARRIER_WRITE][TENSIX_TRANSACTIONS],
            .atomics = mover->outstanding[ARCH_BARRIER_ATOMIC][TENSIX_TRANSACTIONS]});
    return ARCH_MOVER_DONE;
}

static ArchMoverResult barrier(RiscvMover *self, GError **error)
{
    const uint32_t what = riscv_kernel_argument(&self->kernel, 0);

    return what < ARCH_BARRIER_FABRIC
               ? arch_mover_barrier(self->mover, (ArchBarrier) what, error)
               : refuse(error, "no barrier", what);
}

static ArchMoverResult barrier_of(RiscvMover *self, GError **error)
{
    return tensix_mover_barrier_of(
        self->mover, (ArchBarrier) riscv_kernel_argument(&self->kernel, 0),
        riscv_kernel_argument(&self->kernel, 1), error);
}

static ArchMoverResult outstanding(RiscvMover *self, GError **error)
{
    uint32_t count = 0;
    const ArchMoverResult result = tensix_mover_outstanding(
        self->mover, (ArchBarrier) riscv_kernel_argument(&self->kernel, 0),
        riscv_kernel_argument(&self->kernel, 1), &count, error);

    if (result == ARCH_MOVER_DONE) {
        riscv_kernel_return(&self->kernel, count);
        riscv_cpu_spend(&self->kernel.cpu, self->kernel.program->register_cycles - 1,
                        ARCH_RISCV_WAITS_LOAD);
    }
    return result;
}

/* Programs push what they have not reserved, where they know that there is space. */
static void reserve_silently(const RiscvMover *self)
{
    const uint32_t cb = riscv_kernel_argument(&self->kernel, 0);
    const uint32_t pages = riscv_kernel_argument(&self->kernel, 1);
    ArchMover *mover = self->mover;

    if (cb < CIRCULAR_BUFFERS &&
        pages + tensix_cb_fill(&mover->core->buffers[cb], TENSIX_CB_MOVERS) <=
            mover->core->buffers[cb].page_count) {
        (void) tensix_ledger_reserve(&mover->ledgers[cb], &mover->core->buffers[cb],
                                     pages, NULL);
    }
}

static ArchMoverResult pass_pages(RiscvMover *self, ArchMoverCbOp op, GError **error)
{
    const uint32_t cb = riscv_kernel_argument(&self->kernel, 0);
    const uint32_t pages = riscv_kernel_argument(&self->kernel, 1);
    const bool is_move = op == ARCH_MOVER_CB_POP || op == ARCH_MOVER_CB_PUSH;

    if (pages == 0) { /* programs also wait for no pages */
        return ARCH_MOVER_DONE;
    }
    /* Counters that are no buffer's move, and nobody sees it. */
    if (is_move && cb < CIRCULAR_BUFFERS &&
        self->mover->core->buffers[cb].page_count == 0) {
        return ARCH_MOVER_DONE;
    }
    if (op == ARCH_MOVER_CB_PUSH) {
        reserve_silently(self);
    }
    return arch_mover_cb(self->mover, op, cb, pages, error);
}

static ArchMoverResult wait_for_word(RiscvMover *self, GError **error)
{
    return arch_mover_semaphore_wait(
        self->mover, riscv_kernel_argument(&self->kernel, 0),
        riscv_kernel_argument(&self->kernel, 1),
        riscv_kernel_argument(&self->kernel, 2) != 0, error);
}

static ArchMoverResult call(RiscvMover *self, GError **error)
{
    const uint32_t number = riscv_kernel_call(&self->kernel);

    switch (number) {
    case RISCV_CALL_end:
        return end(self);
    case RISCV_CALL_cb_wait:
        return pass_pages(self, ARCH_MOVER_CB_WAIT, error);
    case RISCV_CALL_cb_pop:
        return pass_pages(self, ARCH_MOVER_CB_POP, error);
    case RISCV_CALL_cb_reserve:
        return pass_pages(self, ARCH_MOVER_CB_RESERVE, error);
    case RISCV_CALL_cb_push:
        return pass_pages(self, ARCH_MOVER_CB_PUSH, error);
    case RISCV_CALL_cb_read_pointer:
    case RISCV_CALL_cb_write_pointer:
        return pointer(self, number == RISCV_CALL_cb_write_pointer, error);
    case RISCV_CALL_cb_fact:
        return fact(self, error);
    case RISCV_CALL_barrier:
        return barrier(self, error);
    case RISCV_CALL_barrier_of:
        return barrier_of(self, error);
    case RISCV_CALL_outstanding:
        return outstanding(self, error);
    case RISCV_CALL_semaphore_wait:
        return wait_for_word(self, error);
    case RISCV_CALL_print:
        return say(self, error);
    case RISCV_CALL_zone_begin:
    case RISCV_CALL_zone_end:
    case RISCV_CALL_stamp:
        return mark(self, error);
    case RISCV_CALL_fail:
        riscv_kernel_refuse(&self->kernel, error);
        return ARCH_MOVER_FAILED;
    default:
        return refuse(error, "data movers have no call", number);
    }
}

/* Gives the RISC-V what it stopped for. */
static ArchMoverResult serve(RiscvMover *self, GError **error)
{
    const RiscvStop *stop = &self->kernel.cpu.stop;

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
    case RISCV_VECTORS:
        return refuse(error, "data movers have no vectors",
                      riscv_cpu_pc(&self->kernel.cpu));
    case RISCV_FAILS:
        return refuse(error, stop->why, stop->address);
    }
    return ARCH_MOVER_DONE;
}

static void run(RiscvMover *self)
{
    catch_up(self);
    riscv_cpu_run(&self->kernel.cpu,
                  tensix_mover_engine_now(self->mover) + AHEAD_CYCLES);
    tensix_lane_until(&self->mover->lane, self->kernel.cpu.now, TENSIX_LANE_BUSY);
    riscv_kernel_ran(&self->kernel, &self->mover->lane);
    self->is_stopped = true;
}

static SimProcessStatus resume(gpointer data)
{
    RiscvMover *self = data;
    const ArchMover *mover = self->mover;

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
            sim_region_fail(sim_process_region(mover->process),
                            riscv_kernel_fault(&self->kernel, mover->name,
                                               arch_mover_now(mover), error));
            self->is_over = true;
            break;
        }
    }
    riscv_kernel_ended(&self->kernel, arch_mover_now(mover));
    return SIM_PROCESS_FINISHED;
}

void arch_riscv_start_mover(ArchTensixCore *core,
                            ArchRiscvProgram *program,
                            ArchMoverIndex index,
                            guint noc,
                            const ArchRiscvListener *listener,
                            SimTime delay)
{
    RiscvMover *self = g_new0(RiscvMover, 1);
    const ArchMoverConfig config = {.name = program->name,
                                    .index = index,
                                    .noc = noc,
                                    .resume = resume,
                                    .data = self,
                                    .free_data = mover_free};

    riscv_kernel_init(&self->kernel, program, listener,
                      sim_engine_now(core->owner->engine) + delay);
    self->mover = arch_mover_start(core, &config, delay);
}
