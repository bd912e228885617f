/* The parameters that a script declares for one family of chips. */
#pragma once

#include <glib.h>
#include <lua.h>

/* Reads the field `parameters` of the declaration at `index`; runs no Lua. Returns an
 * array of WlParameter: those of the family, then those that every script accepts.
 * Fails with WL_ERROR_SYNTAX and says where. */
GPtrArray *
parameter_list_read(lua_State *L, int index, const char *family, GError **error);
