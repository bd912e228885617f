/* Descriptors of streams from and to the fabric as methods of `pe`. */

#include <lauxlib.h>

#include "sim/narrow.h"
#include "workloads/sandbox/arguments.h"
#include "workloads/sandbox/field.h"
#include "workloads/sandbox/sandbox.h"
#include "workloads/wafer/emit.h"
#include "workloads/wafer/operand.h"

/* 16-bit numbers in a wavelet, and wavelets of a step. */
typedef struct {
    guint numbers;
    ArchWseWidth width;
} Simd;

static Simd check_simd(lua_State *L)
{
    static const char *const modes[] = {"none", "simd_32", "simd_64", "simd_32_or_64",
                                        NULL};
    static const Simd simds[] = {{1, ARCH_WSE_NARROW},
                                 {2, ARCH_WSE_NARROW},
                                 {2, ARCH_WSE_WIDE},
                                 {2, ARCH_WSE_WIDE_IF_ANY}};

    return simds[arguments_choice(L, 2, "simd", modes, false)];
}

/* The variable in the field `color`, or NULL if it is a number. */
static const WaferValue *find_variable(lua_State *L, const WaferPe *self)
{
    const WaferValue *variable = NULL;

    (void) field_push(L, 2, "color");
    if (wafer_value_test(L, lua_gettop(L)) != NULL) {
        variable =
            wafer_value_check(L, lua_gettop(L), WAFER_VARIABLE, self->serial, "color");
    }
    lua_pop(L, 1); /* the table keeps it alive */
    return variable;
}

static guint check_color(lua_State *L, const WaferValue *variable)
{
    return variable != NULL ? ARCH_WSE_NONE
                            : arguments_integer(L, 2, "color", -1, G_MAXUINT8);
}

/* Pushes the stream; one whose color a variable has is made here, in a task. */
static int
push(lua_State *L, const WaferPe *self, WaferValue stream, const WaferValue *color)
{
    GError *error = NULL;

    stream.kind = WAFER_DESCRIPTOR;
    stream.owner = self->serial;
    stream.increment = ARCH_WSE_NONE;
    stream.is_stream = true;
    if (arguments_flag(L, 2, "wavelet_index_offset")) {
        wafer_emit_check(
            L, arch_wse_program_indexed(self->program, stream.number, &error), &error);
    }
    if (color == NULL) {
        return wafer_value_push(L, &stream);
    }
    stream.increment = wafer_pair_new(L, self, 0);
    stream.is_value = true;
    wafer_emit_check(L,
                     arch_wse_program_dsd_value(self->program, stream.number,
                                                stream.increment, &error),
                     &error);
    wafer_emit_check(L,
                     arch_wse_program_dsd_set(self->program, stream.increment,
                                              ARCH_WSE_COLOR, true,
                                              sim_i32(color->number), &error),
                     &error);
    wafer_emit_check(L,
                     arch_wse_program_register_dsd(self->program, ARCH_WSE_IN_DSD,
                                                   stream.increment, &stream.number,
                                                   &error),
                     &error);
    return wafer_value_push(L, &stream);
}

/* pe:fabin_dsd{ color =, input_queue =, extent =, simd =, wavelet_index_offset = } */
static int make_fabin_dsd(lua_State *L)
{
    static const char *const known[] = {"color", "input_queue",          "extent",
                                        "simd",  "wavelet_index_offset", NULL};
    const WaferPe *self = wafer_pe_check(L);
    WaferValue stream = {0};
    GError *error = NULL;

    arguments_check(L, 2, known);
    const WaferValue *color = find_variable(L, self);
    const Simd simd = check_simd(L);
    const ArchWseFabinDsd config = {
        .color = check_color(L, color),
        .queue = arguments_integer(L, 2, "input_queue", -1, G_MAXUINT8),
        .extent = arguments_integer(L, 2, "extent", -1, G_MAXUINT16),
        .elements_per_wavelet = simd.numbers,
        .width = simd.width,
    };

    stream.count = config.extent;
    wafer_emit_check(
        L, arch_wse_program_fabin_dsd(self->program, &config, &stream.number, &error),
        &error);
    return push(L, self, stream, color);
}

/* pe:fabout_dsd{ color =, output_queue =, extent =, control =, advance_switch =,
 * index =, simd =, zero =, wavelet_index_offset = } */
static int make_fabout_dsd(lua_State *L)
{
    static const char *const known[] = {"color", "output_queue", "extent",
                                        "simd",  "control",      "advance_switch",
                                        "index", "zero",         "wavelet_index_offset",
                                        NULL};
    static const char *const zeroed[] = {"none", "first_source", "second_source", NULL};
    const WaferPe *self = wafer_pe_check(L);
    WaferValue stream = {0};
    GError *error = NULL;

    arguments_check(L, 2, known);
    const WaferValue *color = find_variable(L, self);
    const Simd simd = check_simd(L);
    const ArchWseFaboutDsd config = {
        .color = check_color(L, color),
        .queue = arguments_integer(L, 2, "output_queue", -1, G_MAXUINT8),
        .extent = arguments_integer(L, 2, "extent", -1, G_MAXUINT16),
        .elements_per_wavelet = simd.numbers,
        .width = simd.width,
        .is_control = arguments_flag(L, 2, "control"),
        .is_switch_advanced = arguments_flag(L, 2, "advance_switch"),
        .index = sim_u16(arguments_integer(L, 2, "index", 0, G_MAXUINT16)),
        .zeroed = sim_u8(arguments_choice(L, 2, "zero", zeroed, false)),
    };

    stream.count = config.extent;
    wafer_emit_check(
        L, arch_wse_program_fabout_dsd(self->program, &config, &stream.number, &error),
        &error);
    return push(L, self, stream, color);
}

const ApiCall wafer_fabric_methods[] = {
    {"fabin_dsd", make_fabin_dsd,
     "(options: { color: integer|gl.Variable, input_queue: integer, extent: integer, "
     "simd?: gl.Simd, wavelet_index_offset?: boolean }): gl.Dsd"},
    {"fabout_dsd", make_fabout_dsd,
     "(options: { color: integer|gl.Variable, output_queue: integer, extent: integer, "
     "simd?: gl.Simd, control?: boolean, advance_switch?: boolean, index?: "
     "integer, "
     "zero?: \"first_source\"|\"second_source\", wavelet_index_offset?: boolean }): "
     "gl.Dsd"},
    {0},
};
