/* The parameters that a script declares, as one family of chips has them. */
#include "workloads/script/parameter_list.h"

#include <stdbool.h>
#include <string.h>

#include "workloads/error.h"
#include "workloads/sandbox/field.h"
#include "workloads/sandbox/quote.h"
#include "workloads/script/families.h"
#include "workloads/script/number.h"
#include "workloads/script/parameter.h"

/* The table of one parameter. */
typedef struct {
    lua_State *lua;
    int index;
    const char *family;
    bool is_by_family; /* something of it was given by family */
} Table;

/* In the order of WlParamType. */
static const char *const type_names[] = {"integer", "number", "text",
                                         "switch",  "choice", NULL};

/* Lua's types of values; integers may be written 1e3. */
static const char *const lua_nouns[] = {
    [WL_PARAM_INTEGER] = "an integer", [WL_PARAM_NUMBER] = "a number",
    [WL_PARAM_TEXT] = "a string",      [WL_PARAM_SWITCH] = "true or false",
    [WL_PARAM_CHOICE] = "a string",
};

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

/* Pushes a field as the family has it. */
static bool push_field(Table *table, const char *name, GError **error)
{
    bool is_pushed = families_push(table->lua, table->index, name, table->family,
                                   &table->is_by_family, error);
    if (!is_pushed) {
        /* The message tells of the field itself, whatever the family. */
        table->is_by_family = false;
    }
    return is_pushed;
}

static char *read_default(Table *table, WlParamType type, GError **error)
{
    lua_State *L = table->lua;
    if (!push_field(table, "default", error)) {
        return NULL;
    }
    int lua_type_of_value = lua_type(L, -1);
    char *text = value_text(L, type);
    lua_pop(L, 1);
    if (lua_type_of_value == LUA_TNIL) {
        (void) wl_refuse(error, "default is missing, expected %s", lua_nouns[type]);
    } else if (text == NULL) {
        (void) wl_refuse(error, "default is not %s", lua_nouns[type]);
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
    return wl_refuse(error, "type = '%s', expected one of %s", shown, list);
}

typedef struct {
    bool is_there;
    gint64 integer;
    double number;
} Bound;

static bool read_bound(
    Table *table, const char *name, WlParamType type, Bound *bound, GError **error)
{
    lua_State *L = table->lua;
    if (!push_field(table, name, error)) {
        return false;
    }
    g_autofree char *text = value_text(L, type);
    *bound = (Bound){.is_there = lua_type(L, -1) != LUA_TNIL,
                     .integer = lua_tointeger(L, -1),
                     .number = lua_tonumber(L, -1)};
    lua_pop(L, 1);
    if (bound->is_there && type != WL_PARAM_INTEGER && type != WL_PARAM_NUMBER) {
        return wl_refuse(error, "%s is for integers and numbers", name);
    }
    if (bound->is_there && text == NULL) {
        return wl_refuse(error, "%s is not %s", name, lua_nouns[type]);
    }
    return true;
}

static bool read_range(Table *table, WlParameterSpec *spec, GError **error)
{
    Bound min;
    Bound max;
    if (!read_bound(table, "min", spec->type, &min, error) ||
        !read_bound(table, "max", spec->type, &max, error)) {
        return false;
    }
    spec->has_minimum = min.is_there;
    spec->least = min.integer;
    spec->minimum = min.number;
    spec->has_maximum = max.is_there;
    spec->most = max.integer;
    spec->maximum = max.number;
    return true;
}

static bool
read_choices(Table *table, WlParamType type, char ***choices, GError **error)
{
    if (type != WL_PARAM_CHOICE) {
        bool is_there = field_push(table->lua, table->index, "choices") != LUA_TNIL;
        lua_pop(table->lua, 1);
        return !is_there || wl_refuse(error, "choices is for the type choice");
    }
    if (!push_field(table, "choices", error)) {
        return false;
    }
    *choices = field_take_list(table->lua, "choices", error);
    return *choices != NULL;
}

/* Whether the family has the parameter, in *is_there. */
static bool read_chips(const Table *table, bool *is_there, GError **error)
{
    bool is_for_all = field_push(table->lua, table->index, "chips") == LUA_TNIL;
    lua_pop(table->lua, 1);
    *is_there = is_for_all;
    if (is_for_all) {
        return true;
    }
    g_auto(GStrv) families = families_read(table->lua, table->index, error);
    if (families == NULL) {
        return false;
    }
    *is_there = g_strv_contains((const char *const *) families, table->family);
    return true;
}

static WlParameter *read_fields(Table *table, GError **error)
{
    lua_State *L = table->lua;
    int index = table->index;
    WlParameterSpec spec = {0};
    g_auto(GStrv) choices = NULL;
    if ((spec.name = field_text(L, index, "name", error)) == NULL ||
        !read_type(L, index, &spec.type, error) ||
        (spec.help = field_text(L, index, "help", error)) == NULL ||
        !read_range(table, &spec, error) ||
        !read_choices(table, spec.type, &choices, error)) {
        return NULL;
    }
    spec.choices = (const char *const *) choices;
    g_autofree char *text = read_default(table, spec.type, error);
    return text == NULL ? NULL : parameter_new(&spec, text, error);
}

/* Reads the table at the top of the stack. *parameter becomes NULL where the family has
 * no such parameter. */
static bool read_parameter(lua_State *L,
                           const char *family,
                           WlParameter **parameter,
                           GError **error)
{
    static const char *const known[] = {"name",    "type",  "default", "min", "max",
                                        "choices", "chips", "help",    NULL};
    Table table = {.lua = L, .index = lua_gettop(L), .family = family};
    bool is_there = false;
    *parameter = NULL;
    if (lua_type(L, -1) != LUA_TTABLE) {
        return wl_refuse(error, "is not a table");
    }
    if (!field_check_known(L, -1, known, error) ||
        !read_chips(&table, &is_there, error)) {
        return false;
    }
    if (!is_there) {
        return true;
    }
    *parameter = read_fields(&table, error);
    if (*parameter == NULL && table.is_by_family) {
        g_prefix_error(error, "on %s: ", family);
    }
    return *parameter != NULL;
}

/* Appends the parameter that the table at the top of the stack declares. */
static bool
append_parameter(GPtrArray *list, lua_State *L, const char *family, GError **error)
{
    g_autoptr(WlParameter) parameter = NULL;
    if (!read_parameter(L, family, &parameter, error)) {
        return false;
    }
    if (parameter == NULL) {
        return true;
    }
    const char *name = parameter_view(parameter)->name;
    if (assignment_find(list, name) != NULL) {
        return wl_refuse(error, "name = '%s' is declared twice", name);
    }
    g_ptr_array_add(list, g_steal_pointer(&parameter));
    return true;
}

/* Appends what the list at the top of the stack declares. */
static bool
append_parameters(GPtrArray *list, lua_State *L, const char *family, GError **error)
{
    if (lua_type(L, -1) != LUA_TTABLE) {
        return wl_refuse(error, "parameters is not a list of tables");
    }
    lua_Unsigned count = lua_rawlen(L, -1);
    if (field_count(L, -1) != count) {
        return wl_refuse(error, "parameters is not a plain list");
    }
    for (guint i = 1; i <= count; i++) {
        lua_rawgeti(L, -1, i);
        bool is_read = append_parameter(list, L, family, error);
        lua_pop(L, 1);
        if (!is_read) {
            g_prefix_error(error, "parameters[%u]: ", i);
            return false;
        }
    }
    return true;
}

GPtrArray *
parameter_list_read(lua_State *L, int index, const char *family, GError **error)
{
    g_autoptr(GPtrArray) list =
        g_ptr_array_new_with_free_func((GDestroyNotify) parameter_free);
    field_push(L, index, "parameters");
    bool is_read = append_parameters(list, L, family, error);
    lua_pop(L, 1);
    return is_read && words_append(list, error) ? g_steal_pointer(&list) : NULL;
}
