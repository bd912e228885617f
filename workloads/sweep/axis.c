/* Reads the axes of a sweep from its file. */
#include "workloads/sweep/axis.h"

#include <string.h>

#include "workloads/error.h"
#include "workloads/sandbox/field.h"
#include "workloads/sandbox/quote.h"

enum {
    NAME_BYTES = 64,
};

void sweep_axis_clear(gpointer axis)
{
    SweepAxis *self = axis;

    g_clear_pointer(&self->name, g_free);
    g_clear_pointer(&self->with, g_free);
    g_clear_pointer(&self->values, g_array_unref);
}

GArray *sweep_axis_values_new(void)
{
    GArray *values = g_array_new(FALSE, FALSE, sizeof(SweepValue));

    g_array_set_clear_func(values, sweep_value_clear);
    return values;
}

static bool is_name(const char *text)
{
    const gsize length = strlen(text);

    if (length == 0 || length > NAME_BYTES ||
        (!g_ascii_isalpha(text[0]) && text[0] != '_')) {
        return false;
    }
    for (gsize i = 0; i < length; i++) {
        if (!g_ascii_isalnum(text[i]) && strchr("_.-", text[i]) == NULL) {
            return false;
        }
    }
    return true;
}

bool sweep_axis_kind(const char *name, WlSweepKind *kind, GError **error)
{
    static const char *const options[] = {"chip", "system", "threads", "seed", NULL};

    if (!is_name(name)) {
        g_autofree char *shown = quote_word(name);

        return wl_refuse(
            error,
            "'%s' is no name; expected a word of the script, a key of the chip "
            "(section.key), or chip, system, threads or seed",
            shown);
    }
    if (g_strv_contains(options, name)) {
        *kind = WL_SWEEP_OPTION;
    } else {
        *kind = strchr(name, '.') != NULL ? WL_SWEEP_KEY : WL_SWEEP_WORD;
    }
    return true;
}

/* The list at the top of the stack. What goes along with others may be the same with
 * several of them. */
static bool read_list(lua_State *L, SweepAxis *self, GError **error)
{
    GArray *values = self->values;
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    const lua_Unsigned count = lua_type(L, -1) == LUA_TTABLE ? lua_rawlen(L, -1) : 0;

    if (lua_type(L, -1) != LUA_TTABLE || field_count(L, -1) != count) {
        return wl_refuse(error, "values is not a plain list");
    }
    if (count == 0) {
        return wl_refuse(error, "has no values");
    }
    if (count > WL_SWEEP_VALUES_MAXIMUM) {
        g_set_error(error, WL_ERROR, WL_ERROR_FIT,
                    "has %" G_GUINT64_FORMAT " values, an axis has at most %d",
                    (guint64) count, WL_SWEEP_VALUES_MAXIMUM);
        return false;
    }
    /* Its texts stay where they are as the array grows. */
    for (lua_Unsigned i = 1; i <= count; i++) {
        SweepValue value = {0};

        lua_rawgeti(L, -1, (lua_Integer) i);
        const bool is_read = sweep_value_read(L, -1, &value, error);

        lua_pop(L, 1);
        if (!is_read) {
            g_prefix_error(error, "values[%" G_GUINT64_FORMAT "] ", (guint64) i);
            return false;
        }
        g_array_append_val(values, value);
        if (!g_hash_table_add(seen, value.text) && self->with == NULL) {
            return wl_refuse(error, "has the value %s twice", value.text);
        }
    }
    return true;
}

/* A list, or a range. */
static bool read_values(lua_State *L, SweepAxis *self, GError **error)
{
    static const char *const of_ranges[] = {"from", "to", "step", "points", "scale"};
    const int table = lua_gettop(L);
    bool is_list = field_push(L, table, "values") != LUA_TNIL;
    bool is_read = !is_list || read_list(L, self, error);

    lua_pop(L, 1);
    if (!is_read) {
        return false;
    }
    for (gsize i = 0; is_list && i < G_N_ELEMENTS(of_ranges); i++) {
        const bool is_there = field_push(L, table, of_ranges[i]) != LUA_TNIL;

        lua_pop(L, 1);
        if (is_there) {
            return wl_refuse(error, "has values and %s, expected one of them",
                             of_ranges[i]);
        }
    }
    if (is_list) {
        return true;
    }
    if (!sweep_range_read(L, table, &self->range, error)) {
        return false;
    }
    self->is_open = sweep_range_is_open(&self->range);
    return self->is_open || sweep_range_values(&self->range, self->values, error);
}

static bool read_with(lua_State *L, SweepAxis *self, GError **error)
{
    const bool is_there = field_push(L, -1, "with") != LUA_TNIL;

    lua_pop(L, 1);
    if (is_there) {
        self->with = g_strdup(field_text(L, -1, "with", error));
    }
    return !is_there || self->with != NULL;
}

bool sweep_axis_read(lua_State *L, SweepAxis *axis, GError **error)
{
    static const char *const known[] = {"name",   "values", "from", "to", "step",
                                        "points", "scale",  "with", NULL};
    const char *name;

    *axis = (SweepAxis){.values = sweep_axis_values_new(), .leader = -1};
    if (lua_type(L, -1) != LUA_TTABLE) {
        return wl_refuse(error, "is not a table { name = ..., values = ... }");
    }
    if (!field_check_known(L, -1, known, error)) {
        return false;
    }
    name = field_text(L, -1, "name", error);
    if (name == NULL || !sweep_axis_kind(name, &axis->kind, error)) {
        return false;
    }
    axis->name = g_strdup(name);
    if (!read_with(L, axis, error) || !read_values(L, axis, error)) {
        g_prefix_error(error, "%s: ", name);
        return false;
    }
    return true;
}
