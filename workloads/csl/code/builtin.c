/* Generates builtins that are not vector operations. */
#include "sim/narrow.h"
#include "workloads/csl/code/emit.h"
#include "workloads/csl/code/expression.h"
#include "workloads/csl/code/generator.h"
#include "workloads/csl/code/operation.h"
#include "workloads/csl/code/registers.h"

/* What wavelets of a color come under: itself, or its queue on a WSE-3. */
static guint number_of_color(const CslGenerator *self, guint color)
{
    if (g_strcmp0(self->source->options.arch, "wse3") != 0) {
        return color;
    }
    for (guint i = 0; i < self->pe->queues->len; i++) {
        const CslQueueBinding *binding =
            &g_array_index(self->pe->queues, CslQueueBinding, i);

        if (binding->is_input && binding->color == (int64_t) color) {
            return binding->queue;
        }
    }
    return color;
}

bool csl_task_number(CslGenerator *self, const CslValue *value, guint *number)
{
    if (value->type == CSL_T(UT_ID)) {
        csl_code_fail(self, "microthreads are not blocked by the simulated PE");
        csl_report_hint(self->source->to, "block the queue or the task");
        return true;
    }
    if (value->type->kind == CSL_KIND_ID) {
        *number = csl_u32(value->integer);
        *number =
            value->type == CSL_T(COLOR) ? number_of_color(self, *number) : *number;
        return true;
    }
    for (guint i = 0;
         value->type->kind == CSL_KIND_FUNCTION && i < self->pe->tasks->len; i++) {
        const CslTaskBinding *binding =
            &g_array_index(self->pe->tasks, CslTaskBinding, i);

        if (binding->task == value->function) {
            *number = binding->id;
            return true;
        }
    }
    return false;
}

/* @activate, @block, @unblock. */
static void signal_task(CslGenerator *self, const CslTyped *typed)
{
    typedef bool Act(ArchWseProgram *, guint, GError **);
    static const struct {
        const char *name;
        ArchWseSignal signal;
        Act *act;
    } rows[] = {
        {"@activate", ARCH_WSE_ACTIVATE, arch_wse_program_activate},
        {"@block", ARCH_WSE_BLOCK, arch_wse_program_block},
        {"@unblock", ARCH_WSE_UNBLOCK, arch_wse_program_unblock},
    };
    const CslTyped *id = typed->children[0];
    g_autoptr(GError) error = NULL;
    guint row = 0;
    guint number = 0;

    while (!g_str_equal(rows[row].name, typed->name)) {
        row++;
    }
    if (id->kind == CSL_TYPED_CONSTANT && csl_task_number(self, &id->value, &number)) {
        csl_check(self, rows[row].act(self->program, number, &error), &error);
        return;
    }
    csl_check(self,
              arch_wse_program_signal(self->program, rows[row].signal,
                                      csl_generate_register(self, id), &error),
              &error);
}

static CslNumber config(CslGenerator *self, const CslTyped *typed, guint wanted)
{
    const CslNumber address = csl_generate(self, typed->children[0], CSL_ANYWHERE_ELSE);
    g_autoptr(GError) error = NULL;
    CslNumber value;

    if (g_str_has_prefix(typed->name, "@set_config")) {
        value = csl_generate(self, typed->children[1], CSL_ANYWHERE_ELSE);
        csl_check(self,
                  arch_wse_program_set_config(
                      self->program, csl_operand(self, address, ARCH_WSE_U16),
                      csl_operand(self, value, ARCH_WSE_U16), &error),
                  &error);
        return csl_constant(0);
    }
    value = csl_in_register(csl_target(self, CSL_T(U16), wanted));
    csl_check(self,
              arch_wse_program_get_config(self->program, value.variable,
                                          csl_operand(self, address, ARCH_WSE_U16),
                                          &error),
              &error);
    return value;
}

static CslNumber random16(CslGenerator *self, guint wanted)
{
    const guint to = csl_target(self, CSL_T(U16), wanted);
    g_autoptr(GError) error = NULL;

    csl_check(self, arch_wse_program_sense(self->program, ARCH_WSE_RANDOM, to, &error),
              &error);
    return csl_in_register(to);
}

/* @assert: the program stops where the condition is false. */
static void generate_assert(CslGenerator *self, const CslTyped *typed)
{
    const guint failed = csl_emit_label(self);
    const guint end = csl_emit_label(self);
    g_autoptr(GError) error = NULL;

    csl_generate_unless(self, typed->children[0], failed);
    csl_emit_jump(self, end);
    csl_emit_place(self, failed);
    csl_check(self, arch_wse_program_stop(self->program, &error), &error);
    csl_emit_place(self, end);
}

static bool is_any(const char *name, const char *const *names)
{
    return g_strv_contains(names, name);
}

CslNumber csl_generate_builtin(CslGenerator *self, const CslTyped *typed, guint wanted)
{
    static const char *const signals[] = {"@activate", "@block", "@unblock", NULL};
    static const char *const configs[] = {"@get_config", "@set_config",
                                          "@get_config_unchecked",
                                          "@set_config_unchecked", NULL};
    static const char *const dsds[] = {
        "@get_dsd",        "@set_dsd_base_addr",    "@set_dsd_length",
        "@set_dsd_stride", "@increment_dsd_offset", NULL};
    static const char *const ids[] = {"@get_color",
                                      "@get_local_task_id",
                                      "@get_data_task_id",
                                      "@get_input_queue",
                                      "@get_control_task_id",
                                      "@get_output_queue",
                                      "@get_ut_id",
                                      "@get_int",
                                      NULL};
    static const char *const nothing[] = {"@comptime_assert", "@comptime_print",
                                          "@set_active_prng", NULL};

    csl_emit_at(self, typed->place);
    if (is_any(typed->name, signals)) {
        signal_task(self, typed);
    } else if (is_any(typed->name, configs)) {
        return config(self, typed, wanted);
    } else if (is_any(typed->name, dsds)) {
        return csl_generate_dsd(self, typed, wanted);
    } else if (is_any(typed->name, ids)) {
        return csl_generate(self, typed->children[0], wanted);
    } else if (g_str_equal(typed->name, "@load_to_dsr")) {
        csl_generate_load_dsr(self, typed);
    } else if (g_str_has_prefix(typed->name, "@set_fifo_")) {
        csl_generate_fifo_length(self, typed);
    } else if (g_str_equal(typed->name, "@random16")) {
        return random16(self, wanted);
    } else if (g_str_equal(typed->name, "@assert")) {
        generate_assert(self, typed);
    } else if (g_str_equal(typed->name, "@map")) {
        csl_generate_map(self, typed);
    } else if (csl_is_operation(typed->name)) {
        return csl_generate_operation(self, typed, wanted);
    } else if (!is_any(typed->name, nothing)) {
        csl_code_fail(self, "the simulated PE has no %s", typed->name);
    }
    return csl_constant(0);
}
