/* A source as scripts write it. */
#include "workloads/script/reference_source.h"

#include <lauxlib.h>

enum {
    MOST_SAMPLES = 10000000,
};

/* A place along one axis, of the table at `index`. */
static guint check_place(lua_State *L, int index, const char *name, guint count)
{
    int is_integer = 0;
    lua_Integer value;

    lua_getfield(L, index, name);
    value = lua_tointegerx(L, -1, &is_integer);
    lua_pop(L, 1);
    if (is_integer == 0 || value < 0 || value >= count) {
        luaL_error(L, "%s: expected an integer of 0 to %I", name,
                   (LUAI_UACINT) count - 1);
    }
    return (guint) value;
}

ReferenceSource reference_source_check(lua_State *L, guint nx, guint ny, guint nz)
{
    ReferenceSource source = {0};
    double *samples;

    if (lua_getfield(L, 2, "source") == LUA_TNIL) {
        return source;
    }
    const int table = lua_gettop(L);

    luaL_checktype(L, table, LUA_TTABLE);
    source.x = check_place(L, table, "x", nx);
    source.y = check_place(L, table, "y", ny);
    source.z = check_place(L, table, "z", nz);
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
    source.count = (guint) count;
    return source;
}
