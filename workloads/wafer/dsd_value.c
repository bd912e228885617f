/* Descriptors in variables, which programs change, as methods of `pe`. */

#include <lauxlib.h>

#include "sim/narrow.h"
#include "workloads/sandbox/sandbox.h"
#include "workloads/wafer/emit.h"
#include "workloads/wafer/operand.h"

/* pe:dsd_value(descriptor): one like it, which can change from here on; outside of
 * tasks, from the start on. */
static int make(lua_State *L)
{
    const WaferPe *self = wafer_pe_check(L);
    const WaferValue *from = wafer_value_argument(L, self, 2, WAFER_DESCRIPTOR);
    WaferValue value = *from;
    GError *error = NULL;
    const bool is_start = self->depth == 0;

    luaL_argcheck(L, !from->is_value || !is_start, 2,
                  "a descriptor in variables is copied in tasks");
    value.increment = wafer_pair_new(L, self, is_start ? wafer_value_words(from) : 0);
    value.is_value = true;
    for (guint i = 0; from->is_value && i < 2; i++) {
        wafer_emit_move(L, self, ARCH_WSE_U32, value.increment + i,
                        wafer_in_register(from->increment + i));
    }
    if (!is_start && !from->is_value) {
        wafer_emit_check(L,
                         arch_wse_program_dsd_value(self->program, from->number,
                                                    value.increment, &error),
                         &error);
    }
    wafer_emit_check(L,
                     arch_wse_program_register_dsd(self->program, ARCH_WSE_IN_DSD,
                                                   value.increment, &value.number,
                                                   &error),
                     &error);
    return wafer_value_push(L, &value);
}

/* The descriptor in variables at 2. */
static const WaferValue *check_value(lua_State *L, const WaferPe *self)
{
    const WaferValue *value = wafer_value_argument(L, self, 2, WAFER_DESCRIPTOR);

    luaL_argcheck(L, value->is_value, 2, "pe:dsd_value makes descriptors that change");
    return value;
}

static int set(lua_State *L,
               const WaferPe *self,
               const WaferValue *value,
               ArchWseDsdField field,
               ArchWseOperand operand)
{
    GError *error = NULL;

    return wafer_pe_end(L,
                        arch_wse_program_dsd_set(self->program, value->increment, field,
                                                 operand.is_variable, operand.value,
                                                 &error),
                        &error);
}

/* pe:set_dsd_length(value, x) */
static int set_length(lua_State *L)
{
    const WaferPe *self = wafer_pe_check(L);
    const WaferValue *value = check_value(L, self);

    return set(L, self, value, ARCH_WSE_LENGTH,
               wafer_operand_check(L, self, 3, ARCH_WSE_U16));
}

/* pe:set_dsd_stride(value, x) */
static int set_stride(lua_State *L)
{
    const WaferPe *self = wafer_pe_check(L);
    const WaferValue *value = check_value(L, self);

    return set(L, self, value, ARCH_WSE_STRIDE,
               wafer_operand_check(L, self, 3, ARCH_WSE_I16));
}

/* pe:set_dsd_base_addr(value, array or address) */
static int set_base_addr(lua_State *L)
{
    const WaferPe *self = wafer_pe_check(L);
    const WaferValue *value = check_value(L, self);
    const WaferValue *array = wafer_value_test(L, 3);
    ArchWseOperand address;

    if (array != NULL && array->kind == WAFER_ARRAY) {
        array = wafer_value_argument(L, self, 3, WAFER_ARRAY);
        address = wafer_constant(sim_i32(array->address % (UINT16_MAX + 1U)));
    } else {
        address = wafer_operand_check(L, self, 3, ARCH_WSE_U16);
    }
    return set(L, self, value, ARCH_WSE_ADDRESS, address);
}

/* Numbers of the descriptor's type, at 3, in bytes. */
static ArchWseOperand
check_bytes(lua_State *L, WaferPe *self, const WaferValue *descriptor)
{
    const ArchWseOperand count = wafer_operand_check(L, self, 3, ARCH_WSE_I16);
    const int bytes = sim_i32(arch_wse_type_bytes(descriptor->type));

    if (!count.is_variable) {
        return wafer_constant(count.value * bytes);
    }
    const guint scratch = wafer_scratch(L, self);

    wafer_emit(L, self,
               &(WaferOperation){.name = "mul",
                                 .type = ARCH_WSE_I16,
                                 .to = scratch,
                                 .operands = {count, wafer_constant(bytes)}});
    return wafer_in_register(scratch);
}

/* pe:increment_dsd_offset(descriptor, x) */
static int increment_offset(lua_State *L)
{
    WaferPe *self = wafer_pe_check(L);
    const WaferValue *descriptor = wafer_value_argument(L, self, 2, WAFER_DESCRIPTOR);
    GError *error = NULL;

    if (descriptor->is_value) {
        return set(L, self, descriptor, ARCH_WSE_OFFSET,
                   check_bytes(L, self, descriptor));
    }
    const ArchWseOperand operand = wafer_operand_integer(L, self, 3);

    luaL_argcheck(L, descriptor->increment != ARCH_WSE_NONE, 2,
                  "the descriptor was made without increment = variable");
    return wafer_pe_end(
        L, arch_wse_program_add(self->program, descriptor->increment, operand, &error),
        &error);
}

/* pe:pointer(address): an operand that is the number at the address. */
static int pointer(lua_State *L)
{
    const WaferPe *self = wafer_pe_check(L);
    const ArchWseOperand address = wafer_operand_check(L, self, 2, ARCH_WSE_U16);
    WaferValue value = {
        .kind = WAFER_DESCRIPTOR, .owner = self->serial, .increment = ARCH_WSE_NONE};
    const guint variable =
        address.is_variable
            ? sim_u32(address.value)
            : wafer_variable_new(L, self, NULL, ARCH_WSE_U16, address.value).number;
    GError *error = NULL;

    wafer_emit_check(L,
                     arch_wse_program_register_dsd(self->program, ARCH_WSE_IN_ADDRESS,
                                                   variable, &value.number, &error),
                     &error);
    return wafer_value_push(L, &value);
}

const ApiCall wafer_dsd_value_methods[] = {
    {"dsd_value", make, "(dsd: gl.Dsd): gl.Dsd"},
    {"set_dsd_length", set_length, "(dsd: gl.Dsd, length: integer|gl.Variable)"},
    {"set_dsd_stride", set_stride, "(dsd: gl.Dsd, stride: integer|gl.Variable)"},
    {"set_dsd_base_addr", set_base_addr,
     "(dsd: gl.Dsd, base: gl.Array|integer|gl.Variable)"},
    {"increment_dsd_offset", increment_offset,
     "(dsd: gl.Dsd, value: integer|gl.Variable)"},
    {"pointer", pointer, "(address: integer|gl.Variable): gl.Dsd"},
    {0},
};
