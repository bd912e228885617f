/* Fields of a Lua table, read without running a line of Lua or allocating any memory,
 * so that nothing here can raise. */
#include "workloads/sandbox/field.h"

#include <string.h>

#include "workloads/error.h"
#include "workloads/sandbox/quote.h"

int field_push(lua_State *L, int index, const char *name)
{
    index = lua_absindex(L, index);
    /* lua_getfield() would make a string of the name, which needs memory. */
    for (lua_pushnil(L); lua_next(L, index) != 0; lua_pop(L, 1)) {
        if (lua_type(L, -2) == LUA_TSTRING && strcmp(lua_tostring(L, -2), name) == 0) {
            lua_remove(L, -2);
            return lua_type(L, -1);
        }
    }
    lua_pushnil(L);
    return LUA_TNIL;
}

guint field_count(lua_State *L, int index)
{
    index = lua_absindex(L, index);
    guint count = 0;
    for (lua_pushnil(L); lua_next(L, index) != 0; lua_pop(L, 1)) {
        count++;
    }
    return count;
}

/* A key as a message shows it. The caller frees it. */
static char *key_text(lua_State *L, int index)
{
    if (lua_type(L, index) == LUA_TSTRING) {
        g_autofree char *shown = quote_word(lua_tostring(L, index));
        return g_strdup_printf("'%s'", shown);
    }
    if (lua_isinteger(L, index)) {
        return g_strdup_printf("[%" G_GINT64_FORMAT "]",
                               (gint64) lua_tointeger(L, index));
    }
    return g_strdup_printf("[a %s]", lua_typename(L, lua_type(L, index)));
}

bool field_check_known(lua_State *L,
                       int index,
                       const char *const *known,
                       GError **error)
{
    index = lua_absindex(L, index);
    g_autofree char *unknown = NULL;
    for (lua_pushnil(L); lua_next(L, index) != 0; lua_pop(L, 1)) {
        if (lua_type(L, -2) == LUA_TSTRING &&
            g_strv_contains(known, lua_tostring(L, -2))) {
            continue;
        }
        /* Lua's order differs from run to run: of several, name the first by name. */
        g_autofree char *shown = key_text(L, -2);
        if (unknown == NULL || strcmp(shown, unknown) < 0) {
            g_free(unknown);
            unknown = g_steal_pointer(&shown);
        }
    }
    if (unknown != NULL) {
        g_autofree char *list = g_strjoinv(", ", (char **) known);
        return wl_refuse(error, "unknown field %s; known: %s", unknown, list);
    }
    return true;
}

static void refuse_type(
    const char *name, const char *expected, int type, lua_State *L, GError **error)
{
    if (type == LUA_TNIL) {
        (void) wl_refuse(error, "%s is missing, expected %s", name, expected);
    } else {
        g_set_error(error, WL_ERROR, WL_ERROR_SYNTAX, "%s is a %s, expected %s", name,
                    lua_typename(L, type), expected);
    }
}

const char *field_text(lua_State *L, int index, const char *name, GError **error)
{
    int type = field_push(L, index, name);
    size_t length = 0;
    const char *text = type == LUA_TSTRING ? lua_tolstring(L, -1, &length) : NULL;
    lua_pop(L, 1);
    if (text == NULL) {
        refuse_type(name, "a string", type, L, error);
        return NULL;
    }
    if (strlen(text) != length) {
        g_set_error(error, WL_ERROR, WL_ERROR_SYNTAX, "%s contains a NUL", name);
        return NULL;
    }
    return text;
}

/* Appends the string at the top of the stack and pops it. */
static bool
append_text(lua_State *L, const char *name, GPtrArray *texts, GError **error)
{
    size_t length = 0;
    bool is_text = lua_type(L, -1) == LUA_TSTRING;
    const char *text = is_text ? lua_tolstring(L, -1, &length) : NULL;
    if (!is_text || strlen(text) != length) {
        (void) wl_refuse(error, "%s[%u] is not a string", name, texts->len + 1);
    } else {
        g_ptr_array_add(texts, g_strdup(text));
    }
    lua_pop(L, 1);
    return is_text && strlen(text) == length;
}

char **field_take_list(lua_State *L, const char *name, GError **error)
{
    int type = lua_type(L, -1);
    if (type != LUA_TTABLE) {
        lua_pop(L, 1);
        refuse_type(name, "a list of strings", type, L, error);
        return NULL;
    }
    g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
    guint count = field_count(L, -1);
    bool is_list = count == lua_rawlen(L, -1);
    if (!is_list) {
        g_set_error(error, WL_ERROR, WL_ERROR_SYNTAX, "%s is not a plain list", name);
    }
    for (guint i = 0; is_list && i < count; i++) {
        lua_rawgeti(L, -1, i + 1);
        is_list = append_text(L, name, texts, error);
    }
    lua_pop(L, 1);
    if (!is_list) {
        return NULL;
    }
    g_ptr_array_add(texts, NULL);
    return (char **) g_ptr_array_free(g_steal_pointer(&texts), FALSE);
}

char **field_list(lua_State *L, int index, const char *name, GError **error)
{
    field_push(L, index, name);
    return field_take_list(L, name, error);
}

const char *field_summary(lua_State *L, int index, GError **error)
{
    const char *summary = field_text(L, index, "summary", error);
    if (summary == NULL) {
        return NULL;
    }
    if (*summary == '\0' || strpbrk(summary, "\r\n") != NULL ||
        !g_utf8_validate(summary, -1, NULL)) {
        (void) wl_refuse(error, "summary must be one line of text");
        return NULL;
    }
    return summary;
}
