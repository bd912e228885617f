/* Compiled compute kernels: three programs, whose calls go to the threads they are for.
 */
#include "arch/tensix/compute/compute.h"

#include <math.h>

#include "arch/error.h"
#include "arch/tensix/core.h"
#include "arch/tensix/riscv/compute_call.h"
#include "arch/tensix/riscv/kernel.h"
#include "arch/tensix/riscv/print.h"
#include "arch/tensix/riscv/vector.h"
#include "arch/tensix/unknown.h"
#include "sim/narrow.h"

enum {
    THREAD_COUNT = 3,
    STRETCH_CYCLES = 4096, /* that a thread computes before others have their turn */
};

typedef struct {
    ArchTensixCore *core;
    RiscvKernel kernels[THREAD_COUNT];
    RiscvCaller callers[THREAD_COUNT];
    RiscvVectors vectors;           /* of the math thread */
    char *names[THREAD_COUNT];      /* core[0,0].math */
    bool wants_value[THREAD_COUNT]; /* its last call gives it one */
} RiscvCompute;

static void compute_free(gpointer data)
{
    RiscvCompute *self = data;

    for (guint i = 0; i < THREAD_COUNT; i++) {
        riscv_kernel_clear(&self->kernels[i]);
        g_free(self->names[i]);
    }
    g_free(self);
}

/* Answers loads; what is neither clock, text nor L1 fails. */
static bool load(RiscvCompute *self, guint thread, GError **error)
{
    RiscvKernel *kernel = &self->kernels[thread];
    const uint32_t address = kernel->cpu.stop.address / 4 * 4;
    uint32_t word = 0;

    if (riscv_kernel_load_own(kernel)) {
        return true;
    }
    if (!arch_tensix_read(self->core, address, &word, sizeof word, error) ||
        !riscv_kernel_is_known(self->core, word, error)) {
        g_prefix_error(error, "loads from 0x%x: ", kernel->cpu.stop.address);
        return false;
    }
    riscv_cpu_load(&kernel->cpu, word, kernel->program->load_cycles);
    return true;
}

static bool store(RiscvCompute *self, guint thread, GError **error)
{
    const RiscvStop *stop = &self->kernels[thread].cpu.stop;

    if (!arch_tensix_write(self->core, stop->address, &stop->value, stop->bytes,
                           error)) {
        g_prefix_error(error, "stores to 0x%x: ", stop->address);
        return false;
    }
    return true;
}

static bool mark(RiscvCompute *self, guint thread, GError **error)
{
    const RiscvKernel *kernel = &self->kernels[thread];
    const bool is_close = riscv_kernel_call(kernel) == RISCV_CALL_zone_end;
    ArchComputeCall zone = {.op = is_close ? ARCH_COMPUTE_ZONE_END
                                           : ARCH_COMPUTE_ZONE_BEGIN};

    zone.text = riscv_kernel_mark(kernel, error);
    if (zone.text == NULL || riscv_kernel_call(kernel) == RISCV_CALL_stamp) {
        return zone.text != NULL;
    }
    return arch_compute_call_on(self->core, thread, &zone, error);
}

static bool say(RiscvCompute *self, guint thread, GError **error)
{
    const RiscvKernel *kernel = &self->kernels[thread];
    g_autofree char *text = riscv_print_text(kernel, self->core, error);

    if (text != NULL) {
        riscv_kernel_say(&self->kernels[thread], text);
    }
    return text != NULL;
}

/* Where unpack reads and pack writes next, and other facts of a circular buffer. */
static bool tell_of_buffer(RiscvCompute *self, guint thread, GError **error)
{
    RiscvKernel *kernel = &self->kernels[thread];
    const uint32_t cb = riscv_kernel_argument(kernel, 0);
    const CircularBuffer *buffer = &self->core->buffers[cb % CIRCULAR_BUFFERS];

    if (cb >= CIRCULAR_BUFFERS || buffer->page_count == 0) {
        return arch_refuse(error, "this core has no circular buffer %u", cb);
    }
    if (riscv_kernel_call(kernel) == RISCV_CALL_cb_fact) {
        return riscv_kernel_buffer_fact(
            kernel, buffer, tensix_cb_fill(buffer, TENSIX_CB_COMPUTE), error);
    }
    riscv_kernel_return(kernel, riscv_kernel_call(kernel) == RISCV_CALL_cb_read_pointer
                                    ? tensix_cb_read_address(buffer, 0)
                                    : tensix_cb_write_address(buffer, 0));
    return true;
}

static bool call(RiscvCompute *self, guint thread, GError **error)
{
    const RiscvKernel *kernel = &self->kernels[thread];
    uint32_t arguments[RISCV_ARGUMENTS];

    switch (riscv_kernel_call(kernel)) {
    case RISCV_CALL_compute:
        for (guint i = 0; i < RISCV_ARGUMENTS; i++) {
            arguments[i] = riscv_kernel_argument(kernel, 1 + i);
        }
        return riscv_compute_call(&self->callers[thread],
                                  riscv_kernel_argument(kernel, 0), arguments,
                                  &self->wants_value[thread], error);
    case RISCV_CALL_zone_begin:
    case RISCV_CALL_zone_end:
    case RISCV_CALL_stamp:
        return mark(self, thread, error);
    case RISCV_CALL_print:
        return say(self, thread, error);
    case RISCV_CALL_cb_read_pointer:
    case RISCV_CALL_cb_write_pointer:
    case RISCV_CALL_cb_fact:
        return tell_of_buffer(self, thread, error);
    case RISCV_CALL_fail:
        riscv_kernel_refuse(kernel, error);
        return false;
    default:
        return arch_refuse(error, "compute threads have no call 0x%x",
                           riscv_kernel_call(kernel));
    }
}

/* Gives a thread what it stopped for. */
static bool serve(RiscvCompute *self, guint thread, GError **error)
{
    const RiscvStop *stop = &self->kernels[thread].cpu.stop;

    switch (stop->state) {
    case RISCV_LOADS:
        return load(self, thread, error);
    case RISCV_STORES:
        return store(self, thread, error);
    case RISCV_CALLS:
        return call(self, thread, error);
    case RISCV_VECTORS:
        return riscv_vector_call(&self->vectors, &self->kernels[thread].cpu, self->core,
                                 thread, error);
    case RISCV_FAILS:
        return arch_refuse(error, "%s 0x%x", stop->why, stop->address);
    case RISCV_PAUSES:
        break;
    }
    return true;
}

static bool is_end(const RiscvKernel *kernel)
{
    return kernel->cpu.stop.state == RISCV_CALLS &&
           riscv_kernel_call(kernel) == RISCV_CALL_end;
}

static ArchComputeStatus fail(RiscvCompute *self, guint thread, GError *error)
{
    SimRegion *region =
        sim_engine_region(self->core->owner->engine, self->core->region);

    sim_region_fail(region,
                    riscv_kernel_fault(&self->kernels[thread], self->names[thread],
                                       arch_compute_now(self->core, thread), error));
    return ARCH_COMPUTE_ENDED;
}

/* Until the thread's next call, for a stretch of time at most. */
static ArchComputeStatus more_of(gpointer data, guint thread, double value)
{
    RiscvCompute *self = data;
    RiscvKernel *kernel = &self->kernels[thread];
    const SimTime begin = arch_compute_now(self->core, thread);
    const TensixLane *lane = &self->core->compute->threads[thread].lane;
    GError *error = NULL;

    riscv_kernel_catch_up(kernel, lane);
    if (self->wants_value[thread]) {
        if (isnan(value) &&
            !riscv_kernel_is_known(self->core, TENSIX_UNKNOWN_WORD, &error)) {
            g_prefix_error(&error, "read_tile_value: ");
            return fail(self, thread, error);
        }
        riscv_kernel_return(kernel, sim_u32((uint64_t) value));
        self->wants_value[thread] = false;
    }
    do {
        riscv_cpu_run(&kernel->cpu, begin + STRETCH_CYCLES);
        arch_compute_spend(self->core, thread, kernel->cpu.now);
        riscv_kernel_ran(kernel, lane);
        if (is_end(kernel)) {
            if (!arch_compute_check_end_on(self->core, thread, &error)) {
                return fail(self, thread, error);
            }
            riscv_kernel_over(kernel, &(ArchRiscvEnd){0});
            return ARCH_COMPUTE_ENDED;
        }
        if (!serve(self, thread, &error)) {
            return fail(self, thread, error);
        }
    } while (kernel->cpu.stop.state == RISCV_LOADS ||
             kernel->cpu.stop.state == RISCV_STORES);
    return self->wants_value[thread] ? ARCH_COMPUTE_WAITS : ARCH_COMPUTE_GOES_ON;
}

static void ended(gpointer data, SimTime when)
{
    const RiscvCompute *self = data;

    for (guint i = 0; i < THREAD_COUNT; i++) {
        riscv_kernel_ended(&self->kernels[i], when);
    }
}

void arch_riscv_start_compute(ArchTensixCore *core,
                              ArchRiscvProgram *const programs[3],
                              const ArchComputeKernel *kernel,
                              const ArchRiscvListener listeners[3],
                              SimTime delay)
{
    static const char *const names[THREAD_COUNT] = {"unpack", "math", "pack"};
    RiscvCompute *self = g_new0(RiscvCompute, 1);
    ArchComputeKernel whole = *kernel;

    self->core = core;
    for (guint i = 0; i < THREAD_COUNT; i++) {
        riscv_kernel_init(&self->kernels[i], programs[i], &listeners[i],
                          sim_engine_now(core->owner->engine) + delay);
        self->callers[i] = (RiscvCaller){.core = core, .thread = i};
        self->names[i] = g_strdup_printf("%s.%s", core->name, names[i]);
    }
    whole.more = NULL;
    whole.more_of = more_of;
    whole.ended = ended;
    whole.data = self;
    whole.free_data = compute_free;
    arch_compute_start(core, &whole, delay);
}
