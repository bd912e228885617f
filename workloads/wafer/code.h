/* Scalar code, branches and marks in the code of a PE's task, as methods of `pe`. */
#pragma once

#include <lauxlib.h>

/* Methods up to a NULL. */
extern const luaL_Reg wafer_code_methods[];
