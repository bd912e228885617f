/* A bench for programs of wafers. */
#include "tests/arch/wse/bench.h"

enum {
    SPARE = 0,  /* variable of every program, to be assigned to */
    SHOWN = 12, /* marks, where they are not as they should be */
};

void bench_open(Bench *self)
{
    *self = (Bench){.options = {.is_functional = true}};
    parts_open(&self->parts);
    bench_lay(self, 1, 1);
}

static void end_run(Bench *self)
{
    g_clear_pointer(&self->wse, arch_wse_free);
    g_clear_pointer(&self->engine, sim_engine_free);
}

void bench_close(Bench *self)
{
    end_run(self);
    g_clear_pointer(&self->layout, arch_wse_layout_free);
    parts_close(&self->parts);
}

void bench_override(Bench *self, const char *const *assignments, guint count)
{
    for (guint i = 0; i < count; i++) {
        parts_override(&self->parts, assignments[i]);
    }
}

void bench_make_quick(Bench *self)
{
    BENCH_OVERRIDE(self, "task.dispatch_cycles=0", "dsd.setup_busy_cycles=1",
                   "dsd.setup_latency_cycles=0");
}

Bench bench;

int bench_set_up(void **state G_GNUC_UNUSED)
{
    bench_open(&bench);
    return 0;
}

int bench_set_up_quickly(void **state)
{
    const int set_up = bench_set_up(state);

    bench_make_quick(&bench);
    return set_up;
}

int bench_tear_down(void **state G_GNUC_UNUSED)
{
    bench_close(&bench);
    return 0;
}

void bench_lay(Bench *self, guint columns, guint rows)
{
    g_clear_pointer(&self->layout, arch_wse_layout_free);
    self->layout = wse_rig_layout_new(self->parts.params, columns, rows);
}

ArchWseProgram *bench_program(Bench *self, const char *name)
{
    arch_wse_program_free(self->parts.program);
    self->parts.program = arch_wse_program_new(self->parts.params, name);
    assert_int_equal(parts_variable(&self->parts, "spare", 0), SPARE);
    return self->parts.program;
}

void bench_put(Bench *self, guint x0, guint y0, guint x1, guint y1)
{
    const ArchWseTiles tiles = {x0, y0, x1, y1, 1, 1};

    wse_rig_set_code(self->layout, tiles, g_steal_pointer(&self->parts.program));
}

void bench_route(Bench *self, guint x, guint y, guint color, guint rx, guint tx)
{
    wse_rig_set_route(self->layout, wse_rig_one(x, y), color, rx, tx);
}

void bench_begin(Bench *self, ArchWseTaskKind kind, guint id, guint argument)
{
    assert_true(arch_wse_program_begin_task(self->parts.program, kind, id, "work",
                                            argument, NULL));
}

void bench_end(Bench *self)
{
    assert_true(arch_wse_program_end_task(self->parts.program, NULL));
}

void bench_begin_go(Bench *self, const char *name)
{
    bench_program(self, name);
    bench_begin(self, ARCH_WSE_TASK_LOCAL, BENCH_GO, ARCH_WSE_NONE);
}

void bench_end_go(Bench *self)
{
    bench_end(self);
    assert_true(arch_wse_program_activate(self->parts.program, BENCH_GO, NULL));
}

void bench_marker(Bench *self, guint id)
{
    bench_begin(self, ARCH_WSE_TASK_LOCAL, id, ARCH_WSE_NONE);
    bench_mark(self);
    bench_end(self);
}

void bench_work(Bench *self, guint count)
{
    for (guint i = 0; i < count; i++) {
        assert_true(arch_wse_program_assign(self->parts.program, SPARE,
                                            (ArchWseOperand){.value = 1}, NULL));
    }
}

void bench_mark(Bench *self)
{
    assert_true(arch_wse_program_iteration(self->parts.program, NULL));
}

void bench_phase(Bench *self, const char *name)
{
    assert_true(arch_wse_program_phase(self->parts.program, name, NULL));
}

guint bench_numbers(Bench *self, const char *name, guint count, guint value)
{
    guint array = parts_array(&self->parts, name, ARCH_WSE_F32, count);

    for (guint i = 0; i < count; i++) {
        double number = value + i;

        assert_true(
            arch_wse_program_set(self->parts.program, array, i, &number, 1, NULL));
    }
    return parts_row(&self->parts, array, 0, count, 1);
}

ArchWseVector bench_async(ArchWseVector vector, guint activated)
{
    vector.is_async = true;
    vector.activated = activated;
    return vector;
}

/* False with an error. */
static bool run(Bench *self, GError **error)
{
    SimEngineConfig config = sim_engine_config_default();

    end_run(self);
    self->engine = sim_engine_new(config);
    self->wse = arch_wse_new(self->engine, self->parts.params);
    if (!arch_wse_load(self->wse, g_steal_pointer(&self->layout), &self->options,
                       error)) {
        return false;
    }
    arch_wse_start(self->wse);
    return sim_engine_run(self->engine, SIM_TIME_NEVER, error);
}

void bench_run(Bench *self)
{
    g_autoptr(GError) error = NULL;

    if (!run(self, &error)) {
        fail_msg("%s", error->message);
    }
}

void bench_assert_failure(Bench *self, GQuark domain, gint code, const char *message)
{
    g_autoptr(GError) error = NULL;

    assert_false(run(self, &error));
    assert_string_equal(error->message, message);
    assert_true(g_error_matches(error, domain, code));
}

ArchWsePeProfile bench_pe(const Bench *self, guint x, guint y)
{
    return arch_wse_pe_profile(self->wse, x, y);
}

float bench_number(const Bench *self, guint x, guint y, const char *name, guint index)
{
    float number = 0;

    ArchWsePart part = {wse_rig_one(x, y), name, index, 1};

    assert_true(arch_wse_read(self->wse, &part, &number, sizeof number, NULL));
    return number;
}

uint32_t bench_word(const Bench *self, guint x, guint y, const char *name, guint index)
{
    uint32_t word = 0;
    const ArchWsePart part = {wse_rig_one(x, y), name, index, 1};

    assert_true(arch_wse_read(self->wse, &part, &word, sizeof word, NULL));
    return word;
}

ArchWseOperand bench_constant(int32_t value)
{
    return (ArchWseOperand){.value = value};
}

ArchWseOperand bench_in(guint variable)
{
    return (ArchWseOperand){.is_variable = true, .value = (int32_t) variable};
}

guint bench_register(Bench *self, int32_t value)
{
    guint variable = 0;

    assert_true(
        arch_wse_program_variable(self->parts.program, NULL, value, &variable, NULL));
    return variable;
}

void bench_assert_marks(const Bench *self, const SimTime *times, guint count)
{
    g_autoptr(GArray) ends = arch_wse_iterations(self->wse);

    for (guint i = 0; i < MIN(SHOWN, ends->len); i++) {
        const ArchWseIteration *end = &g_array_index(ends, ArchWseIteration, i);

        if (i >= count || end->last != times[i]) {
            print_error("mark %u at %" G_GUINT64_FORMAT "\n", i, (guint64) end->last);
        }
    }
    assert_int_equal(ends->len, count);
    for (guint i = 0; i < count; i++) {
        assert_int_equal(g_array_index(ends, ArchWseIteration, i).last, times[i]);
    }
}
