/* Reads the table that a sweep file returns. */
#include "workloads/sweep/file.h"

#include <string.h>

#include "sim/narrow.h"
#include "workloads/error.h"
#include "workloads/sandbox/field.h"
#include "workloads/sweep/axis.h"

enum {
    AXES_MAXIMUM = 64,
    SAMPLES_MINIMUM = 2, /* of 'gridloom run --uncertainty' */
    SAMPLES_MAXIMUM = 10000,
    FILE_TABLE = 1, /* where what it returned lies on the stack */
};

static GArray *axes_new(void)
{
    GArray *axes = g_array_new(FALSE, FALSE, sizeof(SweepAxis));

    g_array_set_clear_func(axes, sweep_axis_clear);
    return axes;
}

void sweep_file_init(SweepFile *self)
{
    *self = (SweepFile){.fixed = axes_new(), .axes = axes_new(), .mix = {.seed = 1}};
    sweep_asked_init(&self->asked);
}

void sweep_file_clear(SweepFile *self)
{
    sweep_asked_clear(&self->asked);
    g_clear_pointer(&self->axes, g_array_unref);
    g_clear_pointer(&self->fixed, g_array_unref);
    g_clear_pointer(&self->script, g_free);
    g_clear_pointer(&self->summary, g_free);
}

static bool has_name(const GArray *axes, const char *name)
{
    for (guint i = 0; i < axes->len; i++) {
        if (g_str_equal(g_array_index(axes, SweepAxis, i).name, name)) {
            return true;
        }
    }
    return false;
}

/* Adds name = the value at the top of the stack to what is the same in all runs. */
static bool add_fixed(SweepFile *self, lua_State *L, const char *name, GError **error)
{
    SweepAxis axis = {0};
    SweepValue value = {0};

    if (!sweep_axis_kind(name, &axis.kind, error)) {
        return false;
    }
    if (has_name(self->fixed, name)) {
        return wl_refuse(error, "%s is there twice", name);
    }
    if (!sweep_value_read(L, -1, &value, error)) {
        g_prefix_error(error, "%s ", name);
        return false;
    }
    g_array_append_val(self->fixed, axis);
    SweepAxis *added = &g_array_index(self->fixed, SweepAxis, self->fixed->len - 1);

    added->name = g_strdup(name);
    added->values = sweep_axis_values_new();
    g_array_append_val(added->values, value);
    return true;
}

/* A field that is an option of all runs, too. */
static bool read_option(SweepFile *self, lua_State *L, const char *name, GError **error)
{
    const int type = field_push(L, FILE_TABLE, name);
    bool is_read = type == LUA_TNIL || type == LUA_TSTRING;

    if (!is_read) {
        g_set_error(error, WL_ERROR, WL_ERROR_SYNTAX, "%s is a %s, expected a string",
                    name, lua_typename(L, type));
    } else if (type == LUA_TSTRING) {
        is_read = add_fixed(self, L, name, error);
    }
    lua_pop(L, 1);
    return is_read;
}

static int compare_axes(gconstpointer first, gconstpointer second)
{
    const SweepAxis *one = first;
    const SweepAxis *two = second;

    return strcmp(one->name, two->name);
}

/* The table at the top of the stack, if it is one. */
static bool read_fixed_table(SweepFile *self, lua_State *L, GError **error)
{
    if (lua_type(L, -1) == LUA_TNIL) {
        return true;
    }
    if (lua_type(L, -1) != LUA_TTABLE) {
        return wl_refuse(error, "fixed is not a table of name = value");
    }
    for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1)) {
        const bool is_name = lua_type(L, -2) == LUA_TSTRING;

        if (!is_name || !add_fixed(self, L, lua_tostring(L, -2), error)) {
            if (is_name) {
                g_prefix_error(error, "fixed: ");
            } else {
                wl_refuse(error, "fixed is not a table of name = value");
            }
            lua_pop(L, 2);
            return false;
        }
    }
    return true;
}

static bool read_fixed(SweepFile *self, lua_State *L, GError **error)
{
    bool is_read;

    if (!read_option(self, L, "system", error) ||
        !read_option(self, L, "chip", error)) {
        return false;
    }
    field_push(L, FILE_TABLE, "fixed");
    is_read = read_fixed_table(self, L, error);
    lua_pop(L, 1);
    /* Lua's order differs from run to run. */
    g_array_sort(self->fixed, compare_axes);
    return is_read;
}

/* Finds what the last axis goes along with, value by value. */
static bool find_leader(SweepFile *self, GError **error)
{
    SweepAxis *axis = &g_array_index(self->axes, SweepAxis, self->axes->len - 1);

    for (guint i = 0; axis->with != NULL && i + 1 < self->axes->len; i++) {
        const SweepAxis *other = &g_array_index(self->axes, SweepAxis, i);

        if (!g_str_equal(other->name, axis->with)) {
            continue;
        }
        if (other->is_open || axis->is_open ||
            other->values->len != axis->values->len) {
            return wl_refuse(error, "%s has %u values and goes with %s, which has %u",
                             axis->name, axis->values->len, other->name,
                             other->values->len);
        }
        axis->leader = other->leader >= 0 ? other->leader : sim_i32(i);
    }
    if (axis->with != NULL && axis->leader < 0) {
        return wl_refuse(error, "%s goes with %s, which is no axis before it",
                         axis->name, axis->with);
    }
    return true;
}

/* The table of an axis at the top of the stack. */
static bool add_axis(SweepFile *self, lua_State *L, GError **error)
{
    SweepAxis axis = {0};
    const bool is_read = sweep_axis_read(L, &axis, error);
    const bool is_fixed = is_read && has_name(self->fixed, axis.name);
    const bool is_there = is_read && has_name(self->axes, axis.name);

    g_array_append_val(self->axes, axis);
    if (is_fixed || is_there) {
        return wl_refuse(error, "%s is %s", axis.name,
                         is_fixed ? "fixed and cannot be varied" : "an axis twice");
    }
    return is_read && find_leader(self, error);
}

/* The list at the top of the stack. */
static bool read_axis_list(SweepFile *self, lua_State *L, GError **error)
{
    const lua_Unsigned count = lua_type(L, -1) == LUA_TTABLE ? lua_rawlen(L, -1) : 0;

    if (count == 0 || count > AXES_MAXIMUM || field_count(L, -1) != count) {
        return wl_refuse(
            error, "axes is not a list of 1..%d tables { name = ..., values = ... }",
            AXES_MAXIMUM);
    }
    for (lua_Unsigned i = 1; i <= count; i++) {
        lua_rawgeti(L, -1, (lua_Integer) i);
        const bool is_read = add_axis(self, L, error);

        lua_pop(L, 1);
        if (!is_read) {
            g_prefix_error(error, "axes[%" G_GUINT64_FORMAT "]: ", (guint64) i);
            return false;
        }
    }
    return true;
}

static bool read_axes(SweepFile *self, lua_State *L, GError **error)
{
    field_push(L, FILE_TABLE, "axes");
    const bool is_read = read_axis_list(self, L, error);

    lua_pop(L, 1);
    return is_read;
}

/* A whole number in a field, 1e3 as well as 1000; *value stays where it is missing. */
static bool read_count(lua_State *L,
                       const char *name,
                       lua_Integer least,
                       lua_Integer *value,
                       GError **error)
{
    const int type = field_push(L, FILE_TABLE, name);
    int is_whole = 0;
    const lua_Integer number = lua_tointegerx(L, -1, &is_whole);

    lua_pop(L, 1);
    if (type == LUA_TNIL) {
        return true;
    }
    if (type != LUA_TNUMBER || is_whole == 0 || number < least) {
        return wl_refuse(error, "%s is not a whole number from %d on", name,
                         sim_i32(least));
    }
    *value = number;
    return true;
}

static bool read_combine(SweepFile *self, lua_State *L, GError **error)
{
    static const char *const names[] = {
        [SWEEP_FULL] = "full", [SWEEP_RANDOM] = "random", [SWEEP_LATIN] = "latin"};
    const bool is_there = field_push(L, FILE_TABLE, "combine") != LUA_TNIL;
    const char *text;

    lua_pop(L, 1);
    if (!is_there) {
        return true;
    }
    text = field_text(L, FILE_TABLE, "combine", error);
    for (guint i = 0; text != NULL && i < G_N_ELEMENTS(names); i++) {
        if (g_str_equal(text, names[i])) {
            self->mix.combine = (SweepCombine) i;
            return true;
        }
    }
    return text != NULL &&
           wl_refuse(error, "combine is none of \"full\", \"random\", \"latin\"");
}

static bool read_mix(SweepFile *self, lua_State *L, GError **error)
{
    lua_Integer samples = 0;
    lua_Integer seed = 1;

    if (!read_combine(self, L, error) ||
        !read_count(L, "samples", 1, &samples, error) ||
        !read_count(L, "seed", 0, &seed, error)) {
        return false;
    }
    if (self->mix.combine == SWEEP_FULL && samples > 0) {
        return wl_refuse(error, "samples is for combine = \"random\" or \"latin\"");
    }
    /* Samples of all axes are in memory, combinations are only counted. */
    const lua_Integer most = WL_SWEEP_POINTS_MAXIMUM / (lua_Integer) self->axes->len;

    if (self->mix.combine != SWEEP_FULL && (samples == 0 || samples > most)) {
        return wl_refuse(error, "samples is %s, combine needs 1..%d of them",
                         samples == 0 ? "missing" : "too large", sim_i32(most));
    }
    self->mix.samples = sim_u32(samples);
    self->mix.seed = (uint64_t) seed;
    return true;
}

static bool read_head(SweepFile *self, lua_State *L, GError **error)
{
    const char *summary = field_summary(L, FILE_TABLE, error);
    const char *script =
        summary != NULL ? field_text(L, FILE_TABLE, "script", error) : NULL;
    int type;

    if (script == NULL) {
        return false;
    }
    self->summary = g_strdup(summary);
    self->script = g_strdup(script);
    type = field_push(L, FILE_TABLE, "timing_only");
    self->is_timing_only = lua_toboolean(L, -1) != 0;
    lua_pop(L, 1);
    if (type != LUA_TNIL && type != LUA_TBOOLEAN) {
        return wl_refuse(error, "timing_only is neither true nor false");
    }
    return true;
}

/* Samples of the chip's ranges in each run, and columns for what comes of them. */
static bool read_uncertainty(SweepFile *self, lua_State *L, GError **error)
{
    lua_Integer samples = 0;

    if (!read_count(L, "uncertainty", SAMPLES_MINIMUM, &samples, error)) {
        return false;
    }
    if (samples > SAMPLES_MAXIMUM) {
        return wl_refuse(error,
                         "uncertainty is more than %d samples of the chip's ranges",
                         SAMPLES_MAXIMUM);
    }
    self->uncertainty = sim_u32(samples);
    return samples == 0 || sweep_asked_add_intervals(&self->asked, error);
}

static bool has_unattributed(const GArray *axes)
{
    for (guint i = 0; i < axes->len; i++) {
        const SweepAxis *axis = &g_array_index(axes, SweepAxis, i);

        for (guint k = 0;
             g_str_equal(axis->name, "unattributed") && k < axis->values->len; k++) {
            if (g_str_equal(g_array_index(axis->values, SweepValue, k).text, "on")) {
                return true;
            }
        }
    }
    return false;
}

/* Runs with unattributed=on have a column that says how much of it they contain. */
static void mark_unattributed(SweepFile *self)
{
    if (has_unattributed(self->fixed) || has_unattributed(self->axes)) {
        sweep_asked_add(&self->asked, "unattributed_cycles", "stalls.unattributed");
    }
}

/* Columns have different names, and SQLite does not tell A from a. */
static bool check_columns(const SweepFile *self, GError **error)
{
    static const char *const own[] = {"run", "status", "error"};
    g_autoptr(GHashTable) seen =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    const guint axis_count = self->axes->len;

    for (gsize i = 0; i < G_N_ELEMENTS(own); i++) {
        g_hash_table_add(seen, g_strdup(own[i]));
    }
    for (guint i = 0; i < axis_count + self->asked.records->len; i++) {
        const char *name = i < axis_count ? g_array_index(self->axes, SweepAxis, i).name
                                          : g_array_index(self->asked.records,
                                                          WlSweepRecord, i - axis_count)
                                                .name;

        if (!g_hash_table_add(seen, g_ascii_strdown(name, -1))) {
            return wl_refuse(
                error,
                "%s: a column of this name is there already; each axis and all "
                "that is recorded has a name of its own, and run, status and "
                "error are taken",
                name);
        }
    }
    return true;
}

bool sweep_file_read(SweepFile *self, lua_State *L, GError **error)
{
    static const char *const known[] = {
        "summary", "script",  "system",      "chip",  "fixed",  "axes",
        "combine", "samples", "seed",        "where", "record", "timing_only",
        "plots",   "pareto",  "uncertainty", NULL};

    if (lua_type(L, FILE_TABLE) != LUA_TTABLE) {
        return wl_refuse(
            error,
            "the file returns no sweep, but a %s; expected return { summary = "
            "..., script = ..., axes = { { name = ..., values = ... } }, "
            "record = ... }",
            lua_typename(L, lua_type(L, FILE_TABLE)));
    }
    /* The deepest reader has a list, a table of it, a list of that, and a value. */
    if (lua_checkstack(L, 16) == 0) {
        return wl_refuse(error, "the Lua stack is full");
    }
    if (!field_check_known(L, FILE_TABLE, known, error) || !read_head(self, L, error) ||
        !read_fixed(self, L, error) || !read_axes(self, L, error) ||
        !read_mix(self, L, error) ||
        !sweep_asked_read(&self->asked, L, FILE_TABLE, error) ||
        !read_uncertainty(self, L, error)) {
        return false;
    }
    mark_unattributed(self);
    return check_columns(self, error);
}
