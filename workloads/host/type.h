/* Types of host objects in scripts: userdata whose metatable no script can reach, as
 * sandbox.h requires. */
#pragma once

#include <lauxlib.h>

#include "workloads/sandbox/api.h"

typedef struct {
    const char *name;
    const ApiClass *api;
    lua_CFunction get;     /* reads members, ends with host_type_method(); or NULL */
    lua_CFunction collect; /* called by the garbage collector; or NULL */
} HostType;

void host_type_register(lua_State *L, const HostType *type);

/* For `get`: pushes the method with the name at index 2, or nil if there is none;
 * returns 1. */
int host_type_method(lua_State *L);
