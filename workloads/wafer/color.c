/* Reads the routes of colors and control payloads from a script's tables. */
#include "workloads/wafer/color.h"

#include <lauxlib.h>

#include "sim/narrow.h"
#include "workloads/sandbox/arguments.h"
#include "workloads/sandbox/field.h"

enum {
    NO_TASK = 31,
    MOST_NAME_BYTES = 64,
};

const char *const wafer_pop_modes[] = {
    [ARCH_WSE_NO_POP] = "no_pop",
    [ARCH_WSE_ALWAYS_POP] = "always_pop",
    [ARCH_WSE_POP_ON_ADVANCE] = "pop_on_advance",
    [ARCH_WSE_POP_ON_ADVANCE_NOP] = "pop_on_advance_nop",
    NULL,
};

ArchWseDirection wafer_direction_check(lua_State *L, int index, const char *what)
{
    ArchWseDirection direction = ARCH_WSE_RAMP;

    if (lua_type(L, index) != LUA_TSTRING ||
        !arch_wse_direction_find(lua_tostring(L, index), &direction)) {
        luaL_error(L, "%s: expected NORTH, EAST, SOUTH, WEST or RAMP", what);
    }
    return direction;
}

uint8_t wafer_directions_check(lua_State *L, int index, const char *name)
{
    int type = field_push(L, index, name);
    guint directions = 0;

    if (type == LUA_TTABLE) {
        lua_Unsigned count = lua_rawlen(L, -1);

        if (count == 0 || field_count(L, -1) != count) {
            luaL_error(L, "%s: expected a direction or a list of them", name);
        }
        for (lua_Unsigned i = 1; i <= count; i++) {
            lua_rawgeti(L, -1, (lua_Integer) i);
            directions |= 1U << wafer_direction_check(L, -1, name);
            lua_pop(L, 1);
        }
    } else if (type != LUA_TNIL) {
        directions = 1U << wafer_direction_check(L, -1, name);
    }
    lua_pop(L, 1);
    return sim_u8(directions);
}

/* The table in a field stays on the stack, or nothing where there is none. */
static bool
push_record(lua_State *L, int index, const char *name, const char *const *known)
{
    int type = field_push(L, index, name);

    if (type == LUA_TNIL) {
        lua_pop(L, 1);
        return false;
    }
    if (type != LUA_TTABLE) {
        luaL_error(L, "%s: expected a table", name);
    }
    arguments_check(L, lua_gettop(L), known);
    return true;
}

static ArchWsePosition check_position(lua_State *L, int index)
{
    return (ArchWsePosition){
        .rx = wafer_directions_check(L, index, "rx"),
        .tx = wafer_directions_check(L, index, "tx"),
    };
}

static void check_switches(lua_State *L, int index, ArchWseColorConfig *config)
{
    static const char *const known[] = {
        "pos1", "pos2", "pos3", "current_switch_pos", "ring_mode", "pop_mode", NULL};
    static const char *const sides[] = {"rx", "tx", NULL};

    if (!push_record(L, index, "switches", known)) {
        return;
    }
    int switches = lua_gettop(L);

    for (guint i = 1; i < ARCH_WSE_POSITIONS; i++) {
        if (!push_record(L, switches, known[i - 1], sides)) {
            continue;
        }
        if (config->position_count != i) {
            luaL_error(L, "switches: %s without %s", known[i - 1], known[i - 2]);
        }
        config->positions[i] = check_position(L, lua_gettop(L));
        config->position_count++;
    }
    config->current =
        arguments_integer(L, switches, "current_switch_pos", 0, ARCH_WSE_POSITIONS - 1);
    config->is_ring = arguments_flag(L, switches, "ring_mode");
    config->pop_mode = (ArchWsePopMode) arguments_choice(L, switches, "pop_mode",
                                                         wafer_pop_modes, false);
    lua_settop(L, switches - 1);
}

static void check_filter(lua_State *L, int index, ArchWseFilter *filter)
{
    static const char *const known[] = {
        "kind",          "count_data",   "count_control", "filter_control",
        "exact_control", "init_counter", "limit1",        "limit2",
        "max_counter",   "min_idx",      "max_idx",       NULL};
    static const char *const kinds[] = {"counter", "sparse_counter", "range",
                                        "two_rounds", NULL};

    if (!push_record(L, index, "filter", known)) {
        return;
    }
    int table = lua_gettop(L);
    guint kind = arguments_choice(L, table, "kind", kinds, true);

    filter->kind = (ArchWseFilterKind) (ARCH_WSE_FILTER_COUNTER + kind);
    filter->is_data_counted = arguments_flag(L, table, "count_data");
    filter->is_control_counted = arguments_flag(L, table, "count_control");
    filter->is_control_filtered = arguments_flag(L, table, "filter_control");
    filter->is_control_exact = arguments_flag(L, table, "exact_control");
    filter->initial =
        sim_u16(arguments_integer(L, table, "init_counter", 0, G_MAXUINT16));
    filter->maximum =
        sim_u16(arguments_integer(L, table, "max_counter", G_MAXUINT16, G_MAXUINT16));
    if (filter->kind == ARCH_WSE_FILTER_RANGE) {
        filter->limit1 =
            sim_u16(arguments_integer(L, table, "min_idx", -1, G_MAXUINT16));
        filter->limit2 =
            sim_u16(arguments_integer(L, table, "max_idx", -1, G_MAXUINT16));
    } else {
        bool is_sparse = filter->kind == ARCH_WSE_FILTER_SPARSE ||
                         filter->kind == ARCH_WSE_FILTER_TWICE;

        filter->limit1 =
            sim_u16(arguments_integer(L, table, "limit1", -1, G_MAXUINT16));
        filter->limit2 = sim_u16(
            arguments_integer(L, table, "limit2", is_sparse ? -1 : 0, G_MAXUINT16));
    }
    lua_pop(L, 1);
}

/* A text for each position, from position 0 on. They outlive the script. */
static void check_names(lua_State *L, int index, ArchWseColorConfig *config)
{
    const int type = field_push(L, index, "names");
    const lua_Unsigned count = type == LUA_TTABLE ? lua_rawlen(L, -1) : 0;

    if (type != LUA_TNIL &&
        (count != config->position_count || field_count(L, -1) != count)) {
        luaL_error(L, "names: expected a text for each of %d positions",
                   sim_i32(config->position_count));
    }
    for (lua_Unsigned i = 0; i < count; i++) {
        const char *name = NULL;
        gsize bytes = 0;

        if (lua_rawgeti(L, -1, (lua_Integer) i + 1) == LUA_TSTRING) {
            name = lua_tolstring(L, -1, &bytes);
        }
        if (name == NULL || bytes < 1 || bytes > MOST_NAME_BYTES ||
            !g_utf8_validate_len(name, bytes, NULL)) {
            luaL_error(L, "names: expected texts of 1 to %d bytes", MOST_NAME_BYTES);
        }
        config->names[i] = g_intern_string(name);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

/* A color between the host and the PE, from RAMP to RAMP: whether it is one. */
static bool check_host(lua_State *L, int index, ArchWseColorConfig *config)
{
    static const char *const names[] = {"sends", "takes", NULL};
    const bool is_given = field_push(L, index, "host") != LUA_TNIL;

    lua_pop(L, 1);
    if (!is_given) {
        return false;
    }
    config->host = arguments_choice(L, index, "host", names, true) == 0
                       ? ARCH_WSE_HOST_SENDS
                       : ARCH_WSE_HOST_TAKES;
    config->positions[0] =
        (ArchWsePosition){.rx = 1U << ARCH_WSE_RAMP, .tx = 1U << ARCH_WSE_RAMP};
    if (field_count(L, index) != 1) {
        luaL_error(L,
                   "host: the color goes between the host and the PE, and has nothing "
                   "else");
    }
    return true;
}

ArchWseColorConfig wafer_color_check(lua_State *L, int index)
{
    static const char *const known[] = {"routes", "switches", "filter", "teardown",
                                        "names",  "host",     NULL};
    static const char *const sides[] = {"rx", "tx", "color_swap_x", "color_swap_y",
                                        NULL};
    ArchWseColorConfig config = {.position_count = 1};

    arguments_check(L, index, known);
    if (check_host(L, index, &config)) {
        return config;
    }
    if (!push_record(L, index, "routes", sides)) {
        luaL_error(L, "routes: expected { rx =, tx = }");
    }
    config.positions[0] = check_position(L, lua_gettop(L));
    config.is_swapped_x = arguments_flag(L, lua_gettop(L), "color_swap_x");
    config.is_swapped_y = arguments_flag(L, lua_gettop(L), "color_swap_y");
    lua_pop(L, 1);
    if (config.positions[0].rx == 0 || config.positions[0].tx == 0) {
        luaL_error(L, "routes: expected both rx and tx");
    }
    check_switches(L, index, &config);
    check_names(L, index, &config);
    check_filter(L, index, &config.filter);
    config.is_torn_down = arguments_flag(L, index, "teardown");
    return config;
}

/* Is this command kept from CEs? By a flag for all, or a list of flags. */
static bool is_filtered(lua_State *L, int index, guint command)
{
    int type = field_push(L, index, "ce_filter");
    bool is_set = false;

    if (type == LUA_TTABLE) {
        if (lua_rawgeti(L, -1, (lua_Integer) command + 1) != LUA_TBOOLEAN) {
            luaL_error(L, "ce_filter: expected a flag for each command");
        }
        is_set = lua_toboolean(L, -1) != 0;
        lua_pop(L, 1);
    } else if (type == LUA_TBOOLEAN || type == LUA_TNIL) {
        is_set = lua_toboolean(L, -1) != 0;
    } else {
        luaL_error(L, "ce_filter: expected true, false or a list of them");
    }
    lua_pop(L, 1);
    return is_set;
}

int wafer_color_encode_payload(lua_State *L)
{
    static const char *const known[] = {"commands", "ce_filter", "task", NULL};
    static const char *const names[] = {
        [ARCH_WSE_NOP] = "NOP",
        [ARCH_WSE_SWITCH_ADV] = "SWITCH_ADV",
        [ARCH_WSE_SWITCH_RST] = "SWITCH_RST",
        [ARCH_WSE_TEARDOWN] = "TEARDOWN",
    };
    ArchWseControl controls[ARCH_WSE_COMMANDS] = {0};

    arguments_check(L, 2, known);
    guint task = arguments_integer(L, 2, "task", NO_TASK, G_MAXUINT8 / 4);

    if (field_push(L, 2, "commands") != LUA_TTABLE ||
        lua_rawlen(L, -1) > ARCH_WSE_COMMANDS) {
        luaL_error(L, "commands: expected a list of at most %d", ARCH_WSE_COMMANDS);
    }
    int commands = lua_gettop(L);
    guint count = sim_u32(lua_rawlen(L, commands));

    for (guint i = 0; i < count; i++) {
        guint command = 0;

        lua_rawgeti(L, commands, (lua_Integer) i + 1);
        const char *name = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";

        while (command < G_N_ELEMENTS(names) && !g_str_equal(names[command], name)) {
            command++;
        }
        if (command == G_N_ELEMENTS(names)) {
            luaL_error(L, "commands: expected NOP, SWITCH_ADV, SWITCH_RST or TEARDOWN");
        }
        controls[i].command = (ArchWseCommand) command;
        controls[i].is_ce_filtered = is_filtered(L, 2, i);
        lua_pop(L, 1);
    }
    lua_pushinteger(L, arch_wse_control_payload(controls, count, task));
    return 1;
}
