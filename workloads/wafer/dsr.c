/* Explicit DSRs as methods of `pe`. */
#include "workloads/wafer/dsr.h"

#include <lauxlib.h>

#include "sim/narrow.h"
#include "workloads/sandbox/arguments.h"
#include "workloads/sandbox/field.h"
#include "workloads/wafer/emit.h"
#include "workloads/wafer/operand.h"

enum {
    LAST_ID = 63,
    LAST_THREAD = 7,
    SIGNALS = 2,
};

static const char *const kinds[] = {"dsr_dest", "dsr_src0", "dsr_src1", NULL};
static const char *const signal_names[SIGNALS] = {"activate", "unblock"};

const WaferDsr *wafer_dsr_of(const WaferPe *self, const WaferValue *value)
{
    return &g_array_index(self->dsrs, WaferDsr, value->number);
}

ArchWseOnControl wafer_on_control_check(lua_State *L, int index, guint *task)
{
    static const char *const known[] = {"terminate", "activate", "unblock", NULL};
    const int type = field_push(L, index, "on_control");
    const int table = lua_gettop(L);
    ArchWseOnControl on_control = ARCH_WSE_CONTROL_WAITS;

    *task = ARCH_WSE_NONE;
    if (type == LUA_TNIL) {
        lua_pop(L, 1);
        return on_control;
    }
    arguments_check(L, table, known);
    if (field_count(L, table) != 1) {
        luaL_error(L, "on_control: expected one of terminate, activate and unblock");
    }
    if (arguments_flag(L, table, "terminate")) {
        on_control = ARCH_WSE_CONTROL_ENDS;
    }
    for (guint i = 0; i < SIGNALS; i++) {
        if (field_push(L, table, signal_names[i]) != LUA_TNIL) {
            *task = arguments_integer(L, table, signal_names[i], -1, G_MAXUINT8);
            on_control =
                i == 0 ? ARCH_WSE_CONTROL_ACTIVATES : ARCH_WSE_CONTROL_UNBLOCKS;
        }
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return on_control;
}

guint wafer_thread_check(lua_State *L, int index)
{
    const bool is_given = field_push(L, index, "ut_id") != LUA_TNIL;

    lua_pop(L, 1);
    return is_given ? arguments_integer(L, index, "ut_id", -1, LAST_THREAD) + 1 : 0;
}

/* The task in a field of the table at `index`, a number or a variable; false if there
 * is none. */
static bool check_signal(lua_State *L,
                         const WaferPe *self,
                         int index,
                         const char *name,
                         ArchWseOperand *task)
{
    const int type = field_push(L, index, name);

    if (type == LUA_TUSERDATA) {
        *task = wafer_in_register(
            wafer_value_check(L, lua_gettop(L), WAFER_VARIABLE, self->serial, name)
                ->number);
    } else if (type != LUA_TNIL) {
        *task =
            wafer_constant(sim_i32(arguments_integer(L, index, name, -1, G_MAXUINT8)));
    }
    lua_pop(L, 1);
    return type != LUA_TNIL;
}

/* Reads the options at 4 of a DSR. */
static void check_options(lua_State *L, const WaferPe *self, WaferDsr *dsr)
{
    static const char *const known[] = {
        "async", "save_address", "activate", "unblock", "on_control", "ut_id", NULL};

    if (lua_isnil(L, 4)) {
        return;
    }
    arguments_check(L, 4, known);
    dsr->is_async = arguments_flag(L, 4, "async");
    dsr->is_saved = arguments_flag(L, 4, "save_address");
    dsr->thread = wafer_thread_check(L, 4);
    dsr->on_control = wafer_on_control_check(L, 4, &dsr->control_task);
    for (guint i = 0; i < SIGNALS; i++) {
        if (check_signal(L, self, 4, signal_names[i], &dsr->first[i])) {
            dsr->signals[i] =
                wafer_variable_new(L, self, NULL, ARCH_WSE_U16, ARCH_WSE_NONE).number;
        }
    }
}

/* pe:get_dsr(kind, id [, { async =, save_address =, activate =, unblock =, on_control =
 * }]) */
static int get(lua_State *L)
{
    const WaferPe *self = wafer_pe_check(L);
    const lua_Integer id = luaL_checkinteger(L, 3);
    WaferDsr dsr = {
        .kind = sim_u32(luaL_checkoption(L, 2, NULL, kinds)),
        .signals = {ARCH_WSE_NONE, ARCH_WSE_NONE},
        .control_task = ARCH_WSE_NONE,
    };
    GError *error = NULL;

    luaL_argcheck(L, id >= 0 && id <= LAST_ID, 3, "not 0 to 63");
    dsr.id = sim_u32(id);
    for (guint i = 0; i < self->dsrs->len; i++) {
        const WaferDsr *other = &g_array_index(self->dsrs, WaferDsr, i);

        luaL_argcheck(L, other->kind != dsr.kind || other->id != dsr.id, 3,
                      "the program has this DSR already");
    }
    lua_settop(L, 4);
    check_options(L, self, &dsr);
    dsr.variable = wafer_pair_new(L, self, 0);
    wafer_emit_check(L,
                     arch_wse_program_register_dsd(self->program, ARCH_WSE_IN_DSD,
                                                   dsr.variable, &dsr.operand, &error),
                     &error);
    const WaferValue value = {
        .kind = WAFER_DSR, .owner = self->serial, .number = self->dsrs->len};

    g_array_append_val(self->dsrs, dsr);
    return wafer_value_push(L, &value);
}

/* Loads a register: now, or before the start. */
static void put(lua_State *L,
                const WaferPe *self,
                ArchWseType type,
                guint variable,
                ArchWseOperand from)
{
    GError *error = NULL;

    if (self->depth > 0) {
        wafer_emit_move(L, self, type, variable, from);
        return;
    }
    luaL_argcheck(L, !from.is_variable, 4, "a variable is loaded in tasks");
    wafer_emit_check(
        L, arch_wse_program_set_variable(self->program, variable, from.value, &error),
        &error);
}

/* Copies the descriptor at 3 into the DSR's registers. */
static void load_descriptor(lua_State *L, const WaferPe *self, const WaferDsr *dsr)
{
    const WaferValue *from = wafer_value_argument(L, self, 3, WAFER_DESCRIPTOR);
    GError *error = NULL;

    if (self->depth == 0) {
        const int64_t words = wafer_value_words(from);

        luaL_argcheck(L, !from->is_value, 3,
                      "a descriptor in variables is loaded in tasks");
        put(L, self, ARCH_WSE_U32, dsr->variable,
            wafer_constant(wafer_low_word(words)));
        put(L, self, ARCH_WSE_U32, dsr->variable + 1,
            wafer_constant(wafer_low_word(words >> 32)));
        return;
    }
    if (!from->is_value) {
        wafer_emit_check(L,
                         arch_wse_program_dsd_value(self->program, from->number,
                                                    dsr->variable, &error),
                         &error);
        return;
    }
    for (guint i = 0; i < 2; i++) {
        wafer_emit_move(L, self, ARCH_WSE_U32, dsr->variable + i,
                        wafer_in_register(from->increment + i));
    }
}

/* pe:load_to_dsr(dsr, descriptor [, { activate =, unblock = }]) */
static int load(lua_State *L)
{
    static const char *const known[] = {"activate", "unblock", NULL};
    const WaferPe *self = wafer_pe_check(L);
    const WaferDsr *dsr =
        wafer_dsr_of(self, wafer_value_argument(L, self, 2, WAFER_DSR));

    lua_settop(L, 4);
    if (!lua_isnil(L, 4)) {
        arguments_check(L, 4, known);
    }
    load_descriptor(L, self, dsr);
    for (guint i = 0; i < SIGNALS; i++) {
        ArchWseOperand task = dsr->first[i];
        const bool is_given =
            !lua_isnil(L, 4) && check_signal(L, self, 4, signal_names[i], &task);

        if (dsr->signals[i] != ARCH_WSE_NONE) {
            put(L, self, ARCH_WSE_U16, dsr->signals[i], task);
        } else if (is_given) {
            luaL_error(L, "%s: pe:get_dsr was not given a task to %s", signal_names[i],
                       signal_names[i]);
        }
    }
    return 0;
}

/* The task that one of several DSRs has: no task is the largest number. */
static void join_signal(lua_State *L,
                        const WaferPe *self,
                        guint variable,
                        guint *task,
                        bool *is_in_register)
{
    if (variable == ARCH_WSE_NONE) {
        return;
    }
    if (*is_in_register) {
        const guint least = wafer_variable_new(L, self, NULL, ARCH_WSE_U16, 0).number;

        wafer_emit(L, self,
                   &(WaferOperation){.name = "min",
                                     .type = ARCH_WSE_U16,
                                     .to = least,
                                     .operands = {wafer_in_register(variable),
                                                  wafer_in_register(*task)}});
        variable = least;
    }
    *task = variable;
    *is_in_register = true;
}

void wafer_dsr_join(lua_State *L,
                    const WaferPe *self,
                    const WaferDsr *dsr,
                    guint index,
                    ArchWseVector *vector)
{
    vector->is_loaded = true;
    vector->thread = vector->thread == 0 ? dsr->thread : vector->thread;
    vector->is_async |= dsr->is_async;
    join_signal(L, self, dsr->signals[0], &vector->activated,
                &vector->is_activated_in_register);
    join_signal(L, self, dsr->signals[1], &vector->unblocked,
                &vector->is_unblocked_in_register);
    if (dsr->on_control != ARCH_WSE_CONTROL_WAITS) {
        vector->on_control = dsr->on_control;
        vector->control_task = dsr->control_task;
    }
    if (dsr->is_saved) {
        vector->saved = sim_u8(vector->saved | 1U << index);
    }
}

const ApiCall wafer_dsr_methods[] = {
    {"get_dsr", get,
     "(kind: \"dsr_dest\"|\"dsr_src0\"|\"dsr_src1\", id: integer, options?: { async?: "
     "boolean, save_address?: boolean, activate?: integer|gl.Variable, unblock?: "
     "integer|gl.Variable, on_control?: gl.OnControl, ut_id?: integer }): gl.Dsr"},
    {"load_to_dsr", load,
     "(dsr: gl.Dsr, dsd: gl.Dsd, options?: { activate?: integer|gl.Variable, unblock?: "
     "integer|gl.Variable })"},
    {0},
};
