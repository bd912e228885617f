/* Sets of PEs as scripts write them. */
#include "workloads/wafer/tiles.h"

#include <stdbool.h>

#include <lauxlib.h>

#include "workloads/sandbox/arguments.h"
#include "workloads/sandbox/field.h"

enum {
    CORNERS = 4,
};

ArchWseTiles wafer_tiles_check(lua_State *L, int index, const char *what)
{
    int part[CORNERS] = {0};
    lua_Unsigned count = lua_istable(L, index) ? lua_rawlen(L, index) : 0;
    guint named = 0;

    if (count != 2 && count != CORNERS) {
        luaL_error(L, "%s: expected { x, y } or { x0, y0, x1, y1, dx =, dy = }", what);
    }
    for (guint i = 0; i < count; i++) {
        int is_integer = 0;

        lua_rawgeti(L, index, (lua_Integer) i + 1);
        lua_Integer value = lua_tointegerx(L, -1, &is_integer);

        /* The second corner of no PEs may lie outside. */
        if (is_integer == 0 || value > G_MAXUINT16 ||
            value < (i < 2 ? 0 : -G_MAXUINT16)) {
            luaL_error(L, "%s: number %d is no column or row", what, (int) i + 1);
        }
        lua_pop(L, 1);
        part[i] = (int) value;
    }
    ArchWseTiles tiles = {
        .x0 = (guint) part[0],
        .y0 = (guint) part[1],
        .x1 = (guint) (count == 2 ? part[0] : MAX(part[2], 0)),
        .y1 = (guint) (count == 2 ? part[1] : MAX(part[3], 0)),
        .dx = arguments_count(L, index, "dx", 1, G_MAXUINT16),
        .dy = arguments_count(L, index, "dy", 1, G_MAXUINT16),
    };

    named += field_push(L, index, "dx") != LUA_TNIL ? 1 : 0;
    named += field_push(L, index, "dy") != LUA_TNIL ? 1 : 0;
    lua_pop(L, 2);
    if (field_count(L, index) != count + named) {
        luaL_error(L, "%s: it has other fields than x0, y0, x1, y1, dx and dy", what);
    }
    if (count == CORNERS && (part[2] < part[0] || part[3] < part[1])) {
        tiles.x0 = 1;
        tiles.x1 = 0;
        tiles.y0 = 0;
        tiles.y1 = 0;
    }
    return tiles;
}

static bool is_list(lua_State *L, int index)
{
    bool is_there = lua_istable(L, index) && lua_rawgeti(L, index, 1) == LUA_TTABLE;

    if (lua_istable(L, index)) {
        lua_pop(L, 1);
    }
    return is_there;
}

guint wafer_tiles_count(lua_State *L, int index)
{
    return is_list(L, index) ? (guint) lua_rawlen(L, index) : 1;
}

ArchWseTiles wafer_tiles_at(lua_State *L, int index, guint number, const char *what)
{
    if (!is_list(L, index)) {
        return wafer_tiles_check(L, index, what);
    }
    lua_pushfstring(L, "%s[%d]", what, (int) number + 1);
    lua_rawgeti(L, index, (lua_Integer) number + 1);

    ArchWseTiles tiles = wafer_tiles_check(L, lua_gettop(L), lua_tostring(L, -2));

    lua_pop(L, 2);
    return tiles;
}
