/* Reports of a script, into the outcome of its run. */
#include "workloads/script/report.h"

#include <math.h>

#include <lauxlib.h>

#include "workloads/script/bytes.h"
#include "workloads/script/json_value.h"

void report_measured(Session *session, double seconds, uint64_t iterations)
{
    WlOutcome *outcome = session->outcome;

    outcome->seconds = seconds;
    outcome->iterations = iterations;
    outcome->cycles =
        (SimTime) llround(seconds * arch_chip_clock_hz(session->machine->chip));
}

void report_zone(Session *session, const char *name, double seconds)
{
    JsonObject *zones = session->outcome->zones;

    if (json_object_has_member(zones, name)) {
        seconds += json_object_get_double_member(zones, name);
    }
    json_object_set_double_member(zones, name, seconds);
}

/* A name that can stand in JSON and, for tables, in a file name. */
static const char *check_name(lua_State *L, int index)
{
    const char *name = luaL_checkstring(L, index);

    for (const char *c = name; *c != '\0'; c++) {
        if (!g_ascii_isalnum(*c) && *c != '_' && *c != '-') {
            luaL_argerror(L, index, "names are letters, digits, _ and -");
        }
    }
    luaL_argcheck(L, *name != '\0', index, "a name is not empty");
    return name;
}

/* host.metric(name, value) */
int report_metric(lua_State *L)
{
    Session *session = session_of(L);
    const char *name = check_name(L, 1);

    luaL_checkany(L, 2);
    json_object_set_member(session->outcome->metrics, name, json_value_of(L, 2));
    return 0;
}

/* Appends the texts of the list on top of the stack to `texts`. */
static void read_texts(lua_State *L, GPtrArray *texts, const char *what, guint expected)
{
    lua_Unsigned count = lua_istable(L, -1) ? lua_rawlen(L, -1) : 0;

    if (count == 0 || (expected != 0 && count != expected)) {
        luaL_error(L, "host.table: %s has %d entries, expected %s", what, (int) count,
                   expected != 0 ? "one for each column" : "at least one");
    }
    for (lua_Unsigned i = 1; i <= count; i++) {
        lua_rawgeti(L, -1, (lua_Integer) i);
        luaL_tolstring(L, -1, NULL);
        g_ptr_array_add(texts, g_strdup(lua_tostring(L, -1)));
        lua_pop(L, 2);
    }
}

/* host.table{ name = ..., columns = { ... }, rows = { { ... }, ... } } */
int report_table(lua_State *L)
{
    Session *session = session_of(L);
    WlTable *table;
    lua_Unsigned row_count;

    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    lua_getfield(L, 1, "name");
    table = wl_outcome_add_table(session->outcome, check_name(L, 2));
    lua_getfield(L, 1, "columns");
    read_texts(L, table->columns, "columns", 0);
    lua_getfield(L, 1, "rows");
    luaL_checktype(L, -1, LUA_TTABLE);
    row_count = lua_rawlen(L, -1);
    for (lua_Unsigned i = 1; i <= row_count; i++) {
        GPtrArray *row = g_ptr_array_new_with_free_func(g_free);

        g_ptr_array_add(table->rows, row);
        lua_rawgeti(L, -1, (lua_Integer) i);
        read_texts(L, row, "a row", table->columns->len);
        lua_pop(L, 1);
    }
    return 0;
}

/* host.check{ error = ..., tolerance = ..., reference = "what it was compared with" }
 */
int report_check(lua_State *L)
{
    Session *session = session_of(L);
    double max_abs_error;
    double tolerance;

    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    lua_getfield(L, 1, "error");
    lua_getfield(L, 1, "tolerance");
    lua_getfield(L, 1, "reference");
    max_abs_error = luaL_checknumber(L, 2);
    tolerance = luaL_checknumber(L, 3);
    luaL_argcheck(L, tolerance >= 0, 3, "a tolerance is not negative");
    if (!session->machine->is_timing_only) {
        wl_outcome_add_check(session->outcome, max_abs_error, tolerance,
                             luaL_checkstring(L, 4));
    }
    return 0;
}

/* host.check_equal(a, b, reference): the buffers have the same bytes. */
int report_check_equal(lua_State *L)
{
    Session *session = session_of(L);
    const HostBytes *a = host_bytes_check(L, 1);
    const HostBytes *b = host_bytes_check(L, 2);
    const char *reference = luaL_checkstring(L, 3);
    int worst = 0;

    luaL_argcheck(L, a->count == b->count, 2, "the buffers differ in length");
    if (a->data == NULL || b->data == NULL) {
        return 0;
    }
    for (uint64_t i = 0; i < a->count; i++) {
        worst = MAX(worst, ABS((int) a->data[i] - (int) b->data[i]));
    }
    wl_outcome_add_check(session->outcome, worst, 0, reference);
    return 0;
}
