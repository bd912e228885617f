/* The part of the host API that is about cores: programs, L1, DRAM buffers. */
#pragma once

#include <lauxlib.h>

/* Functions with the session as their only upvalue, up to a NULL. */
extern const luaL_Reg host_core_functions[];
