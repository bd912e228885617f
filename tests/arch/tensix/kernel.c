/* Runs a compute kernel of a test. */
#include "tests/arch/tensix/kernel.h"

#include "arch/family.h"
#include "arch/tensix/circular_buffer.h"
#include "arch/tensix/core.h"

typedef struct {
    const KernelTest *test;
    ArchTensixCore *core;
    guint round;
    KernelResult *result;
} Kernel;

static ArchComputeStatus more(gpointer data, double value)
{
    Kernel *kernel = data;
    g_autoptr(GArray) calls = g_array_new(FALSE, FALSE, sizeof(ArchComputeCall));
    g_autoptr(GError) error = NULL;

    (void) value;
    if (kernel->round == kernel->test->rounds) {
        if (!arch_compute_check_end(kernel->core, &error)) {
            kernel->result->refusal = g_strdup(error->message);
        }
        return ARCH_COMPUTE_ENDED;
    }
    kernel->test->round(calls, kernel->round++);
    for (guint i = 0; i < calls->len; i++) {
        if (!arch_compute_call(kernel->core, &g_array_index(calls, ArchComputeCall, i),
                               &error)) {
            kernel->result->refusal = g_strdup(error->message);
            return ARCH_COMPUTE_ENDED;
        }
    }
    return ARCH_COMPUTE_GOES_ON;
}

static void ended(gpointer data, SimTime when)
{
    Kernel *kernel = data;

    kernel->result->cycles = when;
}

static void add_buffers(ArchTensixCore *core, const KernelTest *test)
{
    const guint many = test->pages > 0 ? test->pages : test->rounds;
    const guint pages[] = {many, many, many, 2, 2};
    uint32_t shared = 0;

    for (guint i = 0; i < G_N_ELEMENTS(pages); i++) {
        const ArchFormat format =
            i == KERNEL_OUT && test->has_out_format ? test->out_format : test->format;
        ArchCircularBufferConfig config = {
            .index = i,
            .page_count = pages[i],
            .page_bytes = arch_format_tile_bytes(format),
            .format = format,
            /* All of the large ones on the same memory: only their time counts. */
            .has_address =
                i > KERNEL_IN && i < (test->look == NULL ? KERNEL_LOOP : KERNEL_OUT),
            .address = shared,
        };

        g_assert_true(arch_tensix_add_circular_buffer(core, &config, NULL));
        if (i == KERNEL_IN) {
            shared = config.address;
        }
    }
}

static void fill_buffers(ArchTensixCore *core, const KernelTest *test)
{
    const guint many = test->pages > 0 ? test->pages : test->rounds;

    for (guint i = KERNEL_IN; i <= KERNEL_IN2; i++) {
        if (!test->has_empty_inputs) {
            tensix_cb_push(&core->buffers[i], TENSIX_CB_COMPUTE, many, 0);
        }
    }
    tensix_cb_push(&core->buffers[KERNEL_LOOP], TENSIX_CB_COMPUTE, 1, 0);
}

KernelResult kernel_run(const KernelTest *test)
{
    g_autoptr(ArchParams) params =
        arch_params_load(GRIDLOOM_SOURCE_DIR "/arch/chips/wormhole_n300.ini", NULL);
    SimEngineConfig config = sim_engine_config_default();
    g_autoptr(SimEngine) engine = NULL;
    g_autoptr(ArchDram) dram = arch_dram_new(1 << 20);
    g_autoptr(ArchTensix) tensix = NULL;
    KernelResult result = {0};
    Kernel kernel = {.test = test, .result = &result};
    const ArchComputeKernel compute = {
        .name = "test",
        .is_large = test->is_large,
        .is_unrolled = test->is_unrolled,
        .is_dst_fp32 = test->is_dst_fp32 || test->format == ARCH_FORMAT_FP32,
        .fidelity = MAX(1, test->fidelity),
        .more = more,
        .ended = ended,
        .data = &kernel,
    };

    g_assert_nonnull(params);
    config.region_count = arch_family_tensix.region_count(params, 1);
    config.window_cycles = arch_family_tensix.window_cycles(params);
    engine = sim_engine_new(config);
    tensix = arch_tensix_new(engine, params, dram, NULL);
    if (test->is_timing_only) {
        arch_tensix_set_options(tensix, (ArchTensixOptions){.is_functional = false});
    }
    kernel.core = arch_tensix_core(tensix, 0, 0, NULL);
    add_buffers(kernel.core, test);
    arch_compute_start(kernel.core, &compute, 0);
    fill_buffers(kernel.core, test);
    if (test->fill != NULL) {
        test->fill(tensix_l1_at(tensix_core_l1(kernel.core),
                                kernel.core->buffers[KERNEL_IN].address));
    }
    if (sim_engine_run(engine, SIM_TIME_NEVER, &result.error)) {
        result.uses = arch_tensix_uses(tensix, kernel.core);
        result.zones = arch_tensix_zones(tensix);
    }
    if (test->look != NULL && result.refusal == NULL) {
        test->look(tensix_l1_at(tensix_core_l1(kernel.core),
                                kernel.core->buffers[KERNEL_OUT].address));
    }
    return result;
}

void kernel_result_clear(KernelResult *self)
{
    g_clear_pointer(&self->uses, g_array_unref);
    g_clear_pointer(&self->zones, g_array_unref);
    g_clear_error(&self->error);
    g_clear_pointer(&self->refusal, g_free);
}

double kernel_slope(KernelTest test, guint rounds)
{
    g_auto(KernelResult) one = {0};
    g_auto(KernelResult) two = {0};

    test.pages = 2 * rounds;
    test.rounds = rounds;
    one = kernel_run(&test);
    test.rounds = 2 * rounds;
    two = kernel_run(&test);
    g_assert_null(one.refusal);
    g_assert_null(two.refusal);
    return (double) (two.cycles - one.cycles) / rounds;
}
