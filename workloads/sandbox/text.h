/* Values as text that is the same in every run: no addresses. */
#pragma once

#include <lua.h>

/* Prepares the state for the functions below. Raises when memory runs out. */
void text_open(lua_State *L);

/* Pushes the value at `index` as text, as tostring() does, with `table: 1`, numbered
 * in the order of first use, where Lua shows an address. Calls __tostring. */
const char *text_push(lua_State *L, int index);

/* Lua functions. tostring(value). */
int text_tostring(lua_State *L);

/* string.format: upvalue 1 is the library's own. Refuses %p. */
int text_format(lua_State *L);

/* print: hands each line to the sandbox's print function. */
int text_print(lua_State *L);
