/* Lua functions that catch errors, made so that none can hide a passed limit. */
#pragma once

#include <lua.h>

int guard_pcall(lua_State *L);
int guard_xpcall(lua_State *L);
int guard_resume(lua_State *L); /* coroutine.resume */
int guard_wrap(lua_State *L);   /* coroutine.wrap */

/* coroutine.running: nil, true in the host's coroutines. A script that got hold of one
 * could resume it behind the host's back. */
int guard_running(lua_State *L);

/* Upvalue 1 of the next two is the library's own function. */
int guard_close(lua_State *L); /* coroutine.close */
int guard_load(lua_State *L);  /* source text only, never bytecode */

/* Has the library's function `name` of the table on top of the stack call `first` with
 * its arguments, which leaves the stack as it is. */
void guard_put_first(lua_State *L, const char *name, lua_CFunction first);
