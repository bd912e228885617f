/* Puts a script's reports into the outcome of its run. */
#include "workloads/host/report.h"

#include <math.h>
#include <string.h>

#include <lauxlib.h>

#include "sim/narrow.h"
#include "workloads/buffer/bytes.h"
#include "workloads/host/host.h"
#include "workloads/sandbox/json_value.h"

enum {
    CELL_BYTES = 64, /* about what the cell of a table takes, its text not counted */
};

void report_measured(Session *session, double seconds, uint64_t iterations)
{
    WlOutcome *outcome = session->outcome;

    session->run->is_measured = true;
    outcome->seconds = seconds;
    outcome->iterations = iterations;
    outcome->cycles = (SimTime) llround(seconds * arch_chip_clock_hz(session->chip));
}

static double zone_seconds(JsonObject *zones, const char *name)
{
    return json_object_has_member(zones, name)
               ? json_object_get_double_member(zones, name)
               : 0;
}

void report_zone(JsonObject *zones, const char *name, double seconds)
{
    json_object_set_double_member(zones, name, seconds + zone_seconds(zones, name));
}

/* Sums and counts of the zones of all chips, then their means. */
void report_zones_of_chips(SessionRun *run)
{
    g_autoptr(JsonObject) sums = json_object_new();
    g_autoptr(JsonObject) counts = json_object_new();

    if (run->session_count == 1) {
        return;
    }
    for (guint i = 0; i < run->session_count; i++) {
        JsonObject *zones = run->sessions[i].zones;
        g_autoptr(GList) names = json_object_get_members(zones);

        for (const GList *name = names; name != NULL; name = name->next) {
            report_zone(sums, name->data, zone_seconds(zones, name->data));
            report_zone(counts, name->data, 1);
        }
    }
    g_autoptr(GList) names = json_object_get_members(sums);

    for (const GList *name = names; name != NULL; name = name->next) {
        report_zone(run->sessions[0].outcome->zones, name->data,
                    zone_seconds(sums, name->data) / zone_seconds(counts, name->data));
    }
}

/* host.zone_seconds(name): of the host's and this chip's kernels' zones so far. */
int report_zone_seconds(lua_State *L)
{
    const Session *session = session_of(L);
    const char *name = luaL_checkstring(L, 1);
    double seconds = zone_seconds(session->zones, name);

    if (session->zones != session->outcome->zones) {
        seconds += zone_seconds(session->outcome->zones, name);
    }
    lua_pushnumber(L, seconds);
    return 1;
}

void report_pay_text(lua_State *L, const char *text)
{
    if (!sandbox_account(sandbox_of(L), CELL_BYTES + (int64_t) strlen(text))) {
        sandbox_check(L);
    }
}

const char *report_check_text(lua_State *L, int index)
{
    const char *text = luaL_checkstring(L, index);

    luaL_argcheck(L, g_utf8_validate(text, -1, NULL), index, "the text is not UTF-8");
    return text;
}

const char *report_check_name(lua_State *L, int index)
{
    const char *name = luaL_checkstring(L, index);

    report_pay_text(L, name);

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
    static const char *const every_run[] = {"host_seconds",
                                            "transfer_seconds",
                                            "launch_seconds",
                                            "device_seconds",
                                            "measured_launch_seconds",
                                            "inputs",
                                            "energy_parts",
                                            "energy_low_joules",
                                            "energy_high_joules",
                                            NULL};
    Session *session = session_of(L);
    const char *name = report_check_name(L, 1);

    host_each_check_outside(L, session, "host.metric");
    luaL_argcheck(L, !g_strv_contains(every_run, name), 1,
                  "every run reports this metric itself");
    luaL_checkany(L, 2);
    json_object_set_member(session->outcome->metrics, name, json_value_of(L, 2));
    return 0;
}

/* Raises unless the value on top of the stack can stand in a table. Returns about how
 * many bytes it takes there. */
static uint64_t check_cell(lua_State *L, const char *what, lua_Unsigned number)
{
    int type = lua_type(L, -1);
    size_t length = 0;
    const char *text = type == LUA_TSTRING ? lua_tolstring(L, -1, &length) : "";

    if (type != LUA_TSTRING && type != LUA_TNUMBER && type != LUA_TBOOLEAN) {
        luaL_error(L,
                   "host.table: entry %d of %s is a %s, expected a string, a number or "
                   "a boolean",
                   sim_i32(number), what, lua_typename(L, type));
    }
    /* With a length, a NUL is not valid either. */
    if (!g_utf8_validate(text, (gssize) length, NULL)) {
        luaL_error(L, "host.table: entry %d of %s is not UTF-8", sim_i32(number), what);
    }
    return CELL_BYTES + length;
}

/* Raises unless the value on top of the stack is a list of cells: as many as
 * `expected`, or, where that is 0, at least one. Returns how many. The script pays for
 * their copies. */
static guint check_cells(lua_State *L, const char *what, guint expected)
{
    lua_Unsigned count = lua_istable(L, -1) ? lua_rawlen(L, -1) : 0;
    uint64_t bytes = 0;

    if (count == 0 || count > G_MAXINT || (expected != 0 && count != expected)) {
        luaL_error(L, "host.table: %s has %I entries, expected %s", what,
                   (LUAI_UACINT) count,
                   expected != 0 ? "one for each column" : "at least one");
    }
    for (lua_Unsigned i = 1; i <= count; i++) {
        lua_rawgeti(L, -1, (lua_Integer) i);
        bytes += check_cell(L, what, i);
        lua_pop(L, 1);
    }
    if (!sandbox_account(sandbox_of(L), (int64_t) bytes)) {
        sandbox_check(L);
    }
    return sim_u32(count);
}

/* Appends the cells of the list on top of the stack, which were checked. */
static void copy_cells(lua_State *L, GPtrArray *texts)
{
    lua_Unsigned count = lua_rawlen(L, -1);

    for (lua_Unsigned i = 1; i <= count; i++) {
        if (lua_rawgeti(L, -1, (lua_Integer) i) == LUA_TBOOLEAN) {
            lua_pushstring(L, lua_toboolean(L, -1) != 0 ? "true" : "false");
            lua_replace(L, -2);
        }
        g_ptr_array_add(texts, g_strdup(lua_tostring(L, -1)));
        lua_pop(L, 1);
    }
}

/* The same for the list of lists on top of the stack. */
static void check_rows(lua_State *L, guint column_count)
{
    lua_Unsigned count = lua_istable(L, -1) ? lua_rawlen(L, -1) : 0;

    if (!lua_istable(L, -1)) {
        luaL_error(L, "host.table: rows is no list");
    }
    for (lua_Unsigned i = 1; i <= count; i++) {
        lua_rawgeti(L, -1, (lua_Integer) i);
        (void) check_cells(L, "a row", column_count);
        lua_pop(L, 1);
    }
}

static void copy_rows(lua_State *L, GPtrArray *rows)
{
    lua_Unsigned count = lua_rawlen(L, -1);

    for (lua_Unsigned i = 1; i <= count; i++) {
        GPtrArray *row = g_ptr_array_new_with_free_func(g_free);

        g_ptr_array_add(rows, row);
        lua_rawgeti(L, -1, (lua_Integer) i);
        copy_cells(L, row);
        lua_pop(L, 1);
    }
}

/* Each table is a file of its own. */
static void check_new_table(lua_State *L, const WlOutcome *outcome, const char *name)
{
    for (guint i = 0; i < outcome->tables->len; i++) {
        const WlTable *table = g_ptr_array_index(outcome->tables, i);

        if (g_str_equal(table->name, name)) {
            luaL_error(L, "host.table: there is a table %s already", name);
        }
    }
}

/* host.table{ name = ..., columns = { ... }, rows = { { ... }, ... } } */
int report_table(lua_State *L)
{
    Session *session = session_of(L);
    WlTable *table;

    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    lua_getfield(L, 1, "name");
    check_new_table(L, session->outcome, report_check_name(L, 2));
    /* All of it is checked before any of it is kept: a script may catch an error. */
    lua_getfield(L, 1, "rows");
    lua_getfield(L, 1, "columns");
    guint column_count = check_cells(L, "columns", 0);

    lua_pushvalue(L, 3);
    check_rows(L, column_count);
    table = wl_outcome_add_table(session->outcome, lua_tostring(L, 2));
    copy_rows(L, table->rows);
    lua_pop(L, 1);
    copy_cells(L, table->columns);
    return 0;
}

/* A number that cannot be negative: a signed error would pass any tolerance. */
static double check_measure(lua_State *L, int index, const char *name)
{
    double value = lua_tonumber(L, index);

    if (lua_type(L, index) != LUA_TNUMBER || value < 0) {
        luaL_error(L, "host.check: %s is a number, not negative", name);
    }
    return value;
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
    max_abs_error = check_measure(L, 2, "error");
    tolerance = check_measure(L, 3, "tolerance");
    if (isnan(tolerance)) {
        luaL_error(L, "host.check: tolerance is not a number");
    }
    if (!session->machine->is_timing_only) {
        wl_outcome_add_check(session->outcome, max_abs_error, tolerance,
                             report_check_text(L, 4));
    }
    return 0;
}

/* host.check_equal(a, b, reference): whether the buffers have the same bytes. */
int report_check_equal(lua_State *L)
{
    Session *session = session_of(L);
    const HostBytes *a = host_bytes_check(L, 1);
    const HostBytes *b = host_bytes_check(L, 2);
    const char *reference = report_check_text(L, 3);
    int worst = 0;

    luaL_argcheck(L, a->count == b->count, 2, "the buffers differ in length");
    const bool has_data = a->data != NULL && b->data != NULL;
    const bool is_equal = !has_data || memcmp(a->data, b->data, a->count) == 0;

    lua_pushboolean(L, is_equal);
    if (!has_data) {
        return 1;
    }
    for (uint64_t i = 0; !is_equal && i < a->count; i++) {
        worst = MAX(worst, ABS(a->data[i] - b->data[i]));
    }
    wl_outcome_add_check(session->outcome, worst, 0, reference);
    return 1;
}

/* The optional field `achieved` of the table at index 1, above 0 or 0. */
static double check_achieved(lua_State *L)
{
    int type = lua_getfield(L, 1, "achieved");
    double achieved = type == LUA_TNUMBER ? lua_tonumber(L, -1) : NAN;

    if (type != LUA_TNIL && !(achieved >= 0)) {
        luaL_error(L, "host.roof: achieved is a number, not negative");
    }
    return achieved;
}

/* host.roof{ name = ..., unit = ..., value = ..., source = ..., achieved = ... }: a
 * limit to see the run against. */
int report_roof(lua_State *L)
{
    static const char *const fields[] = {"name", "unit", "source", "value"};
    Session *session = session_of(L);

    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    for (guint i = 0; i < G_N_ELEMENTS(fields); i++) {
        bool is_value = i + 1 == G_N_ELEMENTS(fields);

        if (lua_getfield(L, 1, fields[i]) != (is_value ? LUA_TNUMBER : LUA_TSTRING)) {
            return luaL_error(L, "host.roof: %s is no %s", fields[i],
                              is_value ? "number" : "string");
        }
    }
    const WlRoof roof = {.name = (char *) report_check_text(L, 2),
                         .unit = (char *) report_check_text(L, 3),
                         .value = lua_tonumber(L, 5),
                         .achieved = check_achieved(L),
                         .source = (char *) report_check_text(L, 4)};

    wl_outcome_add_roof(session->outcome, &roof);
    return 0;
}
