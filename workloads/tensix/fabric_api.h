/* What a reader or writer kernel can send to cores of other chips. */
#pragma once

#include <lauxlib.h>

/* Names and functions, up to a NULL. */
extern const luaL_Reg fabric_api[];
