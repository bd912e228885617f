/* Fields of a Lua table, read without running a line of Lua or allocating any memory,
 * so that nothing here can raise. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <lua.h>

/* Pushes the value of the field `name` of the table at `index`, nil if there is none,
 * and returns its type. Metatables are not asked. */
int field_push(lua_State *L, int index, const char *name);

/* The number of keys of any type in the table at `index`. */
guint field_count(lua_State *L, int index);

/* Fails with WL_ERROR_SYNTAX if the table has a key that is not in `known`, a
 * NULL-terminated list. */
bool field_check_known(lua_State *L,
                       int index,
                       const char *const *known,
                       GError **error);

/* The string in a field; borrowed from the table. Fails with WL_ERROR_SYNTAX if it is
 * missing, not a string, or contains a NUL. */
const char *field_text(lua_State *L, int index, const char *name, GError **error);

/* The strings of an array in a field. Fails with WL_ERROR_SYNTAX if it is missing or
 * not a list of strings. The caller frees it with g_strfreev(). */
char **field_list(lua_State *L, int index, const char *name, GError **error);

/* The same for the value at the top of the stack, which it pops; `name` is for
 * messages. */
char **field_take_list(lua_State *L, const char *name, GError **error);

/* The field `summary` of the table at `index`; borrowed from the table. Fails with
 * WL_ERROR_SYNTAX if it is missing or not one line of text. Runs no Lua. */
const char *field_summary(lua_State *L, int index, GError **error);
