/* Families of chips that run programs, as scripts name them. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <lua.h>

/* The families that the field `chips` of the table at `index` lists, NULL-terminated.
 * Fails with WL_ERROR_SYNTAX if it is missing, empty, or names an unknown family or one
 * twice. The caller frees it with g_strfreev(). */
char **families_read(lua_State *L, int index, GError **error);

/* Pushes the field `name` of the table at `index` for `family`: the field itself or, if
 * it is a table by family, { tensix = ..., wse = ... }, the family's entry;
 * *is_by_family is then set to true. Fails with WL_ERROR_SYNTAX and pushes nothing on a
 * key that is not a family, on keys beside a list, and if the family is missing. */
bool families_push(lua_State *L,
                   int index,
                   const char *name,
                   const char *family,
                   bool *is_by_family,
                   GError **error);
