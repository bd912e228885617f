/* Emits scalar instructions for methods of `pe`. */
#include "workloads/wafer/emit.h"

#include "sim/narrow.h"
#include "workloads/sandbox/sandbox.h"

void wafer_emit_check(lua_State *L, bool is_done, GError **error)
{
    if (!is_done) {
        sandbox_raise(L, *error);
    }
}

void wafer_emit(lua_State *L, const WaferPe *self, const WaferOperation *operation)
{
    GError *error = NULL;

    wafer_emit_check(L,
                     arch_wse_program_operate(self->program, operation->name,
                                              operation->type, operation->to,
                                              operation->operands, &error),
                     &error);
}

void wafer_emit_move(
    lua_State *L, const WaferPe *self, ArchWseType type, guint to, ArchWseOperand from)
{
    if (!from.is_variable || sim_u32(from.value) != to) {
        wafer_emit(L, self,
                   &(WaferOperation){
                       .name = "mov", .type = type, .to = to, .operands = {from}});
    }
}

guint wafer_emit_label(lua_State *L, const WaferPe *self)
{
    GError *error = NULL;
    guint label = 0;

    wafer_emit_check(L, arch_wse_program_label(self->program, &label, &error), &error);
    return label;
}

void wafer_emit_place(lua_State *L, const WaferPe *self, guint label)
{
    GError *error = NULL;

    wafer_emit_check(L, arch_wse_program_place(self->program, label, &error), &error);
}

void wafer_emit_jump(lua_State *L, const WaferPe *self, guint label)
{
    GError *error = NULL;

    wafer_emit_check(L, arch_wse_program_jump(self->program, label, &error), &error);
}

void wafer_emit_jump_if(
    lua_State *L, const WaferPe *self, guint variable, bool is_zero, guint label)
{
    GError *error = NULL;

    wafer_emit_check(
        L, arch_wse_program_jump_if(self->program, variable, is_zero, label, &error),
        &error);
}
