/* Reads the plots that a script reports. */

#include <math.h>

#include <lauxlib.h>

#include "arch/number/nan.h"
#include "sim/narrow.h"
#include "workloads/host/report.h"
#include "workloads/sandbox/field.h"

#define VALUE_MOST 1e300 /* what a picture can place */

enum {
    POINT_BYTES = 32,
    SERIES_BYTES = 256, /* about what a series takes, its points not counted */
};

/* Where a point of a plot stands, for messages. */
typedef struct {
    const char *plot;
    int series;
    lua_Unsigned point;
} Place;

static void check_known(lua_State *L, int index, const char *const *known)
{
    GError *error = NULL;

    if (!field_check_known(L, index, known, &error)) {
        g_prefix_error(&error, "host.plot: ");
        sandbox_raise(L, error);
    }
}

/* Pushes a text of the table at `index`, nil where it may be missing and is. */
static const char *push_text(lua_State *L, int index, const char *name, bool is_needed)
{
    int type = field_push(L, index, name);

    if (type == LUA_TNIL && !is_needed) {
        return NULL;
    }
    if (type != LUA_TSTRING) {
        luaL_error(L, "host.plot: %s is %s%s, expected a string", name,
                   type == LUA_TNIL ? "" : "a ",
                   type == LUA_TNIL ? "missing" : lua_typename(L, type));
    }
    return report_check_text(L, -1);
}

static bool read_switch(lua_State *L, int index, const char *name)
{
    int type = field_push(L, index, name);
    bool is_on = lua_toboolean(L, -1) != 0;

    if (type != LUA_TNIL && type != LUA_TBOOLEAN) {
        luaL_error(L, "host.plot: %s is a %s, expected true or false", name,
                   luaL_typename(L, -1));
    }
    lua_pop(L, 1);
    return is_on;
}

/* One coordinate of the point on top of the stack. */
static double
check_coordinate(lua_State *L, const Place *place, const char *axis, bool is_log)
{
    int type = lua_rawgeti(L, -1, *axis == 'x' ? 1 : 2);
    double value = lua_tonumber(L, -1);

    if (type != LUA_TNUMBER) {
        luaL_error(L,
                   "host.plot: %s, series %d, point %I: %s is a %s, expected a number",
                   place->plot, place->series, (LUAI_UACINT) place->point, axis,
                   luaL_typename(L, -1));
    }
    /* Written so that NaN fails. */
    if (!(fabs(value) <= VALUE_MOST) || (is_log && value < 1 / VALUE_MOST)) {
        luaL_error(
            L, "host.plot: %s, series %d, point %I: %s = %f cannot stand on %s axis",
            place->plot, place->series, (LUAI_UACINT) place->point, axis,
            arch_nan_plain(value), is_log ? "a logarithmic" : "an");
    }
    lua_pop(L, 1);
    return value;
}

/* The list of points on top of the stack, into `points` unless that is NULL. */
static void read_points(
    lua_State *L, const WlPlot *plot, const char *name, int series, GArray *points)
{
    Place place = {.plot = name, .series = series};
    lua_Unsigned count = lua_rawlen(L, -1);

    for (place.point = 1; place.point <= count; place.point++) {
        WlPlotPoint point;

        if (lua_rawgeti(L, -1, (lua_Integer) place.point) != LUA_TTABLE ||
            lua_rawlen(L, -1) != 2) {
            luaL_error(L, "host.plot: %s, series %d, point %I: expected { x, y }", name,
                       series, (LUAI_UACINT) place.point);
        }
        point.x = check_coordinate(L, &place, "x", plot->is_log_x);
        point.y = check_coordinate(L, &place, "y", plot->is_log_y);
        if (points != NULL) {
            g_array_append_val(points, point);
        }
        lua_pop(L, 1);
    }
}

static WlPlotStyle read_style(lua_State *L, int index)
{
    static const char *const names[] = {[WL_PLOT_BOTH] = "both",
                                        [WL_PLOT_LINE] = "line",
                                        [WL_PLOT_POINTS] = "points",
                                        [WL_PLOT_CELLS] = "cells"};
    const char *style = push_text(L, index, "style", false);
    guint found = 0;

    while (style != NULL && found < G_N_ELEMENTS(names) &&
           !g_str_equal(style, names[found])) {
        found++;
    }
    if (found == G_N_ELEMENTS(names)) {
        luaL_error(L, "host.plot: style = %s, expected both, line, points or cells",
                   style);
    }
    lua_pop(L, 1);
    return (WlPlotStyle) found;
}

/* The series on top of the stack: checked, and where `is_kept`, added to the plot. */
static void
read_one(lua_State *L, WlPlot *plot, const char *plot_name, int number, bool is_kept)
{
    static const char *const known[] = {"name", "style", "points", NULL};
    const int index = lua_gettop(L);
    WlPlotStyle style;
    const char *name;

    if (!lua_istable(L, index)) {
        luaL_error(L, "host.plot: series %d is a %s, expected a table", number,
                   luaL_typename(L, index));
    }
    check_known(L, index, known);
    style = read_style(L, index);
    name = push_text(L, index, "name", false);
    if (field_push(L, index, "points") != LUA_TTABLE) {
        luaL_error(L, "host.plot: series %d has no list of points", number);
    }
    if (is_kept) {
        read_points(L, plot, plot_name, number,
                    wl_plot_add_series(plot, name, style)->points);
    } else {
        read_points(L, plot, plot_name, number, NULL);
        if (!sandbox_account(sandbox_of(L),
                             SERIES_BYTES +
                                 POINT_BYTES * (int64_t) lua_rawlen(L, -1))) {
            sandbox_check(L);
        }
    }
    lua_settop(L, index);
}

static void
read_series(lua_State *L, int index, WlPlot *plot, const char *name, bool is_kept)
{
    int count = sim_i32(MIN(lua_rawlen(L, index), G_MAXINT));

    for (int i = 1; i <= count; i++) {
        lua_rawgeti(L, index, i);
        read_one(L, plot, name, i, is_kept);
        lua_pop(L, 1);
    }
}

/* Each plot is a file of its own. */
static void check_new(lua_State *L, const WlOutcome *outcome, const char *name)
{
    for (guint i = 0; i < outcome->plots->len; i++) {
        const WlPlot *plot = g_ptr_array_index(outcome->plots, i);

        if (g_str_equal(plot->name, name)) {
            luaL_error(L, "host.plot: there is a plot %s already", name);
        }
    }
}

int report_plot(lua_State *L)
{
    static const char *const known[] = {"name",  "title", "x",      "y",
                                        "log_x", "log_y", "series", NULL};
    enum {
        TABLE = 1,
        NAME,
        TITLE,
        X,
        Y,
        SERIES
    };
    WlOutcome *outcome = session_of(L)->outcome;
    WlPlot checked = {0};
    WlPlot *plot;

    luaL_checktype(L, TABLE, LUA_TTABLE);
    lua_settop(L, TABLE);
    check_known(L, TABLE, known);
    (void) push_text(L, TABLE, "name", true);
    const char *name = report_check_name(L, NAME);

    check_new(L, outcome, name);
    (void) push_text(L, TABLE, "title", true);
    (void) push_text(L, TABLE, "x", true);
    (void) push_text(L, TABLE, "y", true);
    checked.is_log_x = read_switch(L, TABLE, "log_x");
    checked.is_log_y = read_switch(L, TABLE, "log_y");
    if (field_push(L, TABLE, "series") != LUA_TTABLE) {
        return luaL_error(L, "host.plot: series is no list");
    }
    /* All of it is checked before any of it is kept: an error leaves at once, and what
     * was allocated by then would be lost. */
    read_series(L, SERIES, &checked, name, false);
    plot = wl_plot_new();
    g_ptr_array_add(outcome->plots, plot);
    plot->name = g_strdup(name);
    plot->title = g_strdup(lua_tostring(L, TITLE));
    plot->x = g_strdup(lua_tostring(L, X));
    plot->y = g_strdup(lua_tostring(L, Y));
    plot->is_log_x = checked.is_log_x;
    plot->is_log_y = checked.is_log_y;
    read_series(L, SERIES, plot, name, true);
    return 0;
}
