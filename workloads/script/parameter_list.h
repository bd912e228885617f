/* The parameters that a script declares, as one family of chips has them. */
#pragma once

#include <glib.h>
#include <lua.h>

/* Reads the field `parameters` of the declaration at `index`; runs no Lua. An array of
 * WlParameter: those that the family has, then those that every script accepts. Fails
 * with WL_ERROR_SYNTAX, saying where. */
GPtrArray *
parameter_list_read(lua_State *L, int index, const char *family, GError **error);
