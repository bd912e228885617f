/* Programs of compiled kernels: puts them onto cores, starts them, hears them. */
#include "workloads/metal/device.h"

#include "sim/narrow.h"
#include "workloads/error.h"
#include "workloads/metal/generated.h"
#include "workloads/metal/layout.h"
#include "workloads/tensix/print.h"
#include "workloads/tensix/use.h"

enum {
    THREADS = 3,         /* of a compute kernel */
    MOST_COLUMNS = 1024, /* of cores */
};

/* A RISC-V of a core that runs a kernel. */
typedef struct {
    const MetalImage *image;
    KernelLines *lines; /* where what it prints goes */
    GString *pending;   /* the line it has begun */
    char *who;          /* "core[0,0] BRISC" */
    guint rank;
    bool is_over; /* its kernel has ended; set in its region */
} Speaker;

/* One kernel on one core. */
typedef struct {
    const MetalKernel *kernel;
    ArchTensixCore *core;
    guint x;
    guint y;
    ArchRiscvProgram *programs[THREADS]; /* the first alone on data movers */
    Speaker *speakers[THREADS];
} Task;

struct MetalDevice {
    Session *session;
    ArchTensix *tensix;
    SimTime start;
    GPtrArray *tasks;  /* of Task */
    KernelLines *said; /* by data movers */
    GPtrArray *lines;  /* of KernelLines: theirs, then those of compute kernels */
};

static void speaker_free(Speaker *self)
{
    if (self != NULL) {
        (void) g_string_free(self->pending, TRUE);
        g_free(self->who);
        g_free(self);
    }
}

static void task_free(gpointer data)
{
    Task *self = data;

    for (guint i = 0; i < THREADS; i++) {
        g_clear_pointer(&self->programs[i], arch_riscv_program_unref);
        speaker_free(self->speakers[i]);
    }
    g_free(self);
}

static void device_free(gpointer data)
{
    MetalDevice *self = data;

    g_ptr_array_unref(self->tasks);
    g_ptr_array_unref(self->lines);
    g_free(self);
}

static void print(gpointer data, SimTime when, const char *text, gsize length)
{
    Speaker *self = data;

    for (gsize i = 0; i < length; i++) {
        if (text[i] == '\n') {
            (void) kernel_lines_add(self->lines, self->who, self->rank, when,
                                    self->pending->str);
            (void) g_string_truncate(self->pending, 0);
        } else {
            g_string_append_c(self->pending, text[i]);
        }
    }
}

static char *line(gpointer data, uint32_t address)
{
    const Speaker *self = data;

    return metal_image_line(self->image, address);
}

static void ended(gpointer data, SimTime when)
{
    Speaker *self = data;

    (void) when;
    self->is_over = true;
}

static Speaker *speaker_new(const Task *task, ArchRiscvIndex index, KernelLines *lines)
{
    static const char *const names[ARCH_RISCVS] = {"BRISC", "NCRISC", "TRISC0",
                                                   "TRISC1", "TRISC2"};
    Speaker *self = g_new0(Speaker, 1);

    self->lines = lines;
    self->pending = g_string_new(NULL);
    self->who =
        g_strdup_printf("%s %s", arch_tensix_core_name(task->core), names[index]);
    self->rank = (task->y * MOST_COLUMNS + task->x) * ARCH_RISCVS + index;
    return self;
}

/* The programs of a kernel, the same for all its cores. */
typedef struct {
    ArchRiscvProgram *programs[THREADS];
    const MetalImage *images[THREADS];
} Compiled;

static void compiled_clear(Compiled *self)
{
    for (guint i = 0; i < THREADS; i++) {
        g_clear_pointer(&self->programs[i], arch_riscv_program_unref);
    }
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Compiled, compiled_clear)

static bool compile(MetalDevice *self,
                    MetalCompiler *compiler,
                    const MetalOrder *order,
                    const MetalKernel *kernel,
                    Compiled *compiled,
                    GError **error)
{
    const ArchParams *params = arch_chip_params(self->session->chip);

    for (guint i = 0; i < metal_kernel_threads(kernel); i++) {
        const ArchRiscvIndex index = metal_kernel_riscv(kernel, i);
        g_autofree char *generated =
            metal_generated_text(order, kernel, index, params, self->tensix);
        const MetalImage *image =
            metal_compiler_do(compiler, kernel, index, generated, error);

        if (image == NULL) {
            return false;
        }
        const ArchRiscvText text = metal_image_text(image, kernel->name);

        compiled->images[i] = image;
        compiled->programs[i] =
            arch_riscv_program_new(self->tensix, index, &text, error);
        if (compiled->programs[i] == NULL) {
            g_prefix_error(error, "kernel %s: ", kernel->name);
            return false;
        }
    }
    return true;
}

static bool check_free(const MetalDevice *self, const Task *task, GError **error)
{
    for (guint i = 0; i < self->tasks->len; i++) {
        const Task *other = g_ptr_array_index(self->tasks, i);

        if (other->core == task->core &&
            other->kernel->processor == task->kernel->processor) {
            return wl_refuse(error,
                             "kernels %s and %s are both for the same processor of %s",
                             other->kernel->name, task->kernel->name,
                             arch_tensix_core_name(task->core));
        }
    }
    return true;
}

static bool add_task(MetalDevice *self,
                     const MetalKernel *kernel,
                     const Compiled *compiled,
                     guint x,
                     guint y,
                     GError **error)
{
    Task *task = g_new0(Task, 1);
    KernelLines *lines = self->said;

    task->kernel = kernel;
    task->x = x;
    task->y = y;
    task->core = arch_tensix_core(self->tensix, x, y, NULL);
    if (!check_free(self, task, error)) {
        task_free(task);
        return false;
    }
    g_ptr_array_add(self->tasks, task);
    if (kernel->processor == METAL_COMPUTE) {
        lines = kernel_lines_new(sandbox_memory(self->session->sandbox));
        g_ptr_array_add(self->lines, lines);
    }
    for (guint i = 0; i < metal_kernel_threads(kernel); i++) {
        task->programs[i] = arch_riscv_program_ref(compiled->programs[i]);
        task->speakers[i] = speaker_new(task, metal_kernel_riscv(kernel, i), lines);
        task->speakers[i]->image = compiled->images[i];
    }
    return true;
}

static bool add_kernel(MetalDevice *self,
                       MetalCompiler *compiler,
                       const MetalOrder *order,
                       const MetalKernel *kernel,
                       GError **error)
{
    g_auto(Compiled) compiled = {0};

    if (!compile(self, compiler, order, kernel, &compiled, error)) {
        return false;
    }
    for (guint i = 0; i < kernel->cores->len; i++) {
        const CoreRange *range = &g_array_index(kernel->cores, CoreRange, i);

        for (guint y = range->y0; y <= range->y1; y++) {
            for (guint x = range->x0; x <= range->x1; x++) {
                if (!add_task(self, kernel, &compiled, x, y, error)) {
                    return false;
                }
            }
        }
    }
    return true;
}

static bool load(MetalDevice *self,
                 MetalCompiler *compiler,
                 const MetalOrder *order,
                 GError **error)
{
    for (guint i = 0; i < order->kernels->len; i++) {
        if (!add_kernel(self, compiler, order,
                        &g_array_index(order->kernels, MetalKernel, i), error)) {
            return false;
        }
    }
    arch_tensix_set_options(
        self->tensix,
        (ArchTensixOptions){.is_functional = !self->session->machine->is_timing_only,
                            .is_ieee = self->session->run->is_ieee,
                            .has_race_check = self->session->machine->is_race_checked});
    return metal_layout_put(order, self->tensix, error);
}

MetalDevice *metal_device_new(Session *session,
                              MetalCompiler *compiler,
                              const MetalOrder *order,
                              GError **error)
{
    MetalDevice *self = g_new0(MetalDevice, 1);

    self->session = session;
    self->tensix = arch_tensix_of(session->chip);
    self->tasks = g_ptr_array_new_with_free_func(task_free);
    self->lines = g_ptr_array_new_with_free_func((GDestroyNotify) kernel_lines_free);
    self->said = kernel_lines_new(sandbox_memory(session->sandbox));
    g_ptr_array_add(self->lines, self->said);
    if (!load(self, compiler, order, error)) {
        (void) arch_tensix_finish(self->tensix, NULL);
        device_free(self);
        return NULL;
    }
    return self;
}

static void start_task(Task *task)
{
    const MetalKernel *kernel = task->kernel;
    ArchRiscvListener listeners[THREADS];

    for (guint i = 0; i < metal_kernel_threads(kernel); i++) {
        listeners[i] = (ArchRiscvListener){
            .print = print, .line = line, .ended = ended, .data = task->speakers[i]};
    }
    if (kernel->processor == METAL_COMPUTE) {
        const ArchComputeKernel config = {.name = kernel->name,
                                          .is_dst_fp32 = kernel->is_dst_fp32,
                                          .fidelity = kernel->fidelity};

        arch_riscv_start_compute(task->core, task->programs, &config, listeners, 0);
    } else {
        arch_riscv_start_mover(task->core, task->programs[0],
                               kernel->processor == METAL_BRISC ? ARCH_MOVER_BRISC
                                                                : ARCH_MOVER_NCRISC,
                               kernel->noc, &listeners[0], 0);
    }
}

static void device_start(gpointer data)
{
    MetalDevice *self = data;

    self->start = sim_engine_now(arch_chip_engine(self->session->chip));
    for (guint i = 0; i < self->tasks->len; i++) {
        start_task(g_ptr_array_index(self->tasks, i));
    }
}

static bool device_is_busy(gconstpointer data)
{
    const MetalDevice *self = data;

    for (guint i = 0; i < self->tasks->len; i++) {
        const Task *task = g_ptr_array_index(self->tasks, i);

        if (!task->speakers[0]->is_over) {
            return true;
        }
    }
    return false;
}

/* The lines that kernels have begun and not ended. */
static void end_lines(MetalDevice *self)
{
    for (guint i = 0; i < self->tasks->len; i++) {
        const Task *task = g_ptr_array_index(self->tasks, i);

        for (guint k = 0; k < metal_kernel_threads(task->kernel); k++) {
            if (task->speakers[k]->pending->len > 0) {
                print(task->speakers[k],
                      sim_engine_now(arch_chip_engine(self->session->chip)), "\n", 1);
            }
        }
    }
}

static void device_flush(gpointer data)
{
    MetalDevice *self = data;
    const WlSandboxConfig *config = sandbox_config(self->session->sandbox);

    end_lines(self);
    kernel_lines_print(self->lines, config->print, config->print_data);
}

/* Programs leave pages that nobody waits for, and hardware does not mind. */
static void note_leftovers(const MetalDevice *self)
{
    g_autoptr(GError) error = NULL;

    if (!arch_tensix_finish(self->tensix, &error)) {
        g_autofree char *text = g_strdup_printf("note: %s", error->message);

        session_print(self->session, text);
    }
}

static bool device_finish(gpointer data, HostProgramEnd *end, GError **error)
{
    const MetalDevice *self = data;
    const SimTime last = self->start + arch_tensix_span(self->tensix).cycles;

    (void) error;
    *end = (HostProgramEnd){.last = last, .mean = (double) last};
    core_use_add(self->session, self->tensix);
    note_leftovers(self);
    return true;
}

const HostProgram metal_program = {
    .free = device_free,
    .start = device_start,
    .is_busy = device_is_busy,
    .flush = device_flush,
    .finish = device_finish,
};
