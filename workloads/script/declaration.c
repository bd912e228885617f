/* What a script says about itself: the table it returns. */
#include "workloads/script/declaration.h"

#include <stdbool.h>

#include "workloads/error.h"
#include "workloads/sandbox/field.h"
#include "workloads/script/families.h"
#include "workloads/script/parameter_list.h"
#include "workloads/script/summary.h"

static bool read_summary(WlDeclaration *self, lua_State *L, int index, GError **error)
{
    self->summary = g_strdup(summary_read(L, index, error));
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
        !read_parameters(self, L, index, error)) {
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

void declaration_free(WlDeclaration *self)
{
    if (self != NULL) {
        g_free(self->summary);
        g_strfreev(self->families);
        g_clear_pointer(&self->lists, g_ptr_array_unref);
        g_free(self);
    }
}

void declaration_push_run(lua_State *L, int index)
{
    field_push(L, index, "run");
}

void declaration_push_kernels(lua_State *L, int index)
{
    field_push(L, index, "kernels");
}
