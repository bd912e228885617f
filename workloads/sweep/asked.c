/* Reads what a sweep file asks of its results. */
#include <math.h>
#include <string.h>

#include "sim/narrow.h"
#include "workloads/error.h"
#include "workloads/sandbox/field.h"
#include "workloads/sweep/file.h"

enum {
    CHUNK_BYTES = 1024,
    RECORDS_MAXIMUM = 1000, /* SQLite has at most 2000 columns */
    RECORDS_WITH_INTERVALS_MAXIMUM = 600,
};

void sweep_asked_init(SweepAsked *self)
{
    *self = (SweepAsked){
        .texts = g_string_chunk_new(CHUNK_BYTES),
        .records = g_array_new(FALSE, FALSE, sizeof(WlSweepRecord)),
        .plots = g_array_new(FALSE, FALSE, sizeof(WlSweepPlot)),
    };
}

void sweep_asked_clear(SweepAsked *self)
{
    g_clear_pointer(&self->plots, g_array_unref);
    g_clear_pointer(&self->records, g_array_unref);
    g_clear_pointer(&self->texts, g_string_chunk_free);
}

/* The text at `index`, of one line; NULL where it is none. Borrowed from Lua. */
static const char *line_at(lua_State *L, int index)
{
    gsize length = 0;
    const char *text =
        lua_type(L, index) == LUA_TSTRING ? lua_tolstring(L, index, &length) : NULL;

    return text != NULL && length > 0 && strlen(text) == length &&
                   strpbrk(text, "\r\n") == NULL && g_utf8_validate(text, -1, NULL)
               ? text
               : NULL;
}

static void add_record(const SweepAsked *self, const char *name, const char *formula)
{
    WlSweepRecord record = {.name = g_string_chunk_insert(self->texts, name),
                            .formula = g_string_chunk_insert(self->texts, formula)};

    g_array_append_val(self->records, record);
}

/* Reads the records in the list part, in order; skips named ones. */
static bool read_listed(const SweepAsked *self, lua_State *L, GError **error)
{
    const lua_Unsigned count = lua_rawlen(L, -1);

    for (lua_Unsigned i = 1; i <= count; i++) {
        const char *text;

        lua_rawgeti(L, -1, (lua_Integer) i);
        text = line_at(L, -1);
        if (text != NULL) {
            add_record(self, text, text);
        }
        lua_pop(L, 1);
        if (text == NULL) {
            return wl_refuse(error,
                             "record[%" G_GUINT64_FORMAT
                             "] is not the name of a member of results, or a formula",
                             (guint64) i);
        }
    }
    return true;
}

static int compare_names(gconstpointer first, gconstpointer second)
{
    const WlSweepRecord *one = first;
    const WlSweepRecord *two = second;

    return strcmp(one->name, two->name);
}

/* Reads the named records, sorted by name: Lua's order differs from run to run. */
static bool read_named(const SweepAsked *self, lua_State *L, GError **error)
{
    const guint first = self->records->len;
    const lua_Unsigned listed = lua_rawlen(L, -1);

    for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1)) {
        const lua_Integer place = lua_isinteger(L, -2) ? lua_tointeger(L, -2) : 0;
        const char *name = line_at(L, -2);
        const char *formula = line_at(L, -1);

        if (place >= 1 && (lua_Unsigned) place <= listed) {
            continue;
        }
        if (name == NULL || formula == NULL) {
            lua_pop(L, 2);
            return wl_refuse(error, "record is not a list of names and formulas, or a "
                                    "table of name = formula");
        }
        add_record(self, name, formula);
    }
    if (self->records->len > first) {
        qsort(&g_array_index(self->records, WlSweepRecord, first),
              self->records->len - first, sizeof(WlSweepRecord), compare_names);
    }
    return true;
}

static bool read_records(SweepAsked *self, lua_State *L, int index, GError **error)
{
    const int type = field_push(L, index, "record");
    bool is_read = true;

    if (type == LUA_TNIL) {
        add_record(self, "seconds", "seconds");
        add_record(self, "cycles", "cycles");
    } else if (type != LUA_TTABLE || field_count(L, -1) == 0 ||
               field_count(L, -1) > RECORDS_MAXIMUM) {
        is_read =
            wl_refuse(error, "record is not a table with 1..1000 names and formulas");
    } else {
        is_read = read_listed(self, L, error) && read_named(self, L, error);
    }
    lua_pop(L, 1);
    return is_read;
}

/* A text in a field of the table at the top of the stack, NULL where it is missing. */
static bool read_text(const SweepAsked *self,
                      lua_State *L,
                      const char *name,
                      const char **text,
                      GError **error)
{
    const int type = field_push(L, -1, name);
    const char *line = line_at(L, -1);

    *text = line != NULL ? g_string_chunk_insert(self->texts, line) : NULL;
    lua_pop(L, 1);
    if (type != LUA_TNIL && *text == NULL) {
        return wl_refuse(error, "%s is not a text of one line", name);
    }
    return true;
}

static bool read_switch(lua_State *L, const char *name, bool *is_on, GError **error)
{
    const int type = field_push(L, -1, name);

    *is_on = lua_toboolean(L, -1) != 0;
    lua_pop(L, 1);
    if (type != LUA_TNIL && type != LUA_TBOOLEAN) {
        return wl_refuse(error, "%s is neither true nor false", name);
    }
    return true;
}

/* The table { name =, y = } at the top of the stack. */
static bool
read_level(const SweepAsked *self, lua_State *L, WlSweepLevel *level, GError **error)
{
    static const char *const known[] = {"name", "y", NULL};
    bool is_number;

    if (lua_type(L, -1) != LUA_TTABLE) {
        return wl_refuse(error, "is not a table { name = ..., y = ... }");
    }
    if (!field_check_known(L, -1, known, error) ||
        !read_text(self, L, "name", &level->name, error)) {
        return false;
    }
    is_number = field_push(L, -1, "y") == LUA_TNUMBER;
    level->y = lua_tonumber(L, -1);
    lua_pop(L, 1);
    return (level->name != NULL && is_number && isfinite(level->y)) ||
           wl_refuse(error, "needs a name and a number y");
}

/* Field `levels` of the table at the top of the stack. */
static bool
read_levels(const SweepAsked *self, lua_State *L, WlSweepPlot *plot, GError **error)
{
    const int type = field_push(L, -1, "levels");
    const lua_Unsigned count = type == LUA_TTABLE ? lua_rawlen(L, -1) : 0;
    bool is_read = type == LUA_TNIL ||
                   (type == LUA_TTABLE && field_count(L, -1) == count &&
                    count <= WL_SWEEP_LEVELS_MAXIMUM) ||
                   wl_refuse(error, "levels is not a list of at most 8 tables");

    for (lua_Unsigned i = 1; is_read && i <= count; i++) {
        lua_rawgeti(L, -1, (lua_Integer) i);
        is_read = read_level(self, L, &plot->levels[i - 1], error);
        lua_pop(L, 1);
        if (!is_read) {
            g_prefix_error(error, "levels[%" G_GUINT64_FORMAT "] ", (guint64) i);
        }
    }
    lua_pop(L, 1);
    plot->level_count = sim_u32(count);
    return is_read;
}

/* The table at the top of the stack. */
static bool read_plot(const SweepAsked *self, lua_State *L, GError **error)
{
    static const char *const known[] = {"x",     "by",    "y",      "title",
                                        "log_x", "log_y", "levels", NULL};
    WlSweepPlot plot = {0};

    if (lua_type(L, -1) != LUA_TTABLE) {
        return wl_refuse(error, "is not a table { x = ..., by = ..., y = ... }");
    }
    if (!field_check_known(L, -1, known, error) ||
        !read_text(self, L, "x", &plot.x, error) ||
        !read_text(self, L, "by", &plot.by, error) ||
        !read_text(self, L, "y", &plot.y, error) ||
        !read_text(self, L, "title", &plot.title, error) ||
        !read_switch(L, "log_x", &plot.is_log_x, error) ||
        !read_switch(L, "log_y", &plot.is_log_y, error) ||
        !read_levels(self, L, &plot, error)) {
        return false;
    }
    if (plot.x == NULL) {
        return wl_refuse(error, "x is missing, expected the name of an axis");
    }
    g_array_append_val(self->plots, plot);
    return true;
}

static bool read_plots(SweepAsked *self, lua_State *L, int index, GError **error)
{
    const int type = field_push(L, index, "plots");
    const lua_Unsigned count = type == LUA_TTABLE ? lua_rawlen(L, -1) : 0;
    bool is_read = type == LUA_TNIL ||
                   (type == LUA_TTABLE && field_count(L, -1) == count) ||
                   wl_refuse(error, "plots is not a list of tables");

    for (lua_Unsigned i = 1; is_read && i <= count; i++) {
        lua_rawgeti(L, -1, (lua_Integer) i);
        is_read = read_plot(self, L, error);
        lua_pop(L, 1);
        if (!is_read) {
            g_prefix_error(error, "plots[%" G_GUINT64_FORMAT "]: ", (guint64) i);
        }
    }
    lua_pop(L, 1);
    return is_read;
}

static bool read_pareto(SweepAsked *self, lua_State *L, int index, GError **error)
{
    const int type = field_push(L, index, "pareto");
    bool is_read = type == LUA_TNIL || (type == LUA_TTABLE && lua_rawlen(L, -1) == 2 &&
                                        field_count(L, -1) == 2);

    self->has_pareto = type != LUA_TNIL;
    for (int i = 0; is_read && self->has_pareto && i < 2; i++) {
        const char *text;

        lua_rawgeti(L, -1, i + 1);
        text = line_at(L, -1);
        is_read = text != NULL;
        self->pareto[i] = is_read ? g_string_chunk_insert(self->texts, text) : NULL;
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return is_read ||
           wl_refuse(error, "pareto is not a list of the names of two columns");
}

bool sweep_asked_read(SweepAsked *self, lua_State *L, int index, GError **error)
{
    index = lua_absindex(L, index);
    if (!read_records(self, L, index, error)) {
        return false;
    }
    self->own_count = self->records->len;
    return read_plots(self, L, index, error) && read_pareto(self, L, index, error);
}

void sweep_asked_add(SweepAsked *self, const char *name, const char *formula)
{
    for (guint i = 0; i < self->records->len; i++) {
        if (g_ascii_strcasecmp(g_array_index(self->records, WlSweepRecord, i).name,
                               name) == 0) {
            return;
        }
    }
    add_record(self, name, formula);
}

/* As the result of 'gridloom run --uncertainty' has the i-th --interval. */
static void add_interval(const SweepAsked *self, guint index, const char *end)
{
    const char *recorded = g_array_index(self->records, WlSweepRecord, index).name;
    g_autofree char *name = g_strdup_printf("%s_%s", recorded, end);
    g_autofree char *formula =
        g_strdup_printf("metrics.uncertainty.formulas.%u.%s", index, end);

    add_record(self, name, formula);
}

bool sweep_asked_add_intervals(SweepAsked *self, GError **error)
{
    if (self->own_count > RECORDS_WITH_INTERVALS_MAXIMUM) {
        return wl_refuse(error, "record has more than 600 names and formulas, which is "
                                "too many for their intervals beside them");
    }
    for (guint i = 0; i < self->own_count; i++) {
        add_interval(self, i, "low");
        add_interval(self, i, "high");
    }
    add_record(self, "failed_samples", "metrics.uncertainty.failed");
    return true;
}
