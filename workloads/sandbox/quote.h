/* A user's own words inside an error line: short, on one line, printable. */
#pragma once
#include <glib.h>
#include <lua.h>

/* At most some 60 characters of `text`; control characters are shown as \n, \001 and
 * bytes that are not UTF-8 as a replacement character. The caller frees it. */
char *quote_word(const char *text);

/* The field `summary` of the table at `index`; borrowed from the table. Fails with
 * WL_ERROR_SYNTAX if it is missing or not one line of text. Runs no Lua. */
const char *summary_read(lua_State *L, int index, GError **error);
