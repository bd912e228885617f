/* Plain values: a tag, then what belongs to it; tables as pairs up to an end tag. */
#include "workloads/host/plain.h"

#include <stdbool.h>
#include <string.h>

#include <lauxlib.h>

#include "sim/narrow.h"
#include "workloads/buffer/bytes.h"
#include "workloads/host/dram_buffer.h"
#include "workloads/sandbox/sandbox.h"

enum {
    DEPTH_MAXIMUM = 16,
    BYTES_MAXIMUM = 1 << 30,
};

typedef enum {
    TAG_END,
    TAG_NIL,
    TAG_FALSE,
    TAG_TRUE,
    TAG_INTEGER,
    TAG_NUMBER,
    TAG_STRING,
    TAG_TABLE,
    TAG_DRAM_BUFFER,
    TAG_BUFFER,
} Tag;

/* Writes when `bytes` is there; else it only checks and counts, so that no error loses
 * memory. */
typedef struct {
    lua_State *state;
    const PlainWay *way;
    guint8 *bytes;
    gsize count; /* so far */
} Packer;

typedef struct {
    const guint8 *next;
} Reader;

static void append(Packer *self, gconstpointer data, gsize count)
{
    if (self->bytes != NULL && count > 0) {
        memcpy(self->bytes + self->count, data, count);
    }
    self->count += count;
}

static void put(Packer *self, Tag tag, gconstpointer data, gsize count)
{
    guint8 byte = sim_u8(tag);

    append(self, &byte, 1);
    append(self, data, count);
}

static void pack(Packer *self, int index, int depth);

static void pack_table(Packer *self, int index, int depth)
{
    lua_State *L = self->state;

    if (depth == DEPTH_MAXIMUM) {
        luaL_error(L, "%s: tables are nested more than %d deep", self->way->what,
                   DEPTH_MAXIMUM);
    }
    luaL_checkstack(L, 4, "tables are nested too deep");
    put(self, TAG_TABLE, NULL, 0);
    lua_pushnil(L);
    while (lua_next(L, index) != 0) {
        pack(self, lua_gettop(L) - 1, depth + 1);
        pack(self, lua_gettop(L), depth + 1);
        lua_pop(L, 1);
    }
    put(self, TAG_END, NULL, 0);
}

static void pack_string(Packer *self, int index)
{
    gsize length = 0;
    const char *text = lua_tolstring(self->state, index, &length);

    put(self, TAG_STRING, &length, sizeof length);
    append(self, text, length);
}

static void pack_number(Packer *self, int index)
{
    lua_Integer integer = lua_tointeger(self->state, index);
    lua_Number number = lua_tonumber(self->state, index);

    if (lua_isinteger(self->state, index)) {
        put(self, TAG_INTEGER, &integer, sizeof integer);
    } else {
        put(self, TAG_NUMBER, &number, sizeof number);
    }
}

/* Returns whether it is a buffer that may go there. */
static bool pack_buffer(Packer *self, int index)
{
    GPtrArray *buffers = self->way->buffers;
    gconstpointer buffer = buffers != NULL
                               ? (gconstpointer) host_bytes_test(self->state, index)
                               : dram_buffer_test(self->state, index);

    if (buffer == NULL) {
        return false;
    }
    put(self, buffers != NULL ? TAG_BUFFER : TAG_DRAM_BUFFER, &buffer, sizeof buffer);
    if (buffers != NULL && !g_ptr_array_find(buffers, buffer, NULL)) {
        g_ptr_array_add(buffers, (gpointer) buffer);
    }
    return true;
}

static void pack(Packer *self, int index, int depth)
{
    if (pack_buffer(self, index)) {
        return;
    }
    switch (lua_type(self->state, index)) {
    case LUA_TNIL:
        put(self, TAG_NIL, NULL, 0);
        return;
    case LUA_TBOOLEAN:
        put(self, lua_toboolean(self->state, index) != 0 ? TAG_TRUE : TAG_FALSE, NULL,
            0);
        return;
    case LUA_TNUMBER:
        pack_number(self, index);
        return;
    case LUA_TSTRING:
        pack_string(self, index);
        return;
    case LUA_TTABLE:
        pack_table(self, index, depth);
        return;
    default:
        luaL_error(self->state,
                   "%s: a %s cannot go to a %s, only numbers, strings, booleans, "
                   "%s and tables of them",
                   self->way->what, luaL_typename(self->state, index),
                   self->way->buffers != NULL ? "reference" : "kernel",
                   self->way->buffers != NULL ? "buffers" : "DRAM buffers");
    }
}

GBytes *plain_pack(lua_State *L, int index, const PlainWay *way)
{
    Packer packer = {.state = L, .way = way};

    index = lua_absindex(L, index);
    pack(&packer, index, 0);
    luaL_checkstack(L, 4 * DEPTH_MAXIMUM, "no room to copy a table");
    if (packer.count > BYTES_MAXIMUM) {
        luaL_error(L, "%s: %I bytes, at most %d can be copied", way->what,
                   (LUAI_UACINT) packer.count, BYTES_MAXIMUM);
    }
    if (!sandbox_account(sandbox_of(L), (int64_t) packer.count)) {
        sandbox_check(L);
    }
    packer.bytes = g_try_malloc(packer.count);
    if (packer.bytes == NULL) {
        luaL_error(L, "%s: no memory for %I bytes", way->what,
                   (LUAI_UACINT) packer.count);
    }
    packer.count = 0;
    pack(&packer, index, 0);
    return g_bytes_new_take(packer.bytes, packer.count);
}

static void take(Reader *self, gpointer data, gsize count)
{
    memcpy(data, self->next, count);
    self->next += count;
}

static bool push(lua_State *L, Reader *reader);

static void push_table(lua_State *L, Reader *reader)
{
    luaL_checkstack(L, 4, "tables are nested too deep");
    lua_newtable(L);
    while (push(L, reader)) {
        (void) push(L, reader);
        lua_rawset(L, -3);
    }
}

/* False, and nothing pushed, at the end of a table. */
static bool push(lua_State *L, Reader *reader)
{
    lua_Integer integer = 0;
    lua_Number number = 0;
    gsize length = 0;
    gpointer buffer = NULL;

    switch ((Tag) *reader->next++) {
    case TAG_END:
        return false;
    case TAG_NIL:
        lua_pushnil(L);
        break;
    case TAG_FALSE:
    case TAG_TRUE:
        lua_pushboolean(L, reader->next[-1] == TAG_TRUE);
        break;
    case TAG_INTEGER:
        take(reader, &integer, sizeof integer);
        lua_pushinteger(L, integer);
        break;
    case TAG_NUMBER:
        take(reader, &number, sizeof number);
        lua_pushnumber(L, number);
        break;
    case TAG_STRING:
        take(reader, &length, sizeof length);
        lua_pushlstring(L, (const char *) reader->next, length);
        reader->next += length;
        break;
    case TAG_TABLE:
        push_table(L, reader);
        break;
    case TAG_DRAM_BUFFER:
        take(reader, &buffer, sizeof buffer);
        dram_buffer_push(L, buffer);
        break;
    case TAG_BUFFER:
        take(reader, &buffer, sizeof buffer);
        host_bytes_push_same(L, buffer);
        break;
    }
    return true;
}

void plain_push(lua_State *L, GBytes *bytes)
{
    Reader reader = {.next = g_bytes_get_data(bytes, NULL)};

    (void) push(L, &reader);
}
