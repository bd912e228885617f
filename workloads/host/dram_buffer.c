/* DRAM buffers as Lua values: a pointer behind userdata. */
#include "workloads/host/dram_buffer.h"

#include <lauxlib.h>

#include "sim/narrow.h"
#include "workloads/host/session.h"
#include "workloads/sandbox/field.h"

#define TYPE_NAME "gridloom.dram_buffer"

void dram_buffer_free(HostDramBuffer *self)
{
    arch_dram_buffer_free(self->pages);
    g_free(self);
}

const HostDramBuffer *dram_buffer_test(lua_State *L, int index)
{
    const HostDramBuffer **slot = luaL_testudata(L, index, TYPE_NAME);

    return slot != NULL ? *slot : NULL;
}

ArchDramBuffer *dram_buffer_check(lua_State *L, int index, guint chip)
{
    const HostDramBuffer **slot = luaL_checkudata(L, index, TYPE_NAME);

    if (G_UNLIKELY((*slot)->chip != chip)) {
        (void) luaL_error(L, "the DRAM buffer was made for chip %d, this is chip %d",
                          sim_i32((*slot)->chip), sim_i32(chip));
    }
    return (*slot)->pages;
}

void dram_buffer_push(lua_State *L, const HostDramBuffer *buffer)
{
    const HostDramBuffer **slot = lua_newuserdatauv(L, sizeof(gpointer), 0);

    *slot = buffer;
    luaL_setmetatable(L, TYPE_NAME);
}

void dram_buffer_write(lua_State *L, int index, guint chip, const HostBytes *bytes)
{
    ArchDramBuffer *buffer = dram_buffer_check(L, index, chip);
    GError *error = NULL;

    if (bytes->data != NULL &&
        !arch_dram_buffer_write(buffer, 0, bytes->data, bytes->count, &error)) {
        sandbox_raise(L, error);
    }
}

void dram_buffer_read(lua_State *L, int index, guint chip, HostBytes *bytes)
{
    const ArchDramBuffer *buffer = dram_buffer_check(L, index, chip);
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
    if (dram == NULL || !arch_params_has(arch_chip_params(session->chip),
                                         "dram.read_alignment_bytes")) {
        return luaL_error(L, "%s has no DRAM with banks for buffers",
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
    ArchDramBuffer *pages =
        arch_dram_buffer_new(dram, arch_chip_params(session->chip), &config, &error);
    HostDramBuffer *buffer;

    if (pages == NULL) {
        return sandbox_raise(L, error);
    }
    buffer = g_new(HostDramBuffer, 1);
    *buffer = (HostDramBuffer){pages, session->index};
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
