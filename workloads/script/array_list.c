/* The arrays that a script declares, as one family of chips has them. */
#include "workloads/script/array_list.h"

#include <string.h>

#include "sim/error.h"
#include "workloads/error.h"
#include "workloads/sandbox/field.h"
#include "workloads/sandbox/quote.h"
#include "workloads/script.h"
#include "workloads/script/families.h"

static void array_free(gpointer data)
{
    WlScriptArray *self = data;

    g_free((char *) self->name);
    g_free((char *) self->help);
    g_free((char *) self->file);
    g_free(self);
}

WlScriptArray *array_list_find(const GPtrArray *list, const char *name)
{
    for (guint i = 0; i < list->len; i++) {
        WlScriptArray *array = g_ptr_array_index(list, i);

        if (strcmp(array->name, name) == 0) {
            return array;
        }
    }
    return NULL;
}

/* Letters, digits and _, beginning with a letter: as parameters are named. */
static bool is_name(const char *name)
{
    if (!g_ascii_isalpha(*name)) {
        return false;
    }
    while (g_ascii_isalnum(*name) || *name == '_') {
        name++;
    }
    return *name == '\0';
}

/* Does the family have what the table at the top of the stack declares? */
static bool read_chips(lua_State *L, const char *family, bool *is_there, GError **error)
{
    const bool is_for_all = field_push(L, -1, "chips") == LUA_TNIL;

    lua_pop(L, 1);
    *is_there = is_for_all;
    if (is_for_all) {
        return true;
    }
    g_auto(GStrv) families = families_read(L, -1, error);

    if (families == NULL) {
        return false;
    }
    *is_there = g_strv_contains((const char *const *) families, family);
    return true;
}

/* Appends what the table at the top of the stack declares. */
static bool
append_array(GPtrArray *list, lua_State *L, const char *family, GError **error)
{
    static const char *const known[] = {"name", "chips", "help", NULL};
    const char *name;
    const char *help;
    bool is_there = false;

    if (lua_type(L, -1) != LUA_TTABLE) {
        return wl_refuse(error, "is not a table");
    }
    if (!field_check_known(L, -1, known, error) ||
        (name = field_text(L, -1, "name", error)) == NULL ||
        (help = field_text(L, -1, "help", error)) == NULL ||
        !read_chips(L, family, &is_there, error)) {
        return false;
    }
    if (!is_name(name)) {
        g_autofree char *shown = quote_word(name);

        return wl_refuse(error,
                         "name = '%s', expected letters, digits and _, a letter first",
                         shown);
    }
    if (*help == '\0' || strpbrk(help, "\r\n") != NULL ||
        !g_utf8_validate(help, -1, NULL)) {
        return wl_refuse(error, "help must be one line of text");
    }
    if (!is_there) {
        return true;
    }
    if (array_list_find(list, name) != NULL) {
        return wl_refuse(error, "name = '%s' is declared twice", name);
    }
    WlScriptArray *array = g_new0(WlScriptArray, 1);

    array->name = g_strdup(name);
    array->help = g_strdup(help);
    g_ptr_array_add(list, array);
    return true;
}

/* Appends what the list at the top of the stack declares; nil declares nothing. */
static bool append_arrays(GPtrArray *list,
                          lua_State *L,
                          const char *field,
                          const char *family,
                          GError **error)
{
    if (lua_isnil(L, -1)) {
        return true;
    }
    if (lua_type(L, -1) != LUA_TTABLE) {
        return wl_refuse(error, "%s is not a list of tables", field);
    }
    const lua_Unsigned count = lua_rawlen(L, -1);

    if (field_count(L, -1) != count) {
        return wl_refuse(error, "%s is not a plain list", field);
    }
    for (guint i = 1; i <= count; i++) {
        lua_rawgeti(L, -1, i);
        const bool is_read = append_array(list, L, family, error);

        lua_pop(L, 1);
        if (!is_read) {
            g_prefix_error(error, "%s[%u]: ", field, i);
            return false;
        }
    }
    return true;
}

GPtrArray *array_list_read(
    lua_State *L, int index, const char *field, const char *family, GError **error)
{
    g_autoptr(GPtrArray) list = g_ptr_array_new_with_free_func(array_free);

    field_push(L, index, field);
    const bool is_read = append_arrays(list, L, field, family, error);

    lua_pop(L, 1);
    return is_read ? g_steal_pointer(&list) : NULL;
}

/* "a, b and c"-like list of the names; the caller frees it. */
static char *names_text(const GPtrArray *list)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();

    for (guint i = 0; i < list->len; i++) {
        const WlScriptArray *array = g_ptr_array_index(list, i);

        g_ptr_array_add(names, (gpointer) array->name);
    }
    g_ptr_array_add(names, NULL);
    return g_strjoinv(", ", (char **) names->pdata);
}

bool array_list_set(GPtrArray *list, const char *noun, const char *word, GError **error)
{
    const char *equals = strchr(word, '=');
    g_autofree char *name = g_strndup(word, strcspn(word, "="));
    g_autofree char *shown = quote_word(name);
    WlScriptArray *array = array_list_find(list, name);

    if (equals == NULL || equals[1] == '\0' || *name == '\0') {
        g_autofree char *whole = quote_word(word);

        return sim_fail(error, WL_ERROR, WL_ERROR_KEY, "'%s' is not of the form %s",
                        whole, "name=FILE.npy");
    }
    if (array == NULL) {
        g_autofree char *names = names_text(list);

        return sim_fail(error, WL_ERROR, WL_ERROR_KEY, "no %s '%s'; %s%s", noun, shown,
                        list->len == 0 ? "it has none" : "known: ", names);
    }
    if (array->file != NULL) {
        return sim_fail(error, WL_ERROR, WL_ERROR_KEY, "the %s '%s' has two files",
                        noun, shown);
    }
    array->file = g_strdup(equals + 1);
    return true;
}
