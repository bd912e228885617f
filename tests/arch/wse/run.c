/* Runs small layouts on a wafer. */
#include "tests/arch/wse/run.h"

#include "sim/error.h"

enum {
    GO = 24,
    MARK = 25,
};

static const char *const numbers[] = {
    "fabric.hop_cycles=1",
    "fabric.link_cycles_per_wavelet=1",
    "router.link_buffer_wavelets=2",
    "router.ramp_buffer_wavelets=3",
    "router.link_credit_cycles=1",
    "router.multicast=atomic",
    "router.color_arbitration=round_robin",
    "router.switch_rule=cumulative",
    "router.position_fields=one",
    "ramp.in_latency_cycles=2",
    "ramp.out_latency_cycles=2",
    "ramp.enqueue_cycles=1",
    "ramp.transfer_cycles_per_wavelet=1",
    "queues.input_wavelets=6,6,4,4,2,2,2,2",
    "queues.output_wavelets=2,2,6,6,2,2",
    "queues.input_ramp_wavelets=2",
    "queues.credit_return_cycles=1",
    "pe.microthread_arbitration=lowest_id",
    "pe.main_thread=above",
    "pe.thread_switch_cycles=0",
    "pe.reissue_cycles=1",
    "dsd.setup_busy_cycles=28",
    "dsd.setup_latency_cycles=6",
    "task.dispatch_cycles=10",
    "task.order=lowest_id",
};

static void succeed(bool is_done, GError **error)
{
    if (!is_done) {
        fail_msg("%s", (*error)->message);
    }
}

static void override(WseRun *self, const char *assignment)
{
    g_autoptr(GError) error = NULL;

    succeed(arch_params_override(self->params, assignment, &error), &error);
}

void wse_run_open(WseRun *self, guint columns, guint rows, const char *const *overrides)
{
    *self = (WseRun){
        .params = wse_rig_load("wse2"),
        .options = {.is_functional = true},
        .thread_count = 1,
    };
    for (gsize i = 0; i < G_N_ELEMENTS(numbers); i++) {
        override(self, numbers[i]);
    }
    for (gsize i = 0; overrides != NULL && overrides[i] != NULL; i++) {
        override(self, overrides[i]);
    }
    self->layout = wse_rig_layout_new(self->params, columns, rows);
}

void wse_run_close(WseRun *self)
{
    arch_wse_free(self->wse);
    sim_engine_free(self->engine);
    arch_wse_layout_free(self->layout);
    arch_params_free(self->params);
}

static guint emit_send(const Parts *parts, const WseRunStep *step, guint number)
{
    g_autofree char *name = g_strdup_printf("s%u", number);
    g_autofree double *values = g_new(double, step->count);
    guint array = parts_array(parts, name, ARCH_WSE_F32, step->count);

    for (guint i = 0; i < step->count; i++) {
        values[i] = (double) step->value + i;
    }
    assert_true(
        arch_wse_program_set(parts->program, array, 0, values, step->count, NULL));
    return parts_row(parts, array, 0, step->count, 1);
}

static guint emit_receive(const Parts *parts, const WseRunStep *step, guint number)
{
    g_autofree char *name = g_strdup_printf("r%u", number);

    return parts_row(parts, parts_array(parts, name, ARCH_WSE_F32, step->count), 0,
                     step->count, 1);
}

static guint emit_fabout(const Parts *parts, const WseRunStep *step)
{
    g_autoptr(GError) error = NULL;
    const ArchWseFaboutDsd fabout = {
        .color = step->color,
        .queue = step->queue,
        .extent = step->count,
        .elements_per_wavelet = 1,
        .is_control = step->kind == WSE_RUN_CONTROL,
        .is_switch_advanced = step->is_switch_advanced,
    };
    guint dsd = 0;

    succeed(arch_wse_program_fabout_dsd(parts->program, &fabout, &dsd, &error), &error);
    return dsd;
}

static void
emit_step(const Parts *parts, const WseRunStep *step, guint number, guint variable)
{
    ArchWseVector vector = parts_vector("fmovs", 0, 0, ARCH_WSE_NONE, ARCH_WSE_NONE);

    switch (step->kind) {
    case WSE_RUN_SEND:
        vector.destination = emit_fabout(parts, step);
        vector.sources[0] = emit_send(parts, step, number);
        if (step->is_twice) {
            vector.name = "fadds";
            vector.sources[1] = vector.sources[0];
        }
        break;
    case WSE_RUN_RECEIVE:
        vector.destination = emit_receive(parts, step, number);
        vector.sources[0] = parts_fabin(parts, step->color, step->queue, step->count);
        break;
    case WSE_RUN_CONTROL:
        vector.name = "mov32";
        vector.destination = emit_fabout(parts, step);
        assert_true(arch_wse_program_word(parts->program, step->bits,
                                          &vector.sources[0], NULL));
        break;
    case WSE_RUN_RELAY:
        vector.name = "fadds";
        vector.destination =
            emit_fabout(parts, &(WseRunStep){WSE_RUN_SEND, step->onward, step->onward,
                                             .count = step->count});
        vector.sources[0] = parts_fabin(parts, step->color, step->queue, step->count);
        vector.sources[1] = emit_send(parts, step, number);
        break;
    case WSE_RUN_COMPUTE:
        vector.name = "fadds";
        vector.destination = emit_send(parts, step, number);
        vector.sources[0] = vector.destination;
        vector.sources[1] = vector.destination;
        break;
    case WSE_RUN_HOLD:
        assert_true(arch_wse_program_input_queue(parts->program, step->queue,
                                                 step->color, NULL));
        return;
    }
    vector.is_async = !step->is_sync && step->kind != WSE_RUN_COMPUTE;
    vector.activated = step->is_marked ? MARK : ARCH_WSE_NONE;
    for (guint i = 0; i < step->delay; i++) {
        assert_true(arch_wse_program_assign(parts->program, variable,
                                            (ArchWseOperand){0}, NULL));
    }
    parts_emit(parts, vector);
}

Parts wse_run_program(const WseRun *self,
                      const char *name,
                      const WseRunStep *steps,
                      guint count)
{
    const Parts parts = {.params = self->params,
                         .program = arch_wse_program_new(self->params, name)};
    guint variable = parts_variable(&parts, "wait", 0);

    parts_begin(&parts, GO);
    for (guint i = 0; i < count; i++) {
        emit_step(&parts, &steps[i], i, variable);
    }
    parts_end(&parts);
    parts_begin(&parts, MARK);
    assert_true(arch_wse_program_iteration(parts.program, NULL));
    parts_end(&parts);
    assert_true(arch_wse_program_activate(parts.program, GO, NULL));
    return parts;
}

void wse_run_place(const WseRun *self, ArchWseTiles tiles, const Parts *parts)
{
    wse_rig_set_code(self->layout, tiles, parts->program);
}

void wse_run_steps(const WseRun *self,
                   ArchWseTiles tiles,
                   const char *name,
                   const WseRunStep *steps,
                   guint count)
{
    const Parts parts = wse_run_program(self, name, steps, count);

    wse_run_place(self, tiles, &parts);
}

bool wse_run_load(WseRun *self, GError **error)
{
    SimEngineConfig config = sim_engine_config_default();

    config.thread_count = self->thread_count;
    config.region_count = MAX(self->thread_count, self->options.band_count);
    config.window_cycles = SIM_TIME_NEVER;
    self->engine = sim_engine_new(config);
    self->wse = arch_wse_new(self->engine, self->params);
    return arch_wse_load(self->wse, g_steal_pointer(&self->layout), &self->options,
                         error);
}

bool wse_run_try(WseRun *self, GError **error)
{
    if (self->wse == NULL && !wse_run_load(self, error)) {
        return false;
    }
    if (self->watch.func != NULL) {
        sim_engine_watch(self->engine, &self->watch);
    }
    arch_wse_start(self->wse);

    const bool is_done = sim_engine_run(self->engine, SIM_TIME_NEVER, error);

    arch_wse_finish_watch(self->wse);
    sim_engine_finish_watch(self->engine);
    return is_done;
}

void wse_run(WseRun *self)
{
    g_autoptr(GError) error = NULL;

    succeed(wse_run_try(self, &error), &error);
}

char *wse_run_into_deadlock(WseRun *self)
{
    g_autoptr(GError) error = NULL;

    assert_false(wse_run_try(self, &error));
    if (!g_error_matches(error, SIM_ERROR, SIM_ERROR_DEADLOCK)) {
        fail_msg("%s", error->message);
    }
    return g_strdup(error->message);
}

SimTime wse_run_end(const WseRun *self, guint x, guint y)
{
    return arch_wse_pe_profile(self->wse, x, y).end;
}

SimTime wse_run_mark(const WseRun *self, guint iteration)
{
    g_autoptr(GArray) iterations = arch_wse_iterations(self->wse);

    assert_true(iteration < iterations->len);
    return g_array_index(iterations, ArchWseIteration, iteration).last;
}

void wse_run_assert(const WseRun *self,
                    guint x,
                    guint y,
                    const char *array,
                    guint first,
                    guint count,
                    float value)
{
    g_autoptr(GError) error = NULL;
    g_autofree float *numbers_there = g_new0(float, count);

    ArchWsePart part = {wse_rig_one(x, y), array, first, count};

    succeed(
        arch_wse_read(self->wse, &part, numbers_there, count * sizeof(float), &error),
        &error);
    for (guint i = 0; i < count; i++) {
        if (numbers_there[i] != value + (float) i) {
            fail_msg("pe[%u,%u] %s[%u] is %g, not %g", x, y, array, first + i,
                     (double) numbers_there[i], (double) (value + (float) i));
        }
    }
}
