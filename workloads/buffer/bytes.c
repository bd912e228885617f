/* Host memory as a Lua type: buffer:fill(seed), buffer:byte(i), #buffer, ... */
#include "workloads/buffer/bytes.h"

#include <lauxlib.h>

#include "sim/error.h"
#include "sim/narrow.h"
#include "sim/pages.h"
#include "workloads/error.h"

#define TYPE_NAME "gridloom.buffer"
#define NO_MEMORY "host.buffer: no memory for %I bytes"

HostBytes *host_bytes_ref(HostBytes *self)
{
    g_atomic_ref_count_inc(&self->references);
    return self;
}

/* Bytes that count as the run's memory. */
static int64_t accounted(uint64_t count)
{
    return sim_pages_is_filed(count) ? 0 : (int64_t) count;
}

void host_bytes_unref(HostBytes *self)
{
    if (g_atomic_ref_count_dec(&self->references)) {
        if (self->data != NULL) {
            (void) sandbox_account(self->sandbox, -accounted(self->count));
            sim_shared_unref(self->shared);
        }
        g_free(self);
    }
}

HostBytes *host_bytes_check(lua_State *L, int index)
{
    HostBytes **slot = luaL_checkudata(L, index, TYPE_NAME);

    return *slot;
}

HostBytes *host_bytes_test(lua_State *L, int index)
{
    HostBytes **slot = luaL_testudata(L, index, TYPE_NAME);

    return slot != NULL ? *slot : NULL;
}

/* Nobody else holds what it holds. Returns false if there is no memory. */
static bool make_own(HostBytes *self)
{
    const bool is_own = self->shared == NULL || sim_shared_make_own(&self->shared);

    self->data = self->shared != NULL ? self->shared->data : NULL;
    return is_own;
}

HostBytes *host_bytes_check_writable(lua_State *L, int index)
{
    HostBytes *self = host_bytes_check(L, index);

    luaL_argcheck(L, g_atomic_int_get(&self->readers) == 0, index,
                  "a reference under way reads this buffer, ask for its results first");
    if (!make_own(self)) {
        luaL_error(L, NO_MEMORY, (LUAI_UACINT) self->count);
    }
    return self;
}

bool host_bytes_can_change(HostBytes *self, GError **error)
{
    if (g_atomic_int_get(&self->readers) == 0) {
        return make_own(self) ||
               sim_fail(error, WL_ERROR, WL_ERROR_RUNTIME,
                        "a buffer: no memory for %" G_GUINT64_FORMAT " bytes",
                        self->count);
    }
    g_set_error_literal(error, WL_ERROR, WL_ERROR_RUNTIME,
                        "what was to be written into a buffer came while a reference "
                        "under way reads it: ask for its results first");
    return false;
}

HostBytes *host_bytes_push(lua_State *L, uint64_t count, bool has_data)
{
    WlSandbox *sandbox = sandbox_of(L);
    HostBytes **slot = lua_newuserdatauv(L, sizeof(gpointer), 0);
    SimShared *shared;

    *slot = NULL;
    luaL_setmetatable(L, TYPE_NAME);
    if (has_data &&
        (count > INT64_MAX || !sandbox_account(sandbox, accounted(count)))) {
        sandbox_check(L);
    }
    shared = has_data && count > 0 ? sim_shared_new(count) : NULL;
    if (has_data && count > 0 && shared == NULL) {
        (void) sandbox_account(sandbox, -accounted(count));
        luaL_error(L, NO_MEMORY, (LUAI_UACINT) count);
    }
    *slot = g_new0(HostBytes, 1);
    g_atomic_ref_count_init(&(*slot)->references);
    (*slot)->sandbox = sandbox;
    (*slot)->count = count;
    (*slot)->shared = shared;
    (*slot)->data = shared != NULL ? shared->data : NULL;
    return *slot;
}

void host_bytes_push_same(lua_State *L, HostBytes *bytes)
{
    HostBytes **slot = lua_newuserdatauv(L, sizeof(gpointer), 0);

    *slot = host_bytes_ref(bytes);
    luaL_setmetatable(L, TYPE_NAME);
}

void host_bytes_hand_over(HostBytes *self, WlSandbox *to)
{
    if (self->data != NULL) {
        sandbox_hand_over(self->sandbox, to, (uint64_t) accounted(self->count));
    }
    self->sandbox = to;
}

static int collect(lua_State *L)
{
    HostBytes **slot = luaL_checkudata(L, 1, TYPE_NAME);

    if (*slot != NULL) {
        host_bytes_unref(*slot);
        *slot = NULL;
    }
    return 0;
}

static int length(lua_State *L)
{
    lua_pushinteger(L, (lua_Integer) host_bytes_check(L, 1)->count);
    return 1;
}

/* buffer:fill(seed): bytes that follow from the seed alone. */
static int fill(lua_State *L)
{
    HostBytes *self = host_bytes_check_writable(L, 1);
    uint64_t state = (uint64_t) luaL_checkinteger(L, 2);

    for (uint64_t i = 0; self->data != NULL && i < self->count; i++) {
        /* A 64-bit linear congruential step (Knuth); its high byte is well mixed. */
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        self->data[i] = sim_u8(state >> 56);
    }
    return 0;
}

static uint64_t check_position(lua_State *L, const HostBytes *self, int index)
{
    lua_Integer position = luaL_checkinteger(L, index);

    luaL_argcheck(L, position >= 0 && (uint64_t) position < self->count, index,
                  "outside the buffer");
    return (uint64_t) position;
}

/* buffer:byte(i): counted from 0, as addresses are. */
static int get_byte(lua_State *L)
{
    HostBytes *self = host_bytes_check(L, 1);
    uint64_t position = check_position(L, self, 2);

    lua_pushinteger(L, self->data != NULL ? self->data[position] : 0);
    return 1;
}

static int set_byte(lua_State *L)
{
    HostBytes *self = host_bytes_check_writable(L, 1);
    uint64_t position = check_position(L, self, 2);
    lua_Integer value = luaL_checkinteger(L, 3);

    luaL_argcheck(L, value >= 0 && value <= G_MAXUINT8, 3, "a byte is 0..255");
    if (self->data != NULL) {
        self->data[position] = sim_u8(value);
    }
    return 0;
}

/* buffer:differing(other): how many bytes differ. */
static int differing(lua_State *L)
{
    const HostBytes *self = host_bytes_check(L, 1);
    const HostBytes *other = host_bytes_check(L, 2);
    lua_Integer count = 0;

    luaL_argcheck(L, self->count == other->count, 2, "the buffers differ in length");
    for (uint64_t i = 0; self->data != NULL && other->data != NULL && i < self->count;
         i++) {
        count += self->data[i] != other->data[i];
    }
    lua_pushinteger(L, count);
    return 1;
}

const ApiCall bytes_methods[] = {
    {"fill", fill, "(seed: integer)"},
    {"byte", get_byte, "(i: integer): integer"},
    {"set_byte", set_byte, "(i: integer, value: integer)"},
    {"differing", differing, "(other: gl.Buffer): integer"},
    {0},
};

void host_bytes_register(lua_State *L, const ApiClass *api)
{
    luaL_newmetatable(L, TYPE_NAME);
    lua_pushcfunction(L, collect);
    lua_setfield(L, -2, "__gc");
    lua_pushcfunction(L, length);
    lua_setfield(L, -2, "__len");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    api_push(L, api);
    lua_setfield(L, -2, "__index");
    lua_pop(L, 1);
}
