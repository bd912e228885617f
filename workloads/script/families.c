/* Families of chips, as scripts name them. */
#include "workloads/script/families.h"

#include <string.h>

#include "workloads/error.h"
#include "workloads/sandbox/field.h"
#include "workloads/sandbox/quote.h"

static const char *const known[] = {"nero", "tensix", "wse", NULL};

static bool check_families(char **families, GError **error)
{
    if (families[0] == NULL) {
        g_set_error_literal(error, WL_ERROR, WL_ERROR_SYNTAX,
                            "chips is empty, expected some of nero, tensix, wse");
        return false;
    }
    for (guint i = 0; families[i] != NULL; i++) {
        if (!g_strv_contains(known, families[i])) {
            g_autofree char *shown = quote_word(families[i]);
            g_set_error(error, WL_ERROR, WL_ERROR_SYNTAX,
                        "chips[%u] = '%s', expected nero, tensix or wse", i + 1, shown);
            return false;
        }
        for (guint k = 0; k < i; k++) {
            if (strcmp(families[i], families[k]) == 0) {
                g_set_error(error, WL_ERROR, WL_ERROR_SYNTAX,
                            "chips[%u] = '%s' is there twice", i + 1, families[i]);
                return false;
            }
        }
    }
    return true;
}

char **families_read(lua_State *L, int index, GError **error)
{
    g_auto(GStrv) families = field_list(L, index, "chips", error);
    return families != NULL && check_families(families, error)
               ? g_steal_pointer(&families)
               : NULL;
}

/* Whether the value at the top of the stack is a table with keys. */
static bool has_keys(lua_State *L)
{
    return lua_type(L, -1) == LUA_TTABLE && field_count(L, -1) > lua_rawlen(L, -1);
}

/* Replaces the table by family at the top of the stack by what the family has. */
static bool choose(lua_State *L, const char *name, const char *family, GError **error)
{
    if (lua_rawlen(L, -1) > 0) {
        g_set_error(error, WL_ERROR, WL_ERROR_SYNTAX,
                    "%s mixes a list with keys, expected a list or %s = { tensix = "
                    "..., wse = ... }",
                    name, name);
        return false;
    }
    if (!field_check_known(L, -1, known, error)) {
        g_prefix_error(error, "%s: ", name);
        return false;
    }
    if (field_push(L, -1, family) == LUA_TNIL) {
        lua_pop(L, 1);
        g_set_error(error, WL_ERROR, WL_ERROR_SYNTAX, "%s is missing for %s", name,
                    family);
        return false;
    }
    lua_remove(L, -2);
    return true;
}

bool families_push(lua_State *L,
                   int index,
                   const char *name,
                   const char *family,
                   bool *is_by_family,
                   GError **error)
{
    field_push(L, index, name);
    if (!has_keys(L)) {
        return true;
    }
    if (!choose(L, name, family, error)) {
        lua_pop(L, 1);
        return false;
    }
    *is_by_family = true;
    return true;
}
