/* What a script says about itself: the table it returns. */
#include "workloads/script/declaration.h"

#include <stdbool.h>
#include <string.h>

#include "workloads/error.h"
#include "workloads/script/assignment.h"
#include "workloads/script/field.h"
#include "workloads/script/number.h"
#include "workloads/script/parameter.h"
#include "workloads/script/quote.h"
#include "workloads/script/summary.h"
#include "workloads/script/words.h"

static const char *const families[] = {"tensix", "wse", NULL};

/* In the order of WlParamType. */
static const char *const type_names[] = {"integer", "number", "text",
                                         "switch",  "choice", NULL};

static bool refuse(GError **error, const char *why)
{
    g_set_error_literal(error, WL_ERROR, WL_ERROR_SYNTAX, why);
    return false;
}

/* What a value of this type is in Lua; integers may be written 1e3. */
static const char *lua_noun(WlParamType type)
{
    switch (type) {
    case WL_PARAM_INTEGER:
        return "an integer";
    case WL_PARAM_NUMBER:
        return "a number";
    case WL_PARAM_SWITCH:
        return "true or false";
    case WL_PARAM_TEXT:
    case WL_PARAM_CHOICE:
        return "a string";
    }
    g_assert_not_reached();
}

/* The value at the top of the stack as the user would type it, or NULL. */
static char *value_text(lua_State *L, WlParamType type)
{
    int is_integer = 0;
    int lua_type_of_value = lua_type(L, -1);
    switch (type) {
    case WL_PARAM_INTEGER: {
        /* lua_tointegerx() would also take a string. */
        lua_Integer integer = lua_tointegerx(L, -1, &is_integer);
        return lua_type_of_value == LUA_TNUMBER && is_integer != 0
                   ? g_strdup_printf("%" G_GINT64_FORMAT, (gint64) integer)
                   : NULL;
    }
    case WL_PARAM_NUMBER:
        return lua_type_of_value == LUA_TNUMBER
                   ? number_format_double(lua_tonumber(L, -1))
                   : NULL;
    case WL_PARAM_SWITCH:
        return lua_type_of_value == LUA_TBOOLEAN
                   ? g_strdup(lua_toboolean(L, -1) != 0 ? "on" : "off")
                   : NULL;
    case WL_PARAM_TEXT:
    case WL_PARAM_CHOICE:
        return lua_type_of_value == LUA_TSTRING ? g_strdup(lua_tostring(L, -1)) : NULL;
    }
    g_assert_not_reached();
}

static char *read_default(lua_State *L, int index, WlParamType type, GError **error)
{
    int lua_type_of_value = field_push(L, index, "default");
    char *text = value_text(L, type);
    lua_pop(L, 1);
    if (lua_type_of_value == LUA_TNIL) {
        g_set_error(error, WL_ERROR, WL_ERROR_SYNTAX, "default is missing, expected %s",
                    lua_noun(type));
    } else if (text == NULL) {
        g_set_error(error, WL_ERROR, WL_ERROR_SYNTAX, "default is not %s",
                    lua_noun(type));
    }
    return text;
}

static bool read_type(lua_State *L, int index, WlParamType *type, GError **error)
{
    const char *name = field_text(L, index, "type", error);
    if (name == NULL) {
        return false;
    }
    for (guint i = 0; type_names[i] != NULL; i++) {
        if (strcmp(name, type_names[i]) == 0) {
            *type = (WlParamType) i;
            return true;
        }
    }
    g_autofree char *shown = quote_word(name);
    g_autofree char *list = g_strjoinv(", ", (char **) type_names);
    g_set_error(error, WL_ERROR, WL_ERROR_SYNTAX, "type = '%s', expected one of %s",
                shown, list);
    return false;
}

/* Whether there is a bound of that name, in *is_there, and whether it may be. The
 * bound stays at the top of the stack. */
static bool push_bound(lua_State *L,
                       int index,
                       const char *name,
                       WlParamType type,
                       bool *is_there,
                       GError **error)
{
    *is_there = field_push(L, index, name) != LUA_TNIL;
    if (*is_there && type != WL_PARAM_INTEGER && type != WL_PARAM_NUMBER) {
        g_set_error(error, WL_ERROR, WL_ERROR_SYNTAX, "%s is for integers and numbers",
                    name);
        return false;
    }
    g_autofree char *text = value_text(L, type);
    if (*is_there && text == NULL) {
        g_set_error(error, WL_ERROR, WL_ERROR_SYNTAX, "%s is not %s", name,
                    lua_noun(type));
        return false;
    }
    return true;
}

static bool read_range(lua_State *L, int index, WlParameterSpec *spec, GError **error)
{
    bool is_read = push_bound(L, index, "min", spec->type, &spec->has_minimum, error);
    if (is_read && spec->has_minimum) {
        spec->least = lua_tointeger(L, -1);
        spec->minimum = lua_tonumber(L, -1);
    }
    lua_pop(L, 1);
    if (!is_read) {
        return false;
    }
    is_read = push_bound(L, index, "max", spec->type, &spec->has_maximum, error);
    if (is_read && spec->has_maximum) {
        spec->most = lua_tointeger(L, -1);
        spec->maximum = lua_tonumber(L, -1);
    }
    lua_pop(L, 1);
    return is_read;
}

static bool
read_choices(lua_State *L, int index, WlParamType type, char ***choices, GError **error)
{
    if (type == WL_PARAM_CHOICE) {
        *choices = field_list(L, index, "choices", error);
        return *choices != NULL;
    }
    bool is_there = field_push(L, index, "choices") != LUA_TNIL;
    lua_pop(L, 1);
    return !is_there || refuse(error, "choices is for the type choice");
}

static WlParameter *read_parameter(lua_State *L, int index, GError **error)
{
    static const char *const known[] = {"name", "type",    "default", "min",
                                        "max",  "choices", "help",    NULL};
    if (lua_type(L, index) != LUA_TTABLE) {
        refuse(error, "is not a table");
        return NULL;
    }
    WlParameterSpec spec = {0};
    g_auto(GStrv) choices = NULL;
    if (!field_check_known(L, index, known, error) ||
        (spec.name = field_text(L, index, "name", error)) == NULL ||
        !read_type(L, index, &spec.type, error) ||
        (spec.help = field_text(L, index, "help", error)) == NULL ||
        !read_range(L, index, &spec, error) ||
        !read_choices(L, index, spec.type, &choices, error)) {
        return NULL;
    }
    spec.choices = (const char *const *) choices;
    g_autofree char *text = read_default(L, index, spec.type, error);
    return text == NULL ? NULL : parameter_new(&spec, text, error);
}

static bool append_parameter(WlDeclaration *self, lua_State *L, GError **error)
{
    guint position = self->parameters->len + 1;
    GError *failure = NULL;
    g_autoptr(WlParameter) parameter = read_parameter(L, lua_gettop(L), &failure);
    if (parameter != NULL) {
        const char *name = parameter_view(parameter)->name;
        if (assignment_find(self->parameters, name) == NULL) {
            g_ptr_array_add(self->parameters, g_steal_pointer(&parameter));
            return true;
        }
        g_set_error(&failure, WL_ERROR, WL_ERROR_SYNTAX,
                    "name = '%s' is declared twice", name);
    }
    g_propagate_prefixed_error(error, failure, "parameters[%u]: ", position);
    return false;
}

static bool
read_parameters(WlDeclaration *self, lua_State *L, int index, GError **error)
{
    self->parameters = g_ptr_array_new_with_free_func((GDestroyNotify) parameter_free);
    if (field_push(L, index, "parameters") != LUA_TTABLE) {
        lua_pop(L, 1);
        return refuse(error, "parameters is not a list of tables");
    }
    lua_Unsigned count = lua_rawlen(L, -1);
    if (field_count(L, -1) != count) {
        lua_pop(L, 1);
        return refuse(error, "parameters is not a plain list");
    }
    bool is_read = true;
    for (lua_Unsigned i = 1; is_read && i <= count; i++) {
        lua_rawgeti(L, -1, (lua_Integer) i);
        is_read = append_parameter(self, L, error);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return is_read && words_append(self->parameters, error);
}

static bool read_summary(WlDeclaration *self, lua_State *L, int index, GError **error)
{
    self->summary = g_strdup(summary_read(L, index, error));
    return self->summary != NULL;
}

static bool read_families(WlDeclaration *self, lua_State *L, int index, GError **error)
{
    self->families = field_list(L, index, "chips", error);
    if (self->families == NULL) {
        return false;
    }
    if (self->families[0] == NULL) {
        return refuse(error, "chips is empty, expected tensix, wse or both");
    }
    for (guint i = 0; self->families[i] != NULL; i++) {
        const char *family = self->families[i];
        if (!g_strv_contains(families, family)) {
            g_autofree char *shown = quote_word(family);
            g_set_error(error, WL_ERROR, WL_ERROR_SYNTAX,
                        "chips[%u] = '%s', expected tensix or wse", i + 1, shown);
            return false;
        }
        if (i > 0 && strcmp(family, self->families[0]) == 0) {
            g_set_error(error, WL_ERROR, WL_ERROR_SYNTAX,
                        "chips[%u] = '%s' is there twice", i + 1, family);
            return false;
        }
    }
    return true;
}

/* A table of functions by name, if it is there. */
static bool check_kernels(lua_State *L, int index, GError **error)
{
    int type = field_push(L, index, "kernels");
    bool is_good = type == LUA_TNIL || type == LUA_TTABLE;
    if (type == LUA_TTABLE) {
        lua_pushnil(L);
        while (lua_next(L, -2) != 0) {
            is_good = is_good && lua_type(L, -2) == LUA_TSTRING &&
                      lua_type(L, -1) == LUA_TFUNCTION;
            lua_pop(L, 1);
        }
    }
    lua_pop(L, 1);
    return is_good || refuse(error, "kernels is not a table of functions by name");
}

WlDeclaration *declaration_read(lua_State *L, int index, GError **error)
{
    static const char *const known[] = {"summary", "chips",   "parameters",
                                        "run",     "kernels", NULL};
    index = lua_absindex(L, index);
    if (lua_type(L, index) != LUA_TTABLE) {
        g_set_error(error, WL_ERROR, WL_ERROR_SYNTAX,
                    "the script returns no declaration, but a %s; expected return { "
                    "summary = ..., chips = ..., parameters = ..., run = ... }",
                    lua_typename(L, lua_type(L, index)));
        return NULL;
    }
    /* The deepest reader has a table, a list and two fields of it on the stack. */
    if (lua_checkstack(L, 16) == 0) {
        refuse(error, "the Lua stack is full");
        return NULL;
    }
    g_autoptr(WlDeclaration) self = g_new0(WlDeclaration, 1);
    if (!field_check_known(L, index, known, error) ||
        !read_summary(self, L, index, error) || !read_families(self, L, index, error) ||
        !read_parameters(self, L, index, error)) {
        return NULL;
    }
    bool is_function = field_push(L, index, "run") == LUA_TFUNCTION;
    lua_pop(L, 1);
    if (!is_function) {
        refuse(error, "run is not a function");
        return NULL;
    }
    if (!check_kernels(L, index, error)) {
        return NULL;
    }
    return g_steal_pointer(&self);
}

void declaration_free(WlDeclaration *self)
{
    if (self == NULL) {
        return;
    }
    g_free(self->summary);
    g_strfreev(self->families);
    g_clear_pointer(&self->parameters, g_ptr_array_unref);
    g_free(self);
}

void declaration_push_run(lua_State *L, int index)
{
    field_push(L, index, "run");
}

void declaration_push_kernels(lua_State *L, int index)
{
    field_push(L, index, "kernels");
}
