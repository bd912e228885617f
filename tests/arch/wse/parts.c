/* Parts of wafer programs: each function asserts that it works. */
#include "tests/arch/wse/parts.h"

static const char *const numbers[] = {
    "memory.capacity_bytes=49152",
    "memory.code_reserved_bytes=4176",
    "memory.operand_period_bytes=8",
    "memory.conflict_factor=2",
    "memory.bank_count=8",
    "memory.bank_word_bytes=2",
    "memory.reads_per_cycle=2",
    "memory.wide_conflict_cycles_per_step=0.6",
    "pe.scalar_float_cycles=2",
    "pe.branch_taken_cycles=6",
    "pe.branch_not_taken_cycles=3",
    "pe.divide_f32_cycles=50",
    "pe.sqrt_f32_cycles=51",
    "dsd.setup_busy_cycles=28",
    "dsd.f16_elements_per_cycle=4",
    "dsd.f32_add_elements_per_cycle=2",
    "dsd.f32_mov_elements_per_cycle=2",
    "dsd.f32_mul_elements_per_cycle=1",
    "dsd.f32_fmac_elements_per_cycle=1",
    "dsd.reduction_cycles_per_element=2",
};

void parts_open(Parts *self)
{
    self->params = arch_params_load(GRIDLOOM_SOURCE_DIR "/arch/chips/wse2.ini", NULL);
    assert_non_null(self->params);
    for (gsize i = 0; i < G_N_ELEMENTS(numbers); i++) {
        if (!arch_params_override(self->params, numbers[i], NULL)) {
            fail_msg("%s", numbers[i]);
        }
    }
    self->program = arch_wse_program_new(self->params, "test");
}

void parts_close(Parts *self)
{
    arch_wse_program_free(self->program);
    arch_params_free(self->params);
}

void parts_override(Parts *self, const char *assignment)
{
    arch_wse_program_free(self->program);
    assert_true(arch_params_override(self->params, assignment, NULL));
    self->program = arch_wse_program_new(self->params, "test");
}

static void succeed(bool is_done, GError **error)
{
    if (!is_done) {
        fail_msg("%s", (*error)->message);
    }
    assert_null(*error);
}

guint parts_array(const Parts *self, const char *name, ArchWseType type, guint count)
{
    g_autoptr(GError) error = NULL;
    guint array = 0;

    succeed(arch_wse_program_array(self->program, name, type, count, 0, &array, &error),
            &error);
    return array;
}

guint parts_aligned(const Parts *self, const char *name, guint count, guint align)
{
    g_autoptr(GError) error = NULL;
    guint array = 0;

    succeed(arch_wse_program_array(self->program, name, ARCH_WSE_F32, count, align,
                                   &array, &error),
            &error);
    return array;
}

guint parts_variable(const Parts *self, const char *name, int32_t value)
{
    g_autoptr(GError) error = NULL;
    guint variable = 0;

    succeed(arch_wse_program_variable(self->program, name, value, &variable, &error),
            &error);
    return variable;
}

guint parts_memory(const Parts *self, const ArchWseMemoryDsd *config)
{
    g_autoptr(GError) error = NULL;
    guint dsd = 0;

    succeed(arch_wse_program_memory_dsd(self->program, config, &dsd, &error), &error);
    return dsd;
}

guint parts_row(const Parts *self, guint array, int offset, guint count, int stride)
{
    const ArchWseMemoryDsd config = {.array = array,
                                     .rank = 1,
                                     .extents = {count},
                                     .strides = {stride},
                                     .offset = offset,
                                     .variable = ARCH_WSE_NONE};

    return parts_memory(self, &config);
}

guint parts_fabin(const Parts *self, guint color, guint queue, guint extent)
{
    g_autoptr(GError) error = NULL;
    const ArchWseFabinDsd config = {color, queue, extent, 1, ARCH_WSE_NARROW};
    guint dsd = 0;

    succeed(arch_wse_program_fabin_dsd(self->program, &config, &dsd, &error), &error);
    return dsd;
}

guint parts_fabout(const Parts *self, guint color, guint queue, guint extent)
{
    g_autoptr(GError) error = NULL;
    const ArchWseFaboutDsd config = {
        .color = color, .queue = queue, .extent = extent, .elements_per_wavelet = 1};
    guint dsd = 0;

    succeed(arch_wse_program_fabout_dsd(self->program, &config, &dsd, &error), &error);
    return dsd;
}

guint parts_number(const Parts *self, ArchWseType type, double value)
{
    g_autoptr(GError) error = NULL;
    guint dsd = 0;

    succeed(arch_wse_program_immediate(self->program, type, value, &dsd, &error),
            &error);
    return dsd;
}

void parts_begin(const Parts *self, guint id)
{
    g_autoptr(GError) error = NULL;

    succeed(arch_wse_program_begin_task(self->program, ARCH_WSE_TASK_LOCAL, id, "work",
                                        ARCH_WSE_NONE, &error),
            &error);
}

void parts_end(const Parts *self)
{
    g_autoptr(GError) error = NULL;

    succeed(arch_wse_program_end_task(self->program, &error), &error);
}

ArchWseVector parts_vector(
    const char *name, guint destination, guint source0, guint source1, guint source2)
{
    return (ArchWseVector){.name = name,
                           .destination = destination,
                           .sources = {source0, source1, source2},
                           .activated = ARCH_WSE_NONE,
                           .unblocked = ARCH_WSE_NONE};
}

void parts_emit(const Parts *self, ArchWseVector vector)
{
    g_autoptr(GError) error = NULL;

    succeed(arch_wse_program_vector(self->program, &vector, &error), &error);
}

void parts_finish(const Parts *self)
{
    g_autoptr(GError) error = NULL;

    succeed(arch_wse_program_finish(self->program, &error), &error);
}

const WseInstruction *parts_instruction(const Parts *self, guint index)
{
    assert_true(index < self->program->instructions->len);
    return &g_array_index(self->program->instructions, WseInstruction, index);
}

const WseInstruction *parts_only(const Parts *self, ArchWseVector vector)
{
    parts_begin(self, 0);
    parts_emit(self, vector);
    parts_end(self);
    parts_finish(self);
    return parts_instruction(self, 0);
}
