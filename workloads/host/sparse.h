/* host.sparse{ rows =, columns =, format = }: a sparse matrix without entries. */
#pragma once

#include <lua.h>

int host_sparse(lua_State *L);
