/* DRAM buffers as Lua values: a pointer behind userdata. */
#include "workloads/host/dram_buffer.h"

#include <lauxlib.h>

#include "workloads/host/session.h"
#include "workloads/sandbox/field.h"

#define TYPE_NAME "gridloom.dram_buffer"

const ArchDramBuffer *dram_buffer_test(lua_State *L, int index)
{
    const ArchDramBuffer **slot = luaL_testudata(L, index, TYPE_NAME);

    return slot != NULL ? *slot : NULL;
}

const ArchDramBuffer *dram_buffer_check(lua_State *L, int index)
{
    const ArchDramBuffer **slot = luaL_checkudata(L, index, TYPE_NAME);

    return *slot;
}

void dram_buffer_push(lua_State *L, const ArchDramBuffer *buffer)
{
    const ArchDramBuffer **slot = lua_newuserdatauv(L, sizeof(gpointer), 0);

    *slot = buffer;
    luaL_setmetatable(L, TYPE_NAME);
}

void dram_buffer_write(lua_State *L, int index, const HostBytes *bytes)
{
    ArchDramBuffer **slot = luaL_checkudata(L, index, TYPE_NAME);
    GError *error = NULL;

    if (bytes->data != NULL &&
        !arch_dram_buffer_write(*slot, 0, bytes->data, bytes->count, &error)) {
        sandbox_raise(L, error);
    }
}

void dram_buffer_read(lua_State *L, int index, HostBytes *bytes)
{
    const ArchDramBuffer *buffer = dram_buffer_check(L, index);
    GError *error = NULL;

    if (bytes->data != NULL &&
        !arch_dram_buffer_read(buffer, 0, bytes->data, bytes->count, &error)) {
        sandbox_raise(L, error);
    }
}

static uint64_t check_number(lua_State *L, const char *name)
{
    int is_integer = 0;

    field_push(L, 1, name);
    lua_Integer value = lua_tointegerx(L, -1, &is_integer);

    if (is_integer == 0 || value < 1 || value > G_MAXINT32) {
        luaL_error(L, "%s: expected a positive integer", name);
    }
    lua_pop(L, 1);
    return (uint64_t) value;
}

int dram_buffer_new(lua_State *L)
{
    static const char *const known[] = {"pages", "page_bytes", "layout", "shard_pages",
                                        NULL};
    static const char *const layouts[] = {"interleaved", "sharded", NULL};
    Session *session = session_of(L);
    ArchDram *dram = arch_chip_dram(session->chip);
    GError *error = NULL;

    luaL_checktype(L, 1, LUA_TTABLE);
    if (dram == NULL) {
        return luaL_error(L, "%s has no DRAM",
                          arch_params_name(arch_chip_params(session->chip)));
    }
    if (!field_check_known(L, 1, known, &error)) {
        return sandbox_raise(L, error);
    }
    field_push(L, 1, "layout");
    bool is_sharded = luaL_checkoption(L, -1, "interleaved", layouts) == 1;
    ArchDramBufferConfig config = {
        .page_count = check_number(L, "pages"),
        .page_bytes = check_number(L, "page_bytes"),
        .shard_pages = is_sharded ? check_number(L, "shard_pages") : 1,
    };
    ArchDramBuffer *buffer =
        arch_dram_buffer_new(dram, arch_chip_params(session->chip), &config, &error);

    if (buffer == NULL) {
        return sandbox_raise(L, error);
    }
    g_ptr_array_add(session->dram_buffers, buffer);
    dram_buffer_push(L, buffer);
    return 1;
}

void dram_buffer_register(lua_State *L)
{
    luaL_newmetatable(L, TYPE_NAME);
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
}
