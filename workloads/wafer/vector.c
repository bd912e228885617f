/* Vector operations as methods of `pe`. */

#include <lauxlib.h>

#include "sim/narrow.h"
#include "workloads/sandbox/arguments.h"
#include "workloads/sandbox/field.h"
#include "workloads/wafer/value.h"

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

/* The descriptor at `index`; one is made for a number. */
static guint
check_operand(lua_State *L, WaferPe *self, const char *operation, int index)
{
    GError *error = NULL;
    guint dsd = 0;

    if (lua_type(L, index) != LUA_TNUMBER || index == 2) {
        lua_pushfstring(L, "operand %d of %s", index - 1, operation);
        return wafer_value_check(L, index, WAFER_DESCRIPTOR, self->serial,
                                 lua_tostring(L, -1))
            ->number;
    }
    double value = lua_tonumber(L, index);

    if (!arch_wse_program_immediate(
            self->program, immediate_type(operation, sim_u32(index) - 3, value), value,
            &dsd, &error)) {
        sandbox_raise(L, error);
    }
    return dsd;
}

/* The task in a field, ARCH_WSE_NONE where there is none. */
static guint check_task(lua_State *L, int index, const char *name)
{
    return arguments_integer(L, index, name, ARCH_WSE_NONE, G_MAXUINT8);
}

static void check_options(lua_State *L, int index, ArchWseVector *config)
{
    static const char *const known[] = {"async", "activate", "unblock", "priority",
                                        NULL};
    static const char *const priorities[] = {[ARCH_WSE_PRIORITY_LOW] = "low",
                                             [ARCH_WSE_PRIORITY_MEDIUM] = "medium",
                                             [ARCH_WSE_PRIORITY_HIGH] = "high",
                                             NULL};

    arguments_check(L, index, known);
    config->is_async = arguments_flag(L, index, "async");
    config->activated = check_task(L, index, "activate");
    config->unblocked = check_task(L, index, "unblock");
    if (field_push(L, index, "priority") != LUA_TNIL) {
        config->priority =
            (ArchWsePriority) arguments_choice(L, index, "priority", priorities, true);
    }
    lua_pop(L, 1);
}

/* pe:NAME(destination, source, ... [, { async =, activate =, unblock =, priority = }]);
 * upvalue 1 is the name. */
static int emit(lua_State *L)
{
    WaferPe *self = wafer_pe_check(L);
    int last = lua_gettop(L);
    GError *error = NULL;
    ArchWseVector config = {
        .name = lua_tostring(L, lua_upvalueindex(1)),
        .destination = ARCH_WSE_NONE,
        .sources = {ARCH_WSE_NONE, ARCH_WSE_NONE, ARCH_WSE_NONE},
        .activated = ARCH_WSE_NONE,
        .unblocked = ARCH_WSE_NONE,
        .priority = ARCH_WSE_PRIORITY_LOW,
    };

    if (last > 1 && lua_istable(L, last)) {
        check_options(L, last, &config);
        last--;
    }
    if (last < 3 || last > 2 + SOURCES) {
        return luaL_error(L, "%s: expected a destination and 1 to %d sources",
                          config.name, SOURCES);
    }
    luaL_checkstack(L, SOURCES + 2, NULL);
    config.destination = check_operand(L, self, config.name, 2);
    for (int i = 3; i <= last; i++) {
        config.sources[i - 3] = check_operand(L, self, config.name, i);
    }
    return wafer_pe_end(L, arch_wse_program_vector(self->program, &config, &error),
                        &error);
}

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
