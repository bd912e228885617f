/* A workload script: loaded into a sandbox, with the parameters it declares. */
#include "workloads/script.h"

#include <stdbool.h>
#include <string.h>

#include <glib.h>
#include <lauxlib.h>
#include <lua.h>

#include "sim/narrow.h"
#include "workloads/buffer/npy_file.h"
#include "workloads/error.h"
#include "workloads/host/family.h"
#include "workloads/sandbox/field.h"
#include "workloads/sandbox/sandbox.h"
#include "workloads/script/array_list.h"
#include "workloads/script/entry.h"
#include "workloads/script/families.h"
#include "workloads/script/kernels.h"
#include "workloads/script/parameter.h"
#include "workloads/script/parameter_list.h"

typedef struct {
    char *summary;
    char **families;  /* NULL-terminated */
    GPtrArray *lists; /* for each family a GPtrArray of WlParameter: the script's own,
                       * then those of all scripts */
    GPtrArray *arrays[WL_ARRAY_WAYS]; /* likewise of WlScriptArray */
} WlDeclaration;

static const char *const array_fields[] = {"inputs", "outputs"};
static const char *const array_nouns[] = {"input", "output"};

static void declaration_free(WlDeclaration *self)
{
    if (self != NULL) {
        g_free(self->summary);
        g_strfreev(self->families);
        g_clear_pointer(&self->lists, g_ptr_array_unref);
        for (guint way = 0; way < WL_ARRAY_WAYS; way++) {
            g_clear_pointer(&self->arrays[way], g_ptr_array_unref);
        }
        g_free(self);
    }
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WlDeclaration, declaration_free)

static bool read_summary(WlDeclaration *self, lua_State *L, int index, GError **error)
{
    self->summary = g_strdup(field_summary(L, index, error));
    return self->summary != NULL;
}

/* One list for each family the script runs on. */
static bool
read_parameters(WlDeclaration *self, lua_State *L, int index, GError **error)
{
    self->lists = g_ptr_array_new_with_free_func((GDestroyNotify) g_ptr_array_unref);
    for (guint i = 0; self->families[i] != NULL; i++) {
        GPtrArray *list = parameter_list_read(L, index, self->families[i], error);
        if (list == NULL) {
            return false;
        }
        g_ptr_array_add(self->lists, list);
    }
    return true;
}

/* The same for arrays. */
static bool read_arrays(WlDeclaration *self, lua_State *L, int index, GError **error)
{
    for (guint way = 0; way < WL_ARRAY_WAYS; way++) {
        self->arrays[way] =
            g_ptr_array_new_with_free_func((GDestroyNotify) g_ptr_array_unref);
        for (guint i = 0; self->families[i] != NULL; i++) {
            GPtrArray *list =
                array_list_read(L, index, array_fields[way], self->families[i], error);
            if (list == NULL) {
                return false;
            }
            g_ptr_array_add(self->arrays[way], list);
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
    return is_good || wl_refuse(error, "kernels is not a table of functions by name");
}

/* Reads the value at `index`; runs no Lua. Fails with WL_ERROR_SYNTAX, saying where:
 * `parameters[2]: help is missing, expected a string`. */
static WlDeclaration *declaration_read(lua_State *L, int index, GError **error)
{
    static const char *const known[] = {"summary", "chips",  "parameters", "run",
                                        "kernels", "inputs", "outputs",    NULL};
    index = lua_absindex(L, index);
    if (lua_type(L, index) != LUA_TTABLE) {
        g_set_error(error, WL_ERROR, WL_ERROR_SYNTAX,
                    "the script returns no declaration, but a %s; expected return { "
                    "summary = ..., chips = ..., parameters = ..., run = ... }",
                    lua_typename(L, lua_type(L, index)));
        return NULL;
    }
    /* The deepest reader has a list, a table of it, a field of that, the field's value
     * for a family, and a key and a value of that on the stack. */
    if (lua_checkstack(L, 16) == 0) {
        wl_refuse(error, "the Lua stack is full");
        return NULL;
    }
    g_autoptr(WlDeclaration) self = g_new0(WlDeclaration, 1);
    if (!field_check_known(L, index, known, error) ||
        !read_summary(self, L, index, error) ||
        (self->families = families_read(L, index, error)) == NULL ||
        !read_parameters(self, L, index, error) ||
        !read_arrays(self, L, index, error)) {
        return NULL;
    }
    bool is_function = field_push(L, index, "run") == LUA_TFUNCTION;
    lua_pop(L, 1);
    if (!is_function) {
        wl_refuse(error, "run is not a function");
        return NULL;
    }
    if (!check_kernels(L, index, error)) {
        return NULL;
    }
    return g_steal_pointer(&self);
}

/* Pushes the declared function `run`. */
static void declaration_push_run(lua_State *L, int index)
{
    field_push(L, index, "run");
}

/* Pushes the declared table `kernels`, or nil. */
static void declaration_push_kernels(lua_State *L, int index)
{
    field_push(L, index, "kernels");
}

/* Its address is the registry key of the function `run`. */
static const char run_key = 0;

struct WlScript {
    char *path;
    char *name;
    WlSandbox *sandbox;
    WlDeclaration *declaration;
    guint family; /* the chosen one: its place in the declaration */
};

WlSandboxConfig wl_sandbox_config_default(void)
{
    return (WlSandboxConfig){
        .memory_bytes = G_GUINT64_CONSTANT(4) << 30,
        .steps = G_GUINT64_CONSTANT(400000000),
        .seed = 1,
    };
}

static char *name_of(const char *path)
{
    char *name = g_path_get_basename(path);
    if (g_str_has_suffix(name, ".lua") && !g_str_equal(name, ".lua")) {
        name[strlen(name) - strlen(".lua")] = '\0';
    }
    return name;
}

/* Lua function: keeps its arguments, the function `run` and the table of kernels, in
 * the registry. */
static int keep_functions(lua_State *L)
{
    lua_settop(L, 2);
    kernels_keep(L, 2);
    lua_settop(L, 1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &run_key);
    return 0;
}

/* Reads the declaration at the top of the stack. */
static bool read_declaration(WlScript *self, GError **error)
{
    lua_State *L = sandbox_state(self->sandbox);
    self->declaration = declaration_read(L, -1, error);
    if (self->declaration == NULL) {
        g_prefix_error(error, "%s: ", self->path);
        return false;
    }
    lua_pushcfunction(L, keep_functions);
    declaration_push_run(L, -2);
    declaration_push_kernels(L, -3);
    return sandbox_call(L, 2, 0, error);
}

WlScript *
wl_script_load(const char *path, const WlSandboxConfig *config, GError **error)
{
    g_return_val_if_fail(path != NULL && config != NULL, NULL);
    g_autoptr(WlSandbox) sandbox = loader_open(path, config, host_families_open, error);
    if (sandbox == NULL) {
        return NULL;
    }
    g_autoptr(WlScript) self = g_new0(WlScript, 1);
    self->path = g_strdup(path);
    self->name = name_of(path);
    self->sandbox = g_steal_pointer(&sandbox);
    if (!read_declaration(self, error)) {
        return NULL;
    }
    lua_settop(sandbox_state(self->sandbox), 0);
    sandbox_progress(self->sandbox);
    return g_steal_pointer(&self);
}

void wl_script_free(WlScript *self)
{
    if (self != NULL) {
        declaration_free(self->declaration);
        sandbox_free(self->sandbox);
        g_free(self->name);
        g_free(self->path);
        g_free(self);
    }
}

const char *wl_script_path(const WlScript *self)
{
    return self->path;
}

void wl_script_rename(WlScript *self, const char *name)
{
    g_free(self->name);
    self->name = g_strdup(name);
}

const char *wl_script_name(const WlScript *self)
{
    return self->name;
}

const char *wl_script_summary(const WlScript *self)
{
    return self->declaration->summary;
}

const char *const *wl_script_families(const WlScript *self)
{
    return (const char *const *) self->declaration->families;
}

const char *wl_script_family(const WlScript *self)
{
    return self->declaration->families[self->family];
}

bool wl_script_choose_family(WlScript *self, const char *family)
{
    for (guint i = 0; self->declaration->families[i] != NULL; i++) {
        if (strcmp(self->declaration->families[i], family) == 0) {
            self->family = i;
            return true;
        }
    }
    return false;
}

static const GPtrArray *chosen_list(const WlScript *self)
{
    return self->declaration->lists->pdata[self->family];
}

guint wl_script_param_count(const WlScript *self)
{
    return chosen_list(self)->len;
}

const WlParam *wl_script_param(const WlScript *self, guint index)
{
    g_return_val_if_fail(index < wl_script_param_count(self), NULL);
    return parameter_view(chosen_list(self)->pdata[index]);
}

static JsonObject *values_of(const WlScript *self, bool is_given_only)
{
    JsonObject *object = json_object_new();

    for (guint i = 0; i < wl_script_param_count(self); i++) {
        const WlParam *param = wl_script_param(self, i);

        if (is_given_only && !param->is_set) {
            continue;
        }
        switch (param->type) {
        case WL_PARAM_INTEGER:
            json_object_set_int_member(object, param->name,
                                       g_ascii_strtoll(param->value_text, NULL, 10));
            break;
        case WL_PARAM_NUMBER:
            json_object_set_double_member(object, param->name,
                                          g_ascii_strtod(param->value_text, NULL));
            break;
        case WL_PARAM_SWITCH:
        case WL_PARAM_TEXT:
        case WL_PARAM_CHOICE:
            json_object_set_string_member(object, param->name, param->value_text);
            break;
        }
    }
    return object;
}

JsonObject *wl_script_values(const WlScript *self)
{
    return values_of(self, false);
}

JsonObject *wl_script_given(const WlScript *self)
{
    return values_of(self, true);
}

/* Fails if the word names a parameter that only another family has. */
static bool check_place(const WlScript *self, const char *word, GError **error)
{
    g_autofree char *name = g_strndup(word, strcspn(word, "="));
    if (assignment_find(chosen_list(self), name) != NULL) {
        return true;
    }
    for (guint i = 0; self->declaration->families[i] != NULL; i++) {
        if (assignment_find(self->declaration->lists->pdata[i], name) != NULL) {
            return sim_fail(error, WL_ERROR, WL_ERROR_KEY, "%s exists on %s only", name,
                            self->declaration->families[i]);
        }
    }
    return true;
}

/* The script in front of a message. */
static bool prefix(const WlScript *self, GError **error)
{
    if (self->declaration->families[1] == NULL) {
        g_prefix_error(error, "%s: ", self->name);
    } else {
        g_prefix_error(error, "%s on %s: ", self->name, wl_script_family(self));
    }
    return false;
}

bool wl_script_set(WlScript *self, const char *assignment, GError **error)
{
    return (check_place(self, assignment, error) &&
            assignment_apply(chosen_list(self), assignment, error)) ||
           prefix(self, error);
}

static GPtrArray *chosen_arrays(const WlScript *self, WlArrayWay way)
{
    return self->declaration->arrays[way]->pdata[self->family];
}

guint wl_script_array_count(const WlScript *self, WlArrayWay way)
{
    return chosen_arrays(self, way)->len;
}

const WlScriptArray *wl_script_array(const WlScript *self, WlArrayWay way, guint index)
{
    g_return_val_if_fail(index < wl_script_array_count(self, way), NULL);
    return chosen_arrays(self, way)->pdata[index];
}

const WlScriptArray *
wl_script_find_array(const WlScript *self, WlArrayWay way, const char *name)
{
    return array_list_find(chosen_arrays(self, way), name);
}

bool wl_script_set_file(WlScript *self,
                        WlArrayWay way,
                        const char *word,
                        GError **error)
{
    NpyArray array;

    if (!array_list_set(chosen_arrays(self, way), array_nouns[way], word, error)) {
        return prefix(self, error);
    }
    return way == WL_OUTPUTS || npy_file_look(strchr(word, '=') + 1, &array, error);
}

WlSandbox *script_sandbox(WlScript *self)
{
    return self->sandbox;
}

void script_push_run(const WlScript *self, lua_State *L)
{
    g_assert(sandbox_of(L) == self->sandbox);
    lua_rawgetp(L, LUA_REGISTRYINDEX, &run_key);
}

static void push_value(lua_State *L, const WlParameter *parameter)
{
    switch (parameter_view(parameter)->type) {
    case WL_PARAM_INTEGER:
        lua_pushinteger(L, parameter_integer(parameter));
        return;
    case WL_PARAM_NUMBER:
        lua_pushnumber(L, parameter_number(parameter));
        return;
    case WL_PARAM_SWITCH:
        lua_pushboolean(L, parameter_is_on(parameter));
        return;
    case WL_PARAM_TEXT:
    case WL_PARAM_CHOICE:
        lua_pushstring(L, parameter_text(parameter));
        return;
    }
    g_assert_not_reached();
}

void script_push_values(const WlScript *self, lua_State *L)
{
    const GPtrArray *parameters = chosen_list(self);
    luaL_checkstack(L, 3, NULL);
    lua_createtable(L, 0, sim_i32(parameters->len));
    for (guint i = 0; i < parameters->len; i++) {
        push_value(L, parameters->pdata[i]);
        lua_setfield(L, -2, parameter_view(parameters->pdata[i])->name);
    }
}

/* The value on top of the stack, if it has the type of the parameter; or NULL. */
static JsonNode *value_of(lua_State *L, WlParamType type)
{
    JsonNode *node = NULL;

    if (type == WL_PARAM_INTEGER && lua_isinteger(L, -1) != 0) {
        node = json_node_init_int(json_node_alloc(), lua_tointeger(L, -1));
    } else if (type == WL_PARAM_NUMBER && lua_type(L, -1) == LUA_TNUMBER) {
        node = json_node_init_double(json_node_alloc(), lua_tonumber(L, -1));
    } else if (type == WL_PARAM_SWITCH && lua_isboolean(L, -1)) {
        node = json_node_init_string(json_node_alloc(),
                                     lua_toboolean(L, -1) != 0 ? "on" : "off");
    } else if ((type == WL_PARAM_TEXT || type == WL_PARAM_CHOICE) &&
               lua_type(L, -1) == LUA_TSTRING &&
               g_utf8_validate(lua_tostring(L, -1), -1, NULL)) {
        node = json_node_init_string(json_node_alloc(), lua_tostring(L, -1));
    }
    return node;
}

void script_keep_values(const WlScript *self, lua_State *L, JsonObject *values)
{
    luaL_checkstack(L, 1, NULL);
    for (guint i = 0; i < wl_script_param_count(self); i++) {
        const WlParam *param = wl_script_param(self, i);
        JsonNode *node = NULL;

        if (json_object_has_member(values, param->name)) {
            continue;
        }
        /* Raw: the script may have given the table a metatable. */
        lua_pushstring(L, param->name);
        lua_rawget(L, -2);
        node = value_of(L, param->type);
        lua_pop(L, 1);
        if (node != NULL) {
            json_object_set_member(values, param->name, node);
        }
    }
}
