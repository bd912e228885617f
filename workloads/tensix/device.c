/* A program on the cores. Kernels of one region share a Lua state, and touch nothing
 * that belongs to another; what they leave is gathered in a fixed order. */
#include "workloads/tensix/device.h"

#include <lauxlib.h>

#include "arch/tensix_compute.h"
#include "arch/tensix_mover.h"
#include "sim/narrow.h"
#include "workloads/error.h"
#include "workloads/host/plain.h"
#include "workloads/tensix/kernel_run.h"
#include "workloads/tensix/kernel_state.h"
#include "workloads/tensix/player.h"
#include "workloads/tensix/print.h"
#include "workloads/tensix/program.h"
#include "workloads/tensix/use.h"

/* One kernel on one core, until it is started. */
typedef struct {
    KernelRun run;
    ProgramKernel kernel; /* its texts are borrowed from the run and `function` */
    char *function;
    GBytes *arguments;
    WlSandbox *payer; /* of the arguments */
} Task;

typedef struct {
    Session *session;
    ArchTensix *tensix;
    guint columns;
    KernelCore *cores; /* by index */
    guint core_count;
    GPtrArray *tasks; /* of Task */
} Device;

static void task_free(gpointer data)
{
    Task *self = data;

    player_leave(&self->run);
    if (self->run.state != NULL) {
        kernel_state_release(self->run.state, &self->run);
    }
    g_free(self->run.name);
    g_free(self->run.last_line);
    g_free(self->function);
    if (self->arguments != NULL) {
        (void) sandbox_account(self->payer,
                               -(int64_t) g_bytes_get_size(self->arguments));
        g_bytes_unref(self->arguments);
    }
    g_free(self);
}

static gpointer device_new(Session *session)
{
    Device *self = g_new0(Device, 1);

    self->session = session;
    self->tensix = arch_tensix_of(session->chip);
    self->columns = arch_tensix_columns(self->tensix);
    self->core_count = self->columns * arch_tensix_rows(self->tensix);
    self->cores = g_new0(KernelCore, self->core_count);
    self->tasks = g_ptr_array_new_with_free_func(task_free);
    return self;
}

static void device_free(gpointer data)
{
    Device *self = data;

    g_ptr_array_unref(self->tasks);
    for (guint i = 0; i < self->core_count; i++) {
        g_free(self->cores[i].semaphores);
    }
    g_free(self->cores);
    g_free(self);
}

static KernelCore *memory_of(Device *self, guint x, guint y)
{
    return &self->cores[y * self->columns + x];
}

static bool
place_semaphore(Device *self, const ProgramSemaphore *what, guint id, GError **error)
{
    uint32_t first = 0;

    for (guint y = what->cores.y0; y <= what->cores.y1; y++) {
        for (guint x = what->cores.x0; x <= what->cores.x1; x++) {
            ArchTensixCore *core = arch_tensix_core(self->tensix, x, y, error);
            uint32_t *address = &memory_of(self, x, y)->semaphores[id];

            if (core == NULL || !arch_tensix_add_semaphore(
                                    core, what->name, what->value, address, error)) {
                return false;
            }
            first = first == 0 ? *address : first;
            if (*address != first) {
                return sim_fail(error, WL_ERROR, WL_ERROR_RUNTIME,
                                "%s would lie at address %u on %s and at %u on "
                                "other cores: allocate the same L1 on all of them",
                                what->name, *address, arch_tensix_core_name(core),
                                first);
            }
        }
    }
    return true;
}

static bool find_alias(const GArray *placed, int alias, guint x, guint y, uint32_t *out)
{
    for (guint i = 0; i < placed->len; i++) {
        const ProgramBuffer *other = &g_array_index(placed, ProgramBuffer, i);

        if (other->config.index == sim_u32(alias) && x >= other->cores.x0 &&
            x <= other->cores.x1 && y >= other->cores.y0 && y <= other->cores.y1 &&
            other->config.has_address) {
            *out = other->config.address;
            return true;
        }
    }
    return false;
}

/* `placed` gets one entry per core, with its address. */
static bool place_on_core(Device *self,
                          const ProgramBuffer *what,
                          GArray *placed,
                          guint x,
                          guint y,
                          GError **error)
{
    ArchTensixCore *core = arch_tensix_core(self->tensix, x, y, error);
    ProgramBuffer here = *what;

    if (core == NULL) {
        return false;
    }
    if (what->alias >= 0) {
        here.config.has_address = true;
        if (!find_alias(placed, what->alias, x, y, &here.config.address)) {
            return sim_fail(
                error, WL_ERROR, WL_ERROR_RUNTIME,
                "circular buffer %u is an alias of %d, which was not added to "
                "%s before",
                what->config.index, what->alias, arch_tensix_core_name(core));
        }
    }
    if (!arch_tensix_add_circular_buffer(core, &here.config, error)) {
        return false;
    }
    here.cores = (CoreRange){x, y, x, y};
    here.config.has_address = true;
    g_array_append_val(placed, here);
    memory_of(self, x, y)->page_bytes[what->config.index] = what->config.page_bytes;
    return true;
}

static bool place_buffers(Device *self, const Program *program, GError **error)
{
    g_autoptr(GArray) placed = g_array_new(FALSE, FALSE, sizeof(ProgramBuffer));

    for (guint i = 0; i < program->buffers->len; i++) {
        const ProgramBuffer *what = &g_array_index(program->buffers, ProgramBuffer, i);

        for (guint y = what->cores.y0; y <= what->cores.y1; y++) {
            for (guint x = what->cores.x0; x <= what->cores.x1; x++) {
                if (!place_on_core(self, what, placed, x, y, error)) {
                    return false;
                }
            }
        }
    }
    return true;
}

static bool place_memory(Device *self, const Program *program, GError **error)
{
    for (guint i = 0; i < self->core_count; i++) {
        self->cores[i].semaphore_count = program->semaphores->len;
        self->cores[i].semaphores = g_new0(uint32_t, program->semaphores->len);
    }
    /* Semaphores first: they must lie at the same address everywhere. */
    for (guint i = 0; i < program->semaphores->len; i++) {
        if (!place_semaphore(self,
                             &g_array_index(program->semaphores, ProgramSemaphore, i),
                             i, error)) {
            return false;
        }
    }
    return place_buffers(self, program, error);
}

/* Pushes the arguments of a kernel on a core: what its `args` is, or gives. */
static void push_arguments(lua_State *L, int index, guint kernel, guint x, guint y)
{
    program_push_arguments(L, index, kernel);
    if (lua_isfunction(L, -1)) {
        lua_pushinteger(L, x);
        lua_pushinteger(L, y);
        lua_call(L, 2, 1);
    }
}

/* Two kernels cannot run on the same RISC-V. */
static void check_free(lua_State *L, const Device *self, const Task *task)
{
    for (guint i = 0; i < self->tasks->len; i++) {
        const Task *other = g_ptr_array_index(self->tasks, i);

        if (other != task && other->run.core == task->run.core &&
            other->kernel.processor == task->kernel.processor) {
            luaL_error(L, "kernels %s and %s are both for the same processor of %s",
                       other->run.name, task->run.name,
                       arch_tensix_core_name(task->run.core));
        }
    }
}

static void
add_task(Device *self, lua_State *L, int index, guint kernel, guint x, guint y)
{
    const Program *program = program_test(L, index);
    const ProgramKernel *what = &g_array_index(program->kernels, ProgramKernel, kernel);
    SimEngine *engine = arch_chip_engine(self->session->chip);
    Task *task = g_new0(Task, 1);
    KernelRun *run = &task->run;

    g_ptr_array_add(self->tasks, task);
    task->kernel = *what;
    run->name = g_strdup(what->name);
    task->function = g_strdup(what->function);
    run->function = task->function;
    run->launch = self;
    run->processor = program_processors[what->processor];
    run->x = x;
    run->y = y;
    run->core = arch_tensix_core(self->tensix, x, y, NULL);
    run->memory = memory_of(self, x, y);
    scalar_costs_load(&run->scalar, arch_chip_params(self->session->chip));
    if (self->session->run->is_unattributed) {
        run->unattributed_cycles =
            arch_params_uint(arch_chip_params(self->session->chip),
                             "tensix.unattributed_cycles_per_tile");
    }
    run->region = sim_engine_region(engine, what->processor == PROCESSOR_COMPUTE
                                                ? arch_tensix_core_region(run->core)
                                                : 0);
    check_free(L, self, task);
    push_arguments(L, index, kernel, x, y);
    task->arguments = plain_pack(L, -1, &(PlainWay){.what = "args"});
    run->arguments = task->arguments;
    task->payer = sandbox_of(L);
    lua_pop(L, 1);
}

static KernelState *own_state(gconstpointer launch, SimRegion *region, GError **error)
{
    return core_kernels(((const Device *) launch)->session, KERNEL_COMPUTE,
                        sim_region_index(region), error);
}

static bool prepare_task(const Device *self, Task *task, GError **error)
{
    bool is_compute = task->kernel.processor == PROCESSOR_COMPUTE;
    KernelRun *run = &task->run;
    KernelState *state = core_kernels(
        self->session, is_compute ? KERNEL_COMPUTE : KERNEL_MOVER, 0, error);

    if (state == NULL) {
        return false;
    }
    sandbox_progress(sandbox_of(kernel_state_lua(state)));
    if (is_compute) {
        run->voices = state;
        run->own_state = own_state;
        return player_join(run, error);
    }
    run->state = state;
    return kernel_state_begin(state, run, NULL, error);
}

static bool is_program(lua_State *L, const Session *session, int index)
{
    const Program *program = program_test(L, index);

    if (program != NULL && program->session != session) {
        luaL_error(L, "launch: the program was made for chip %d, this is chip %d",
                   sim_i32(program->session->index), sim_i32(session->index));
    }
    return program != NULL;
}

static bool device_load(gpointer data, lua_State *L, int index, GError **error)
{
    Device *self = data;
    const Program *program = program_test(L, index);

    if (program->kernels->len == 0) {
        luaL_error(L, "host.launch: the program has no kernels");
    }
    for (guint i = 0; i < program->kernels->len; i++) {
        CoreRange cores = g_array_index(program->kernels, ProgramKernel, i).cores;

        for (guint y = cores.y0; y <= cores.y1; y++) {
            for (guint x = cores.x0; x <= cores.x1; x++) {
                add_task(self, L, index, i, x, y);
            }
        }
    }
    arch_tensix_set_options(
        self->tensix,
        (ArchTensixOptions){.is_functional = !self->session->machine->is_timing_only,
                            .is_ieee = self->session->run->is_ieee,
                            .has_race_check = self->session->machine->is_race_checked});
    if (!place_memory(self, program, error)) {
        return false;
    }
    for (guint i = 0; i < self->tasks->len; i++) {
        if (!prepare_task(self, g_ptr_array_index(self->tasks, i), error)) {
            return false;
        }
    }
    return true;
}

static SimProcessStatus resume_mover(gpointer data)
{
    KernelRun *run = data;

    switch (kernel_state_resume(run->state, run)) {
    case KERNEL_YIELDED:
        return SIM_PROCESS_BLOCKED;
    case KERNEL_ENDED:
    case KERNEL_FAILED:
        break;
    }
    run->end = arch_mover_now(run->mover);
    return SIM_PROCESS_FINISHED;
}

static ArchComputeStatus resume_compute(gpointer data, double value)
{
    KernelRun *run = data;
    GError *error = NULL;

    run->value = value;
    switch (player_play(run)) {
    case KERNEL_YIELDED:
        return run->is_value_wanted ? ARCH_COMPUTE_WAITS : ARCH_COMPUTE_GOES_ON;
    case KERNEL_ENDED:
        if (!arch_compute_check_end(run->core, &error)) {
            kernel_state_fail_at_end(run, error);
        }
        break;
    case KERNEL_FAILED:
        break;
    }
    return ARCH_COMPUTE_ENDED;
}

static void end_compute(gpointer data, SimTime when)
{
    KernelRun *run = data;

    run->end = when;
}

static void start_mover(Task *task)
{
    ArchMoverConfig config = {
        .name = task->run.name,
        .index = task->kernel.processor == PROCESSOR_READER ? ARCH_MOVER_NCRISC
                                                            : ARCH_MOVER_BRISC,
        .noc = task->kernel.noc,
        .resume = resume_mover,
        .place = kernel_run_place,
        .data = &task->run,
    };

    task->run.mover = arch_mover_start(task->run.core, &config, 0);
}

static void start_compute(Task *task)
{
    ArchComputeKernel config = {
        .name = task->run.name,
        .is_large = task->kernel.is_large,
        .is_unrolled = task->kernel.is_unrolled,
        .is_dst_fp32 = task->kernel.is_dst_fp32,
        .fidelity = task->kernel.fidelity,
        .more = resume_compute,
        .ended = end_compute,
        .place = kernel_run_place,
        .reached = kernel_run_reached,
        .data = &task->run,
    };

    arch_compute_start(task->run.core, &config, 0);
}

static void device_start(gpointer data)
{
    const Device *self = data;

    for (guint i = 0; i < self->tasks->len; i++) {
        Task *task = g_ptr_array_index(self->tasks, i);

        if (task->kernel.processor == PROCESSOR_COMPUTE) {
            start_compute(task);
        } else {
            start_mover(task);
        }
    }
}

static void device_flush(gpointer data)
{
    const Device *self = data;
    GPtrArray *states = core_state(self->session)->kernels;
    const WlSandboxConfig *config = sandbox_config(self->session->sandbox);
    g_autoptr(GPtrArray) lines = g_ptr_array_new();

    for (guint i = 0; i < states->len; i++) {
        if (g_ptr_array_index(states, i) != NULL) {
            g_ptr_array_add(lines, kernel_state_lines(g_ptr_array_index(states, i)));
        }
    }
    kernel_lines_print(lines, config->print, config->print_data);
}

static bool device_is_busy(gconstpointer data)
{
    const Device *self = data;

    for (guint i = 0; i < self->tasks->len; i++) {
        const Task *task = g_ptr_array_index(self->tasks, i);

        if (task->run.end == 0) {
            return true;
        }
    }
    return false;
}

static SimTime last_end(const Device *self)
{
    SimTime end = 0;

    for (guint i = 0; i < self->tasks->len; i++) {
        const Task *task = g_ptr_array_index(self->tasks, i);

        end = MAX(end, task->run.end);
    }
    return end;
}

static double mean_end(const Device *self)
{
    g_autofree SimTime *ends = g_new0(SimTime, self->core_count);
    g_autofree bool *has_kernel = g_new0(bool, self->core_count);
    double sum = 0;
    guint count = 0;

    for (guint i = 0; i < self->tasks->len; i++) {
        const KernelRun *run = &((const Task *) g_ptr_array_index(self->tasks, i))->run;
        const guint core = run->y * self->columns + run->x;

        ends[core] = MAX(ends[core], run->end);
        has_kernel[core] = true;
    }
    for (guint i = 0; i < self->core_count; i++) {
        sum += (double) ends[i];
        count += has_kernel[i] ? 1 : 0;
    }
    return count == 0 ? 0 : sum / count;
}

static bool device_finish(gpointer data, HostProgramEnd *end, GError **error)
{
    const Device *self = data;

    *end = (HostProgramEnd){.last = last_end(self), .mean = mean_end(self)};
    core_use_add(self->session, self->tensix);
    return arch_tensix_finish(self->tensix, error);
}

const HostProgram device_program = {
    .is_one = is_program,
    .make = device_new,
    .free = device_free,
    .load = device_load,
    .start = device_start,
    .is_busy = device_is_busy,
    .flush = device_flush,
    .finish = device_finish,
};
