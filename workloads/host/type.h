/* Types of what the host gives to scripts: userdata with a metatable that no script
 * reaches, as sandbox.h asks for. */
#pragma once

#include <lauxlib.h>

typedef struct {
    const char *name;
    const luaL_Reg *methods;
    lua_CFunction get;     /* of members: ends with host_type_method(); or NULL */
    lua_CFunction collect; /* what garbage collection calls; or NULL */
} HostType;

void host_type_register(lua_State *L, const HostType *type);

/* For `get`: pushes the method with the name at index 2, nil where there is none;
 * returns 1. */
int host_type_method(lua_State *L);
