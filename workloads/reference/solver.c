/* Reads the arguments of reference solvers, and returns their results. */
#include "workloads/reference/solver.h"

#include <lauxlib.h>

#include "sim/narrow.h"
#include "sim/pages.h"
#include "workloads/buffer/number_array.h"
#include "workloads/sandbox/arguments.h"

static const double no_tolerance = -1;

const guint *reference_solver_merges(lua_State *L, guint count, const char *member)
{
    guint *merges;

    lua_getfield(L, 2, "merges");
    const lua_Unsigned length = lua_istable(L, -1) ? lua_rawlen(L, -1) : 0;

    luaL_argcheck(L, length == 2 * ((lua_Unsigned) count - 1), 2,
                  lua_pushfstring(L, "merges: two %ss for each but one", member));
    merges = lua_newuserdatauv(L, (size_t) (length + 1) * sizeof *merges, 0);
    for (lua_Unsigned i = 0; i < length; i++) {
        lua_rawgeti(L, -2, (lua_Integer) i + 1);
        const lua_Integer which = lua_tointeger(L, -1);

        luaL_argcheck(L, which >= 0 && which < count, 2,
                      lua_pushfstring(L, "merges: no such %s", member));
        merges[i] = sim_u32(which);
        lua_pop(L, 1);
    }
    lua_remove(L, -2);
    return merges;
}

guint reference_solver_choice(lua_State *L, const char *name, const char *const *names)
{
    lua_getfield(L, 2, name);
    const guint which = sim_u32(luaL_checkoption(L, -1, names[0], names));

    lua_pop(L, 1);
    return which;
}

double reference_solver_tolerance(lua_State *L)
{
    const bool is_given = lua_getfield(L, 2, "tolerance") != LUA_TNIL;
    const double tolerance = is_given ? luaL_checknumber(L, -1) : no_tolerance;

    lua_pop(L, 1);
    return tolerance;
}

const HostBytes *reference_solver_x(lua_State *L, const HostBytes *b)
{
    const HostBytes *x;

    lua_getfield(L, 2, "x");
    x = host_bytes_check(L, lua_gettop(L));
    luaL_argcheck(L, x->count == b->count, 2, "x differs from the buffer in length");
    return x;
}

const HostBytes *
reference_solver_buffer(lua_State *L, const char *name, const HostBytes *b)
{
    const HostBytes *buffer = NULL;

    if (lua_getfield(L, 2, name) != LUA_TNIL) {
        buffer = host_bytes_check(L, lua_gettop(L));
        if (buffer->count != b->count) {
            luaL_error(L, "%s differs from the buffer in length", name);
        }
    }
    return buffer;
}

HostBytes *reference_solver_residual(lua_State *L, const HostBytes *b)
{
    HostBytes *vector;

    if (!arguments_flag(L, 2, "vector")) {
        lua_pushnil(L);
        return NULL;
    }
    vector = host_bytes_push(L, b->count, b->data != NULL);
    return vector->data != NULL ? vector : NULL;
}

double *reference_solver_doubles(NumberFormat format, const HostBytes *bytes)
{
    const gsize count = bytes->count / number_format_bytes(format);
    double *vector = sim_pages_large(g_new(double, count), count * sizeof(double));

    number_array_get(format, vector, bytes->data, 0, count);
    return vector;
}

void reference_solver_put(NumberFormat format, HostBytes *bytes, const double *vector)
{
    const gsize count = bytes->count / number_format_bytes(format);

    number_array_put(format, bytes->data, 0, vector, count);
}

double *reference_solver_norms(lua_State *L, guint iterations)
{
    double *norms = lua_newuserdatauv(L, ((size_t) iterations + 1) * sizeof *norms, 0);

    norms[0] = 0;
    return norms;
}

void reference_solver_insert_norms(lua_State *L, const double *norms, guint done)
{
    lua_createtable(L, sim_i32(done), 1);
    for (guint i = 0; i <= done; i++) {
        lua_pushnumber(L, norms[i]);
        lua_rawseti(L, -2, i);
    }
    lua_insert(L, -2);
}
