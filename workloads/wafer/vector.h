/* Vector operations in the code of a PE's task, as methods of `pe`: pe:fmacs(...). */
#pragma once

#include <lua.h>

/* Adds the methods to the table on top of the stack, one for each operation. */
void wafer_vector_register(lua_State *L);
