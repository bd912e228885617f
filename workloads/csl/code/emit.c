/* Adds instructions to a program of the machine, and reports what it refuses. */
#include "workloads/csl/code/emit.h"

#include <stdarg.h>

#include "sim/narrow.h"
#include "workloads/csl/code/expression.h"
#include "workloads/csl/code/generator.h"
#include "workloads/csl/code/registers.h"

void csl_code_fail(CslGenerator *self, const char *format, ...)
{
    va_list arguments;
    g_autofree char *text = NULL;

    va_start(arguments, format);
    text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    self->has_failed = true;
    csl_report(self->source->to, CSL_ERROR, self->place, "%s", text);
}

void csl_check(CslGenerator *self, bool is_well, GError **error)
{
    if (!is_well) {
        csl_code_fail(self, "%s", *error == NULL ? "refused" : (*error)->message);
    }
    g_clear_error(error);
}

void csl_emit_at(CslGenerator *self, CslPlace place)
{
    const CslPosition position = csl_place_position(place);

    self->place = place;
    arch_wse_program_at(self->program,
                        (ArchPlace){csl_source_name(place.source), position.line});
}

guint csl_new_register(CslGenerator *self, const char *name, int32_t value)
{
    g_autoptr(GError) error = NULL;
    guint variable = 0;

    csl_check(self,
              arch_wse_program_variable(self->program, name, value, &variable, &error),
              &error);
    return variable;
}

ArchWseOperand csl_operand(CslGenerator *self, CslNumber number, ArchWseType type)
{
    if (!number.is_constant) {
        return (ArchWseOperand){.is_variable = true, .value = sim_i32(number.variable)};
    }
    if ((type == ARCH_WSE_I64 || type == ARCH_WSE_U64) &&
        number.bits != csl_low_word(number.bits)) {
        const guint pair = csl_take(self, CSL_T(U64));

        csl_move(self, CSL_T(U64), pair, number);
        return csl_operand(self, csl_in_register(pair), type);
    }
    return (ArchWseOperand){.value = csl_low_word(number.bits)};
}

void csl_emit_operate(CslGenerator *self,
                      const char *name,
                      ArchWseType type,
                      guint to,
                      CslNumber a,
                      CslNumber b)
{
    const ArchWseOperand operands[] = {csl_operand(self, a, type),
                                       csl_operand(self, b, type)};
    g_autoptr(GError) error = NULL;

    csl_check(self,
              arch_wse_program_operate(self->program, name, type, to, operands, &error),
              &error);
}

void csl_emit_convert(
    CslGenerator *self, ArchWseType from, ArchWseType into, guint to, CslNumber number)
{
    g_autoptr(GError) error = NULL;

    csl_check(self,
              arch_wse_program_convert(self->program, from, into, to,
                                       csl_operand(self, number, from), &error),
              &error);
}

void csl_emit_load(CslGenerator *self,
                   ArchWseType type,
                   guint to,
                   const CslCodeSpot *from)
{
    g_autoptr(GError) error = NULL;

    csl_check(self,
              arch_wse_program_load(self->program, type, to,
                                    csl_operand(self, from->base, ARCH_WSE_U16),
                                    from->offset, &error),
              &error);
}

void csl_emit_store(CslGenerator *self,
                    ArchWseType type,
                    CslNumber number,
                    const CslCodeSpot *to)
{
    g_autoptr(GError) error = NULL;

    csl_check(self,
              arch_wse_program_store(
                  self->program, type, csl_operand(self, number, type),
                  csl_operand(self, to->base, ARCH_WSE_U16), to->offset, &error),
              &error);
}

guint csl_emit_label(CslGenerator *self)
{
    g_autoptr(GError) error = NULL;
    guint label = 0;

    csl_check(self, arch_wse_program_label(self->program, &label, &error), &error);
    return label;
}

void csl_emit_place(CslGenerator *self, guint label)
{
    g_autoptr(GError) error = NULL;

    csl_check(self, arch_wse_program_place(self->program, label, &error), &error);
}

void csl_emit_jump(CslGenerator *self, guint label)
{
    g_autoptr(GError) error = NULL;

    csl_check(self, arch_wse_program_jump(self->program, label, &error), &error);
}

void csl_emit_jump_if(CslGenerator *self, CslNumber number, bool is_zero, guint label)
{
    g_autoptr(GError) error = NULL;

    if (number.is_constant) {
        if ((number.bits == 0) == is_zero) {
            csl_emit_jump(self, label);
        }
        return;
    }
    csl_check(self,
              arch_wse_program_jump_if(self->program, number.variable, is_zero, label,
                                       &error),
              &error);
}
