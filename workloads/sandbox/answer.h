/* Lua tables that a script gets back: setters for the table at the top of the stack. */
#pragma once

#include <stdint.h>

#include <lua.h>

void answer_number(lua_State *L, const char *name, double value);
void answer_count(lua_State *L, const char *name, uint64_t value);
void answer_text(lua_State *L, const char *name, const char *text);
