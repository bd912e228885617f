/* Families of chips, as scripts name them. */
#include "workloads/script/families.h"

#include <string.h>

#include "arch/family.h"
#include "sim/compare.h"
#include "workloads/error.h"
#include "workloads/sandbox/field.h"
#include "workloads/sandbox/quote.h"

/* Names of the families on which programs run, in alphabetical order, up to a NULL. */
static GPtrArray *known_families(void)
{
    GPtrArray *names = g_ptr_array_new();

    for (guint i = 0; arch_families[i] != NULL; i++) {
        if (arch_family_runs(arch_families[i])) {
            g_ptr_array_add(names, (gpointer) arch_families[i]->name);
        }
    }
    g_ptr_array_sort(names, sim_compare_texts);
    g_ptr_array_add(names, NULL);
    return names;
}

/* "nero, tensix or wse"; the caller frees it. */
static char *join_with_or(const GPtrArray *names)
{
    g_autoptr(GString) text = g_string_new(g_ptr_array_index(names, 0));

    for (guint i = 1; i + 1 < names->len; i++) {
        g_string_append(text, i + 2 < names->len ? ", " : " or ");
        g_string_append(text, g_ptr_array_index(names, i));
    }
    return g_strdup(text->str);
}

static bool check_families(char **families, GError **error)
{
    g_autoptr(GPtrArray) known = known_families();

    if (families[0] == NULL) {
        g_autofree char *names = g_strjoinv(", ", (char **) known->pdata);

        return wl_refuse(error, "chips is empty, expected some of %s", names);
    }
    for (guint i = 0; families[i] != NULL; i++) {
        if (!g_strv_contains((const char *const *) known->pdata, families[i])) {
            g_autofree char *shown = quote_word(families[i]);
            g_autofree char *names = join_with_or(known);

            return wl_refuse(error, "chips[%u] = '%s', expected %s", i + 1, shown,
                             names);
        }
        for (guint k = 0; k < i; k++) {
            if (strcmp(families[i], families[k]) == 0) {
                return wl_refuse(error, "chips[%u] = '%s' is there twice", i + 1,
                                 families[i]);
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
    g_autoptr(GPtrArray) known = known_families();

    if (lua_rawlen(L, -1) > 0) {
        return wl_refuse(
            error,
            "%s mixes a list with keys, expected a list or %s = { tensix = "
            "..., wse = ... }",
            name, name);
    }
    if (!field_check_known(L, -1, (const char *const *) known->pdata, error)) {
        g_prefix_error(error, "%s: ", name);
        return false;
    }
    if (field_push(L, -1, family) == LUA_TNIL) {
        lua_pop(L, 1);
        return wl_refuse(error, "%s is missing for %s", name, family);
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
