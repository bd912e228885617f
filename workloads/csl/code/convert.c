/* Generates conversions between types: @as, @bitcast, and pointers that convert. */
#include "workloads/csl/code/emit.h"
#include "workloads/csl/code/expression.h"
#include "workloads/csl/code/generator.h"
#include "workloads/csl/code/registers.h"

/* The unsigned or signed integer with a type's bits: how registers extend it. */
static ArchWseType extension(ArchWseType type)
{
    switch (+type) {
    case ARCH_WSE_F16:
        return ARCH_WSE_U16;
    case ARCH_WSE_F32:
        return ARCH_WSE_U32;
    default:
        return type;
    }
}

CslNumber csl_generate_convert(CslGenerator *self, const CslTyped *typed, guint wanted)
{
    const CslTyped *operand = typed->children[0];
    ArchWseType from = csl_machine_type(self, operand->type);
    ArchWseType into = csl_machine_type(self, typed->type);
    const CslNumber number = csl_generate(self, operand, CSL_ANYWHERE_ELSE);
    guint to;

    if (typed->kind == CSL_TYPED_BITCAST) {
        if (typed->type->kind == CSL_KIND_POINTER &&
            operand->type->kind != CSL_KIND_POINTER) {
            arch_wse_program_map_config(self->program);
        }
        from = extension(from);
        into = extension(into);
    }
    if (from == into && typed->type->kind != CSL_KIND_BOOL) {
        return number;
    }
    if (typed->kind == CSL_TYPED_BITCAST &&
        (arch_wse_type_bytes(from) == 4 || arch_wse_type_bytes(from) == 8)) {
        return number; /* the same bits in the same registers */
    }
    to = csl_target(self, typed->type, wanted);
    if (typed->type->kind == CSL_KIND_BOOL) {
        csl_emit_operate(self, "ne", from, to, number, csl_constant(0));
    } else {
        csl_emit_convert(self, from, into, to, number);
    }
    return csl_in_register(to);
}
