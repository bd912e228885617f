/* Moves plain Lua values from one Lua state to another: booleans, numbers, strings,
 * tables of them, and buffers, which all states share. */
#pragma once

#include <glib.h>
#include <lua.h>

/* Where values go. */
typedef struct {
    const char *what;   /* the value, in messages */
    GPtrArray *buffers; /* gets each of the host's buffers, borrowed; NULL: they cannot
                         * go, and DRAM buffers can */
} PlainWay;

/* The value at `index` as bytes; or raises. The script of L has paid for them
 * (sandbox_account()). The caller frees it, and keeps the buffers for as long. */
GBytes *plain_pack(lua_State *L, int index, const PlainWay *way);

/* Pushes the value again, in any state. Raises when memory runs out. */
void plain_push(lua_State *L, GBytes *bytes);
