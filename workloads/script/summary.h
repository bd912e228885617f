/* The line in which a file says what it is for. */
#pragma once

#include <glib.h>
#include <lua.h>

/* The field `summary` of the table at `index`; borrowed from the table. Fails with
 * WL_ERROR_SYNTAX if it is missing or not one line of text. Runs no Lua. */
const char *summary_read(lua_State *L, int index, GError **error);
