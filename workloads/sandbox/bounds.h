/* Library functions that loop in C, counted as instructions or cut short. */
#pragma once

#include <lua.h>

/* Upvalue 1 of each is the library's own function. */
int bounds_rep(lua_State *L);   /* string.rep */
int bounds_move(lua_State *L);  /* table.move */
int bounds_shift(lua_State *L); /* table.insert and table.remove */
