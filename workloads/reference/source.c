/* Reads a source from a script's table. */
#include "workloads/reference/source.h"

#include <lauxlib.h>

#include "sim/narrow.h"
#include "workloads/sandbox/arguments.h"

enum {
    MOST_SAMPLES = 10000000,
};

ReferenceSource reference_source_check(lua_State *L, guint nx, guint ny, guint nz)
{
    ReferenceSource source = {0};
    double *samples;

    if (lua_getfield(L, 2, "source") == LUA_TNIL) {
        return source;
    }
    const int table = lua_gettop(L);

    luaL_checktype(L, table, LUA_TTABLE);
    source.x = arguments_integer(L, table, "x", -1, (lua_Integer) nx - 1);
    source.y = arguments_integer(L, table, "y", -1, (lua_Integer) ny - 1);
    source.z = arguments_integer(L, table, "z", -1, (lua_Integer) nz - 1);
    lua_getfield(L, table, "samples");
    luaL_checktype(L, -1, LUA_TTABLE);
    const lua_Unsigned count = lua_rawlen(L, -1);

    luaL_argcheck(L, count <= MOST_SAMPLES, 2, "too many samples");
    samples = lua_newuserdatauv(L, (size_t) (count + 1) * sizeof *samples, 0);
    for (lua_Unsigned i = 0; i < count; i++) {
        lua_rawgeti(L, table + 1, (lua_Integer) i + 1);
        samples[i] = luaL_checknumber(L, -1);
        lua_pop(L, 1);
    }
    source.samples = samples;
    source.count = sim_u32(count);
    return source;
}
