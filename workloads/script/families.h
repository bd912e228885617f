/* Families of chips, as scripts name them: those on which programs run. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <lua.h>

/* The families that the field `chips` of the table at `index` lists, NULL-terminated.
 * Fails with WL_ERROR_SYNTAX if it is missing, empty, names a family that is none or
 * one twice. The caller frees it with g_strfreev(). */
char **families_read(lua_State *L, int index, GError **error);

/* Pushes the field `name` of the table at `index` as `family` has it: the field itself,
 * or, where that is a table by family, { tensix = ..., wse = ... }, what it has for the
 * family; then *is_by_family becomes true. Fails with WL_ERROR_SYNTAX, pushing nothing,
 * on a key that is no family, on keys beside a list, and where the family is missing.
 */
bool families_push(lua_State *L,
                   int index,
                   const char *name,
                   const char *family,
                   bool *is_by_family,
                   GError **error);
