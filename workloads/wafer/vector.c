/* Vector operations as methods of `pe`. */

#include <lauxlib.h>

#include "sim/narrow.h"
#include "workloads/sandbox/arguments.h"
#include "workloads/sandbox/field.h"
#include "workloads/wafer/dsr.h"
#include "workloads/wafer/emit.h"
#include "workloads/wafer/operand.h"

enum {
    SOURCES = 3,
};

/* The type of a number that stands for source `source` of an operation. */
static ArchWseType immediate_type(const char *operation, guint source, double value)
{
    bool is_mixed = g_str_has_suffix(operation, "hs");

    if (g_str_has_suffix(operation, "16") || g_str_equal(operation, "popcnt") ||
        g_str_equal(operation, "clz") || g_str_equal(operation, "ctz") ||
        (g_str_has_prefix(operation, "fscale") && source == 1)) {
        return value < 0 ? ARCH_WSE_I16 : ARCH_WSE_U16;
    }
    if (g_str_has_suffix(operation, "32")) {
        return value < 0 ? ARCH_WSE_I32 : ARCH_WSE_U32;
    }
    if (g_str_equal(operation, "fs2h") || (is_mixed && source == 0)) {
        return ARCH_WSE_F32;
    }
    return is_mixed || g_str_equal(operation, "fh2s") ||
                   g_str_has_suffix(operation, "h")
               ? ARCH_WSE_F16
               : ARCH_WSE_F32;
}

/* The descriptor of a variable, whose number stands for every element. */
static guint variable_operand(lua_State *L,
                              const WaferPe *self,
                              const char *operation,
                              const WaferValue *variable,
                              int index)
{
    const ArchWseType type = immediate_type(operation, sim_u32(index) - 3, 0);
    const bool is_float = type == ARCH_WSE_F16 || type == ARCH_WSE_F32;
    GError *error = NULL;
    guint dsd = 0;

    if (is_float) {
        (void) wafer_variable_check(L, self, index, type);
    }
    wafer_emit_check(L,
                     arch_wse_program_register_dsd(self->program, ARCH_WSE_IN_SCALAR,
                                                   variable->number, &dsd, &error),
                     &error);
    return dsd;
}

static guint
number_operand(lua_State *L, const WaferPe *self, const char *operation, int index)
{
    const double value = lua_tonumber(L, index);
    GError *error = NULL;
    guint dsd = 0;

    wafer_emit_check(
        L,
        arch_wse_program_immediate(self->program,
                                   immediate_type(operation, sim_u32(index) - 3, value),
                                   value, &dsd, &error),
        &error);
    return dsd;
}

/* The descriptor at `index`; one is made for a number or a variable. */
static guint
check_operand(lua_State *L, const WaferPe *self, ArchWseVector *vector, int index)
{
    const WaferValue *value = wafer_value_test(L, index);
    const bool is_source = index > 2;

    if (lua_type(L, index) == LUA_TNUMBER && is_source) {
        return number_operand(L, self, vector->name, index);
    }
    if (value != NULL && value->owner == self->serial && value->kind == WAFER_DSR) {
        const WaferDsr *dsr = wafer_dsr_of(self, value);

        wafer_dsr_join(L, self, dsr, sim_u32(index) - 2, vector);
        return dsr->operand;
    }
    if (value != NULL && value->owner == self->serial &&
        value->kind == WAFER_VARIABLE && is_source) {
        return variable_operand(L, self, vector->name, value, index);
    }
    lua_pushfstring(L, "operand %d of %s", index - 1, vector->name);
    return wafer_value_check(L, index, WAFER_DESCRIPTOR, self->serial,
                             lua_tostring(L, -1))
        ->number;
}

/* The task in a field, a number or a variable; nothing where there is none. */
static void check_task(lua_State *L,
                       const WaferPe *self,
                       const char *name,
                       guint *task,
                       bool *is_in_register)
{
    const int options = lua_gettop(L);
    const int type = field_push(L, options, name);

    if (type == LUA_TUSERDATA) {
        *task = wafer_value_check(L, options + 1, WAFER_VARIABLE, self->serial, name)
                    ->number;
        *is_in_register = true;
    } else if (type != LUA_TNIL) {
        *task = arguments_integer(L, options, name, -1, G_MAXUINT8);
        *is_in_register = false;
    }
    lua_pop(L, 1);
}

/* The index on top of the stack. */
static ArchWseOperand check_index(lua_State *L, const WaferPe *self)
{
    const int top = lua_gettop(L);

    return lua_type(L, top) == LUA_TNUMBER
               ? wafer_constant(sim_i32(wafer_number_check(L, top, ARCH_WSE_U16,
                                                           "index", " or a variable")))
               : wafer_in_register(
                     wafer_value_check(L, top, WAFER_VARIABLE, self->serial, "index")
                         ->number);
}

/* The options of an operation, in the table on top of the stack. */
static void check_options(lua_State *L, const WaferPe *self, ArchWseVector *config)
{
    static const char *const known[] = {"async",    "activate",   "unblock",
                                        "priority", "on_control", "tried",
                                        "index",    "ut_id",      NULL};
    static const char *const priorities[] = {[ARCH_WSE_PRIORITY_LOW] = "low",
                                             [ARCH_WSE_PRIORITY_MEDIUM] = "medium",
                                             [ARCH_WSE_PRIORITY_HIGH] = "high",
                                             NULL};
    const int index = lua_gettop(L);
    guint control_task = ARCH_WSE_NONE;

    arguments_check(L, index, known);
    config->is_async |= arguments_flag(L, index, "async");
    check_task(L, self, "activate", &config->activated,
               &config->is_activated_in_register);
    check_task(L, self, "unblock", &config->unblocked,
               &config->is_unblocked_in_register);
    const ArchWseOnControl on_control = wafer_on_control_check(L, index, &control_task);

    if (on_control != ARCH_WSE_CONTROL_WAITS) {
        config->on_control = on_control;
        config->control_task = control_task;
    }
    config->thread = MAX(wafer_thread_check(L, index), config->thread);
    config->has_index = field_push(L, index, "index") != LUA_TNIL;
    if (config->has_index) {
        config->index = check_index(L, self);
    }
    lua_pop(L, 1);
    config->is_tried = field_push(L, index, "tried") != LUA_TNIL;
    if (config->is_tried) {
        config->tried =
            wafer_value_check(L, index + 1, WAFER_VARIABLE, self->serial, "tried")
                ->number;
        if (config->is_async) {
            luaL_error(L, "tried: an asynchronous operation waits for a FIFO");
        }
    }
    lua_pop(L, 1);
    if (field_push(L, index, "priority") != LUA_TNIL) {
        config->priority =
            (ArchWsePriority) arguments_choice(L, index, "priority", priorities, true);
    }
    lua_pop(L, 1);
}

static ArchWseVector new_vector(const char *name)
{
    return (ArchWseVector){
        .name = name,
        .destination = ARCH_WSE_NONE,
        .sources = {ARCH_WSE_NONE, ARCH_WSE_NONE, ARCH_WSE_NONE},
        .activated = ARCH_WSE_NONE,
        .unblocked = ARCH_WSE_NONE,
        .control_task = ARCH_WSE_NONE,
        .priority = ARCH_WSE_PRIORITY_LOW,
    };
}

/* pe:NAME(destination, source, ... [, { async =, activate =, unblock =, priority =,
 * on_control =, tried =, index =, ut_id = }]); upvalue 1 is the name. */
static int emit(lua_State *L)
{
    WaferPe *self = wafer_pe_check(L);
    int last = lua_gettop(L);
    const bool has_options = last > 1 && lua_istable(L, last);
    GError *error = NULL;
    ArchWseVector config = new_vector(lua_tostring(L, lua_upvalueindex(1)));

    last -= has_options ? 1 : 0;
    if (last < 3 || last > 2 + SOURCES) {
        return luaL_error(L, "%s: expected a destination and 1 to %d sources",
                          config.name, SOURCES);
    }
    luaL_checkstack(L, SOURCES + 2, NULL);
    config.destination = check_operand(L, self, &config, 2);
    for (int i = 3; i <= last; i++) {
        config.sources[i - 3] = check_operand(L, self, &config, i);
    }
    if (has_options) {
        lua_pushvalue(L, last + 1);
        check_options(L, self, &config);
    }
    return wafer_pe_end(L, arch_wse_program_vector(self->program, &config, &error),
                        &error);
}

/* The descriptor of the number into which all goes that is dropped. */
static guint dropped(lua_State *L, WaferPe *self)
{
    ArchWseMemoryDsd word = {.rank = 1, .extents = {1}, .variable = ARCH_WSE_NONE};
    GError *error = NULL;
    guint dsd = 0;

    if (self->dropped == ARCH_WSE_NONE) {
        wafer_emit_check(L,
                         arch_wse_program_array(self->program, "@dfilt", ARCH_WSE_U32,
                                                1, 0, &self->dropped, &error),
                         &error);
    }
    word.array = self->dropped;
    wafer_emit_check(L, arch_wse_program_memory_dsd(self->program, &word, &dsd, &error),
                     &error);
    return dsd;
}

/* pe:dfilt(fabin, controls [, { async =, activate =, ... }]) */
static int dfilt(lua_State *L)
{
    WaferPe *self = wafer_pe_check(L);
    const WaferValue *from = wafer_value_argument(L, self, 2, WAFER_DESCRIPTOR);
    const lua_Integer controls = luaL_checkinteger(L, 3);
    GError *error = NULL;
    ArchWseVector config = new_vector("mov32");

    luaL_argcheck(L, from->is_stream, 2, "expected a fabin_dsd");
    luaL_argcheck(L, controls > 0 && controls <= G_MAXUINT16, 3, "not 1 to 65535");
    lua_settop(L, 4);
    config.destination = dropped(L, self);
    config.sources[0] = from->number;
    if (!lua_isnil(L, 4)) {
        check_options(L, self, &config);
    }
    luaL_argcheck(L, config.on_control == ARCH_WSE_CONTROL_WAITS, 4,
                  "on_control: control wavelets end it");
    config.on_control = ARCH_WSE_CONTROL_ENDS;
    config.control_count = sim_u32(controls);
    return wafer_pe_end(L, arch_wse_program_vector(self->program, &config, &error),
                        &error);
}

const ApiCall wafer_filter_methods[] = {
    {"dfilt", dfilt, "(from: gl.Dsd, controls: integer, options?: gl.VectorOptions)"},
    {0},
};

#define ONE "(to: gl.Dsd, a: gl.Operand, options?: gl.VectorOptions)"
#define TWO "(to: gl.Dsd, a: gl.Operand, b: gl.Operand, options?: gl.VectorOptions)"
#define THREE                                                                          \
    "(to: gl.Dsd, a: gl.Operand, b: gl.Operand, c: gl.Operand, "                       \
    "options?: gl.VectorOptions)"

/* As arch/wse_program.h lists them. */
static const ApiCall operations[] = {
    {"fmovs", emit, ONE},   {"fadds", emit, TWO},    {"fsubs", emit, TWO},
    {"fmuls", emit, TWO},   {"fmacs", emit, THREE},  {"fmaxs", emit, TWO},
    {"fnegs", emit, ONE},   {"fabss", emit, ONE},    {"fmovh", emit, ONE},
    {"faddh", emit, TWO},   {"fsubh", emit, TWO},    {"fmulh", emit, TWO},
    {"fmach", emit, THREE}, {"fmaxh", emit, TWO},    {"fnegh", emit, ONE},
    {"fabsh", emit, ONE},   {"fh2s", emit, ONE},     {"fs2h", emit, ONE},
    {"faddhs", emit, TWO},  {"fmachs", emit, THREE}, {"mov16", emit, ONE},
    {"mov32", emit, ONE},   {"add16", emit, TWO},    {"sub16", emit, TWO},
    {"and16", emit, TWO},   {"or16", emit, TWO},     {"xor16", emit, TWO},
    {"sll16", emit, TWO},   {"slr16", emit, TWO},    {"sar16", emit, TWO},
    {"clz", emit, ONE},     {"ctz", emit, ONE},      {"popcnt", emit, ONE},
    {"fscales", emit, TWO}, {"fscaleh", emit, TWO},
};

bool wafer_vector_at(guint index, ApiCall *call)
{
    if (index < G_N_ELEMENTS(operations)) {
        *call = operations[index];
    }
    return index < G_N_ELEMENTS(operations);
}

void wafer_vector_register(lua_State *L)
{
    for (guint i = 0; i < G_N_ELEMENTS(operations); i++) {
        lua_pushstring(L, operations[i].name);
        lua_pushcclosure(L, emit, 1);
        lua_setfield(L, -2, operations[i].name);
    }
}
