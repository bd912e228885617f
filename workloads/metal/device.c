/* Programs of compiled kernels: puts them onto cores, starts them, hears them. */
#include "workloads/metal/device.h"

#include "sim/narrow.h"
#include "workloads/error.h"
#include "workloads/metal/generated.h"
#include "workloads/metal/layout.h"
#include "workloads/metal/speaker.h"
#include "workloads/tensix/print.h"
#include "workloads/tensix/use.h"

enum {
    THREADS = 3,         /* of a compute kernel */
    MOST_COLUMNS = 1024, /* of cores */
};

/* One kernel on one core. */
typedef struct {
    const MetalKernel *kernel;
    ArchTensixCore *core;
    guint x;
    guint y;
    ArchRiscvProgram *programs[THREADS]; /* the first alone on data movers */
    MetalSpeaker *speakers[THREADS];
} Task;

struct MetalDevice {
    Session *session;
    MetalRecord *record;
    ArchTensix *tensix;
    SimTime start;
    uint64_t run;      /* the program's id */
    GPtrArray *tasks;  /* of Task */
    KernelLines *said; /* by data movers */
    GPtrArray *lines;  /* of KernelLines: theirs, then those of compute kernels */
};

static void task_free(gpointer data)
{
    Task *self = data;

    for (guint i = 0; i < THREADS; i++) {
        g_clear_pointer(&self->programs[i], arch_riscv_program_unref);
        metal_speaker_free(self->speakers[i]);
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

static MetalSpeaker *speaker_new(const MetalDevice *self,
                                 const Task *task,
                                 ArchRiscvIndex index,
                                 const MetalImage *image,
                                 KernelLines *lines)
{
    static const char *const names[ARCH_RISCVS] = {"BRISC", "NCRISC", "TRISC0",
                                                   "TRISC1", "TRISC2"};
    const MetalPrints *prints = &self->record->prints;
    MetalSpeaker *speaker = metal_speaker_new(image, prints->is_profiled);

    speaker->riscv = index;
    speaker->lines = metal_prints_has(prints, task->x, task->y, index) ? lines : NULL;
    speaker->who =
        g_strdup_printf("%s %s", arch_tensix_core_name(task->core), names[index]);
    speaker->head =
        metal_prints_head(prints, self->session->index, task->x, task->y, index);
    speaker->argument_count =
        metal_layout_arguments(task->kernel, task->x, task->y, &speaker->arguments);
    speaker->rank = (task->y * MOST_COLUMNS + task->x) * ARCH_RISCVS + index;
    return speaker;
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
        task->speakers[i] = speaker_new(self, task, metal_kernel_riscv(kernel, i),
                                        compiled->images[i], lines);
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
                            .moves_data = self->session->machine->is_timing_only,
                            .is_ieee = self->session->run->is_ieee,
                            .has_race_check = self->session->machine->is_race_checked});
    return metal_layout_put(order, self->tensix, error);
}

MetalDevice *metal_device_new(Session *session,
                              MetalCompiler *compiler,
                              const MetalOrder *order,
                              MetalRecord *record,
                              GError **error)
{
    MetalDevice *self = g_new0(MetalDevice, 1);

    self->session = session;
    self->record = record;
    self->run = order->run;
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
        listeners[i] = metal_speaker_listener(task->speakers[i]);
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
            metal_speaker_flush(task->speakers[k],
                                sim_engine_now(arch_chip_engine(self->session->chip)));
        }
    }
}

static void write_line(gpointer data, const char *text)
{
    (void) fprintf(data, "%s\n", text);
}

static void device_flush(gpointer data)
{
    MetalDevice *self = data;
    const WlSandboxConfig *config = sandbox_config(self->session->sandbox);
    FILE *file = self->record->prints.file;

    end_lines(self);
    if (file != NULL) {
        kernel_lines_print(self->lines, write_line, file);
        (void) fflush(file);
    } else {
        kernel_lines_print(self->lines, config->print, config->print_data);
    }
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

/* When the last kernel of a core has ended. */
static SimTime core_end(const MetalDevice *self, const ArchTensixCore *core)
{
    SimTime end = self->start;

    for (guint i = 0; i < self->tasks->len; i++) {
        const Task *task = g_ptr_array_index(self->tasks, i);

        for (guint k = 0; task->core == core && k < metal_kernel_threads(task->kernel);
             k++) {
            end = MAX(end, task->speakers[k]->ended);
        }
    }
    return end;
}

/* BRISC starts the others of its core, and waits for them. */
static void log_task(const MetalDevice *self, const Task *task)
{
    const MetalRecord *record = self->record;
    MetalLogRow place = {.chip = self->session->index,
                         .tile = arch_tensix_core_tile(task->core),
                         .run = self->run};

    for (guint k = 0; k < metal_kernel_threads(task->kernel); k++) {
        const MetalSpeaker *speaker = task->speakers[k];

        place.riscv = speaker->riscv;
        metal_speaker_log(speaker, record->log, &place, self->start,
                          speaker->riscv == ARCH_RISCV_B ? core_end(self, task->core)
                                                         : speaker->ended);
        self->record->dropped += speaker->marks.dropped;
    }
}

/* The first task of a core that has no kernel for BRISC. */
static bool is_without_brisc(const MetalDevice *self, guint number)
{
    const Task *task = g_ptr_array_index(self->tasks, number);

    for (guint i = 0; i < self->tasks->len; i++) {
        const Task *other = g_ptr_array_index(self->tasks, i);

        if (other->core == task->core &&
            (i < number || other->kernel->processor == METAL_BRISC)) {
            return false;
        }
    }
    return true;
}

static void log_tasks(const MetalDevice *self)
{
    for (guint i = 0; i < self->tasks->len; i++) {
        const Task *task = g_ptr_array_index(self->tasks, i);
        const MetalLogRow place = {.chip = self->session->index,
                                   .tile = arch_tensix_core_tile(task->core),
                                   .riscv = ARCH_RISCV_B,
                                   .run = self->run};

        log_task(self, task);
        if (is_without_brisc(self, i)) {
            metal_log_add_zone(self->record->log, &place, "BRISC-FW", self->start,
                               core_end(self, task->core));
        }
    }
}

/* Says a text, which it takes, once for each kernel and topic. */
static void
note(const MetalDevice *self, const char *kernel, const char *topic, char *text)
{
    g_autofree char *whole = text;

    if (text != NULL &&
        g_hash_table_add(self->record->noted, g_strconcat(topic, kernel, NULL))) {
        session_print(self->session, text);
    }
}

static void keep_times(const MetalDevice *self)
{
    for (guint i = 0; i < self->tasks->len; i++) {
        const Task *task = g_ptr_array_index(self->tasks, i);
        const char *name = arch_tensix_core_name(task->core);
        g_autofree char *core =
            self->session->run->session_count > 1
                ? g_strdup_printf("chip %u %s", self->session->index, name)
                : g_strdup(name);

        for (guint k = 0; k < metal_kernel_threads(task->kernel); k++) {
            const MetalSpeaker *speaker = task->speakers[k];
            const char *kernel = task->kernel->name;

            note(self, kernel, "arguments of ",
                 metal_speaker_stray_note(speaker, kernel));
            note(self, kernel, "transfers of ",
                 metal_speaker_transfer_note(speaker, kernel));
            metal_times_add(self->record->times, task->kernel, speaker->riscv,
                            speaker->image, core, speaker->by_line);
        }
    }
}

static bool device_finish(gpointer data, HostProgramEnd *end, GError **error)
{
    const MetalDevice *self = data;
    const SimTime last = self->start + arch_tensix_span(self->tensix).cycles;

    (void) error;
    *end = (HostProgramEnd){.last = last, .mean = (double) last};
    core_use_add(self->session, self->tensix);
    keep_times(self);
    if (self->record->prints.is_profiled) {
        log_tasks(self);
    }
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
