/* The arrays that a script declares for one family of chips: those it takes from files,
 * and those it gives. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <lua.h>

#include "workloads/script.h"

/* Reads the field `field`, "inputs" or "outputs", of the declaration at `index`; runs
 * no Lua. Returns an array of WlScriptArray, empty if there is no such field. Fails
 * with WL_ERROR_SYNTAX and says where. */
GPtrArray *array_list_read(
    lua_State *L, int index, const char *field, const char *family, GError **error);

/* The one of that name, or NULL. */
WlScriptArray *array_list_find(const GPtrArray *list, const char *name);

/* Gives an array its file: "name=FILE". Fails with WL_ERROR_KEY on a word that is not
 * of that form, on an unknown name, and on one that has a file. `noun` is "input" or
 * "output". */
bool array_list_set(GPtrArray *list,
                    const char *noun,
                    const char *word,
                    GError **error);
