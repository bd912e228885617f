/* A layout as a Lua type: which PEs run what, and how their routers treat colors. */
#include "workloads/wafer/layout.h"

#include <lauxlib.h>

#include "workloads/host/type.h"
#include "workloads/wafer/color.h"
#include "workloads/wafer/pe.h"
#include "workloads/wafer/tiles.h"

#define TYPE_NAME "gridloom.wafer_layout"

typedef struct {
    Session *session;
    ArchWseLayout *layout; /* NULL when it is complete */
    guint columns;
    guint rows;
    guint iterations;
    bool is_slice;
} Layout;

/* What a layout is to be, and what became of it. */
typedef struct {
    Session *session;
    guint columns;
    guint rows;
    guint iterations;
    bool is_slice;
    ArchWseLayout *made;
} Request;

static Layout *check_layout(lua_State *L)
{
    Layout *self = luaL_checkudata(L, 1, TYPE_NAME);

    if (self->layout == NULL) {
        luaL_error(L, "the layout is complete: its function has ended");
    }
    return self;
}

/* layout:set_tile_code(tiles or a list of them, name, function(pe)) */
static int set_tile_code(lua_State *L)
{
    Layout *self = check_layout(L);
    guint count = wafer_tiles_count(L, 2);
    ArchWseProgram *program = NULL;
    GError *error = NULL;

    for (guint i = 0; i < count; i++) {
        (void) wafer_tiles_at(L, 2, i, "tiles");
    }
    const char *name = luaL_checkstring(L, 3);

    luaL_checktype(L, 4, LUA_TFUNCTION);
    lua_settop(L, 4);
    WaferPe *pe = wafer_pe_push(L, self->session, name);

    lua_pushvalue(L, 4);
    lua_pushvalue(L, 5);
    lua_call(L, 1, 0);
    program = wafer_pe_steal(L, pe);
    for (guint i = 0; i < count; i++) {
        if (!arch_wse_layout_set_tile_code(
                self->layout, wafer_tiles_at(L, 2, i, "tiles"), program, &error)) {
            return sandbox_raise(L, error);
        }
    }
    return 0;
}

/* layout:set_color_config(tiles, color, { routes =, switches =, filter =, teardown =,
 * names = }) */
static int set_color_config(lua_State *L)
{
    Layout *self = check_layout(L);
    ArchWseTiles tiles = wafer_tiles_check(L, 2, "tiles");
    guint color = wafer_pe_number(L, 3);
    ArchWseColorConfig config = wafer_color_check(L, 4);
    GError *error = NULL;

    return wafer_pe_end(
        L,
        arch_wse_layout_set_color_config(self->layout, tiles, color, &config, &error),
        &error);
}

/* layout.columns, layout.rows, layout.iterations, layout.is_slice, and its methods,
 * which are upvalue 1. */
static int get(lua_State *L)
{
    const Layout *self = luaL_checkudata(L, 1, TYPE_NAME);
    const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";

    if (g_str_equal(name, "columns")) {
        lua_pushinteger(L, self->columns);
    } else if (g_str_equal(name, "rows")) {
        lua_pushinteger(L, self->rows);
    } else if (g_str_equal(name, "iterations")) {
        lua_pushinteger(L, self->iterations);
    } else if (g_str_equal(name, "is_slice")) {
        lua_pushboolean(L, self->is_slice);
    } else {
        return host_type_method(L);
    }
    return 1;
}

static int collect(lua_State *L)
{
    Layout *self = luaL_checkudata(L, 1, TYPE_NAME);

    g_clear_pointer(&self->layout, arch_wse_layout_free);
    return 0;
}

void wafer_layout_register(lua_State *L)
{
    static const luaL_Reg methods[] = {{"set_tile_code", set_tile_code},
                                       {"set_color_config", set_color_config},
                                       {"encode_payload", wafer_color_encode_payload},
                                       {NULL, NULL}};

    wafer_pe_register(L);
    host_type_register(
        L, &(HostType){
               .name = TYPE_NAME, .methods = methods, .get = get, .collect = collect});
}

/* Lua function: calls argument 1 with the layout that argument 2, a Request, wants. */
static int make_layout(lua_State *L)
{
    Request *request = lua_touserdata(L, 2);
    Layout *self = lua_newuserdatauv(L, sizeof *self, 0);
    GError *error = NULL;

    *self = (Layout){.session = request->session,
                     .columns = request->columns,
                     .rows = request->rows,
                     .iterations = request->iterations,
                     .is_slice = request->is_slice};
    luaL_setmetatable(L, TYPE_NAME);
    self->layout = arch_wse_layout_new(arch_chip_params(request->session->chip),
                                       request->columns, request->rows, &error);
    if (self->layout == NULL) {
        return sandbox_raise(L, error);
    }
    lua_pushvalue(L, 1);
    lua_pushvalue(L, 3);
    lua_call(L, 1, 0);
    request->made = g_steal_pointer(&self->layout);
    return 0;
}

ArchWseLayout *wafer_layout_build(
    gpointer data, guint columns, guint rows, guint iterations, GError **error)
{
    const WaferBuilder *self = data;
    lua_State *L = self->state;
    Request request = {.session = self->session,
                       .columns = columns,
                       .rows = rows,
                       .iterations = iterations,
                       .is_slice = self->is_slice};

    lua_pushcfunction(L, make_layout);
    lua_pushvalue(L, self->function);
    lua_pushlightuserdata(L, &request);
    self->session->run->inside = "layout";
    bool is_made = sandbox_call(L, 2, 0, error);

    self->session->run->inside = NULL;
    return is_made ? request.made : NULL;
}
