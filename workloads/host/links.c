/* Answers scripts and results about the links and routes of the system. */
#include <math.h>

#include <lauxlib.h>

#include "sim/narrow.h"
#include "workloads/host/host.h"
#include "workloads/sandbox/arguments.h"

static const Session *check_chip(lua_State *L, int index, const SessionRun *run)
{
    lua_Integer chip = luaL_checkinteger(L, index);

    luaL_argcheck(L, chip >= 0 && chip < (lua_Integer) run->session_count, index,
                  "no such chip");
    return &run->sessions[chip];
}

static void push_way(lua_State *L, const SimSystem *system, const SimPlatformWay *way)
{
    const SimPlatform *platform = sim_system_platform(system);
    double latency = 0;
    double rate = HUGE_VAL;
    bool is_ethernet = true;

    for (guint i = 0; i < way->count; i++) {
        const SimLinkNumbers numbers = sim_system_link_numbers(system, way->links[i]);

        latency += numbers.latency_seconds;
        rate = MIN(rate, numbers.bytes_per_second);
        is_ethernet =
            is_ethernet &&
            g_str_equal(sim_platform_link(platform, way->links[i])->kind, "ethernet");
    }
    lua_createtable(L, 0, 4);
    answer_number(L, "latency_seconds", latency);
    answer_number(L, "bytes_per_second", rate);
    answer_text(L, "kind", is_ethernet ? "ethernet" : "pcie");
    answer_count(L, "hops", way->count);
}

/* Only ways that messages of programs can take; else nil and why not. */
int host_route(lua_State *L)
{
    const Session *session = session_of(L);
    const SessionRun *run = session->run;
    const SimSystem *system = session->machine->system;
    const SimPlatform *platform = sim_system_platform(system);
    const Session *from = check_chip(L, 1, run);
    const Session *to = check_chip(L, 2, run);
    const ArchFabric *fabric = arch_chip_fabric(from->chip);
    g_autoptr(GError) error = NULL;
    SimPlatformWay way;

    if (from == to) {
        lua_pushnil(L);
        return 1;
    }
    if (fabric != NULL && arch_fabric_check_route(fabric, to->index, &error) &&
        sim_platform_way(platform, from->chip_host, to->chip_host, &way)) {
        push_way(L, system, &way);
        return 1;
    }
    lua_pushnil(L);
    if (error != NULL) {
        lua_pushstring(L, error->message);
    } else {
        lua_pushfstring(L, "no path from chip %d to chip %d in system %s",
                        sim_i32(from->index), sim_i32(to->index),
                        sim_platform_path(platform));
    }
    return 2;
}

int host_links(lua_State *L)
{
    const SimSystem *system = session_of(L)->machine->system;
    const SimPlatform *platform = sim_system_platform(system);
    const guint count = sim_platform_link_count(platform);

    lua_createtable(L, sim_i32(count), 0);
    for (guint i = 0; i < count; i++) {
        const SimPlatformLink *link = sim_platform_link(platform, i);
        const SimLinkUse use = sim_system_link_use(system, i);

        lua_createtable(L, 0, 4);
        answer_text(L, "name", link->name);
        answer_text(L, "kind", link->kind);
        answer_count(L, "bytes", use.bytes);
        answer_number(L, "busy_seconds", use.busy_seconds);
        lua_rawseti(L, -2, (lua_Integer) i + 1);
    }
    return 1;
}

void host_links_report(const SessionRun *run)
{
    const Session *first = &run->sessions[0];
    const SimSystem *system = first->machine->system;
    const SimPlatform *platform = sim_system_platform(system);

    if (run->session_count == 1 ||
        json_object_has_member(first->outcome->metrics, "links")) {
        return; /* the script's own */
    }
    JsonArray *links = json_array_new();

    for (guint i = 0; i < sim_platform_link_count(platform); i++) {
        const SimPlatformLink *link = sim_platform_link(platform, i);
        const SimLinkUse use = sim_system_link_use(system, i);
        JsonObject *object = json_object_new();

        json_object_set_string_member(object, "name", link->name);
        json_object_set_string_member(object, "kind", link->kind);
        json_object_set_int_member(object, "bytes", (gint64) use.bytes);
        json_object_set_double_member(object, "busy_seconds", use.busy_seconds);
        json_array_add_object_element(links, object);
    }
    json_object_set_array_member(first->outcome->metrics, "links", links);
}
