/* Reads the axes of a sweep from its file, and compares and prints their values. */
#include "workloads/sweep/axis.h"

#include <math.h>
#include <string.h>

#include "sim/narrow.h"
#include "workloads/error.h"
#include "workloads/sandbox/field.h"
#include "workloads/sandbox/quote.h"
#include "workloads/script/number.h"
#include "workloads/sweep.h"

/* Whole numbers up to here are exact. */
static const double exact_maximum = 9007199254740992.0;

static void value_clear(gpointer value)
{
    SweepValue *self = value;

    g_clear_pointer(&self->text, g_free);
}

static SweepValue integer_value(gint64 integer)
{
    return (SweepValue){.text = g_strdup_printf("%" G_GINT64_FORMAT, integer),
                        .type = SWEEP_INTEGER,
                        .integer = integer};
}

static SweepValue exact_number(double number)
{
    SweepValue value = {.type = SWEEP_NUMBER, .number = number};

    /* Chip files want 1000000, not 1e+06. */
    value.text = trunc(number) == number && fabs(number) <= exact_maximum
                     ? g_strdup_printf("%.0f", number)
                     : number_format_double(number);
    return value;
}

/* Rounded to so many digits: sums and powers have noise in the last ones. */
static SweepValue number_value(double number, int digits)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    char format[8];

    g_snprintf(format, sizeof format, "%%.%dg", digits);
    return exact_number(
        g_ascii_strtod(g_ascii_formatd(text, sizeof text, format, number), NULL));
}

static bool read_text(lua_State *L, int index, SweepValue *value, GError **error)
{
    size_t length = 0;
    const char *text = lua_tolstring(L, index, &length);

    if (length == 0 || strlen(text) != length || strpbrk(text, "\r\n") != NULL ||
        !g_utf8_validate(text, -1, NULL)) {
        return wl_refuse(error, "is a text that is empty or has more than one line");
    }
    *value = (SweepValue){.text = g_strdup(text), .type = SWEEP_TEXT};
    return true;
}

bool sweep_value_read(lua_State *L, int index, SweepValue *value, GError **error)
{
    const int type = lua_type(L, index);

    if (type == LUA_TSTRING) {
        return read_text(L, index, value, error);
    }
    if (type == LUA_TBOOLEAN) {
        const bool is_on = lua_toboolean(L, index) != 0;

        *value = (SweepValue){.text = g_strdup(is_on ? "on" : "off"),
                              .type = SWEEP_SWITCH,
                              .is_on = is_on};
        return true;
    }
    if (type != LUA_TNUMBER) {
        return wl_refuse(error, "is a %s, expected a number, a text or true or false",
                         lua_typename(L, type));
    }
    if (lua_isinteger(L, index) != 0) {
        *value = integer_value(lua_tointeger(L, index));
        return true;
    }
    if (!isfinite(lua_tonumber(L, index))) {
        return wl_refuse(error, "is no finite number");
    }
    *value = exact_number(lua_tonumber(L, index));
    return true;
}

void sweep_value_push(lua_State *L, const SweepValue *value)
{
    switch (value->type) {
    case SWEEP_INTEGER:
        lua_pushinteger(L, value->integer);
        return;
    case SWEEP_NUMBER:
        lua_pushnumber(L, value->number);
        return;
    case SWEEP_TEXT:
        lua_pushstring(L, value->text);
        return;
    case SWEEP_SWITCH:
        lua_pushboolean(L, value->is_on);
        return;
    }
    g_assert_not_reached();
}

enum {
    RANGE_DIGITS = 12,
    SAMPLE_DIGITS = 6, /* as many as a person reads */
};

/* A field with a number. */
typedef struct {
    bool is_there;
    bool is_whole;
    double number;
} Found;

static bool
read_number(lua_State *L, int index, const char *name, Found *found, GError **error)
{
    const int type = field_push(L, index, name);

    *found = (Found){.is_there = type != LUA_TNIL,
                     .is_whole = lua_isinteger(L, -1) != 0,
                     .number = lua_tonumber(L, -1)};
    lua_pop(L, 1);
    if (found->is_there && (type != LUA_TNUMBER || !isfinite(found->number) ||
                            fabs(found->number) > exact_maximum)) {
        return wl_refuse(error, "%s is no number between -2^53 and 2^53", name);
    }
    return true;
}

static bool read_scale(lua_State *L, int index, SweepRange *self, GError **error)
{
    const bool is_there = field_push(L, index, "scale") != LUA_TNIL;
    const char *scale;

    lua_pop(L, 1);
    if (!is_there) {
        return true;
    }
    scale = field_text(L, index, "scale", error);
    if (scale == NULL) {
        return false;
    }
    self->is_log = g_str_equal(scale, "log");
    return self->is_log || g_str_equal(scale, "linear") ||
           wl_refuse(error, "scale is neither \"linear\" nor \"log\"");
}

/* What it has instead of values between its ends. */
static bool
set_pace(SweepRange *self, const Found *step, const Found *points, GError **error)
{
    if (step->is_there && points->is_there) {
        return wl_refuse(error, "has step and points, expected one of them");
    }
    if (step->is_there && !(step->number > 0)) {
        return wl_refuse(error, "step is not above 0");
    }
    if (step->is_there && self->is_log) {
        return wl_refuse(error, "a log range has points, not step");
    }
    if (points->is_there && (!points->is_whole || points->number < 2 ||
                             points->number > WL_SWEEP_VALUES_MAXIMUM)) {
        return wl_refuse(error, "points is not one of 2..%d", WL_SWEEP_VALUES_MAXIMUM);
    }
    self->step = step->is_there ? step->number : 0;
    self->points = points->is_there ? sim_u32(points->number) : 0;
    self->is_whole = self->is_whole && (!step->is_there || step->is_whole);
    return true;
}

static bool read_range(lua_State *L, int index, SweepRange *range, GError **error)
{
    Found from;
    Found to;
    Found step;
    Found points;

    *range = (SweepRange){0};
    if (!read_number(L, index, "from", &from, error) ||
        !read_number(L, index, "to", &to, error) ||
        !read_number(L, index, "step", &step, error) ||
        !read_number(L, index, "points", &points, error) ||
        !read_scale(L, index, range, error)) {
        return false;
    }
    if (!from.is_there || !to.is_there) {
        return wl_refuse(error,
                         "has no values; expected values = { ... }, or from and to");
    }
    range->from = from.number;
    range->to = to.number;
    range->is_whole = from.is_whole && to.is_whole;
    if (range->from >= range->to) {
        return wl_refuse(error, "from = %g is not below to = %g, it has no values",
                         range->from, range->to);
    }
    if (range->is_log && !(range->from > 0)) {
        return wl_refuse(error, "a log range is above 0");
    }
    return set_pace(range, &step, &points, error);
}

static SweepValue value_of(const SweepRange *self, double number, int digits)
{
    const double inside = CLAMP(number, self->from, self->to);

    return self->is_whole ? integer_value((gint64) llround(inside))
                          : number_value(inside, digits);
}

static double number_at(const SweepRange *self, double share)
{
    return self->is_log ? self->from * pow(self->to / self->from, share)
                        : self->from + (self->to - self->from) * share;
}

/* Whole numbers that are equal once rounded are one. */
static bool append_values(const SweepRange *self, GArray *values, GError **error)
{
    /* A last step that misses the end by noise is one. */
    const double steps = self->points > 0
                             ? self->points - 1
                             : floor((self->to - self->from) / self->step + 1e-9);

    if (steps + 1 > WL_SWEEP_VALUES_MAXIMUM) {
        g_set_error(error, WL_ERROR, WL_ERROR_FIT,
                    "has %.0f values, an axis has at most %d", steps + 1,
                    WL_SWEEP_VALUES_MAXIMUM);
        return false;
    }
    for (guint i = 0; i <= sim_u32(steps); i++) {
        const double number =
            self->points > 0 ? number_at(self, i / steps) : self->from + i * self->step;
        SweepValue value = value_of(self, number, RANGE_DIGITS);
        const SweepValue *last =
            values->len > 0 ? &g_array_index(values, SweepValue, values->len - 1)
                            : NULL;

        if (last != NULL && g_str_equal(last->text, value.text)) {
            value_clear(&value);
        } else {
            g_array_append_val(values, value);
        }
    }
    return true;
}

SweepValue sweep_range_at(const SweepRange *self, double share)
{
    if (!self->is_whole) {
        return value_of(self, number_at(self, share), SAMPLE_DIGITS);
    }
    /* Every whole number has as much room as the others. */
    const SweepRange wide = {
        .from = self->from - 0.5, .to = self->to + 0.5, .is_log = self->is_log};

    return value_of(self, number_at(&wide, share), SAMPLE_DIGITS);
}

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

    g_array_set_clear_func(values, value_clear);
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
    if (!read_range(L, table, &self->range, error)) {
        return false;
    }
    self->is_open = self->range.points == 0 && !(self->range.step > 0);
    return self->is_open || append_values(&self->range, self->values, error);
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
