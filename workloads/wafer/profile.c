/* Tells scripts what a launch of a wafer did. */
#include "workloads/wafer/profile.h"

#include "arch/wse_profile.h"
#include "workloads/sandbox/answer.h"
#include "workloads/wafer/wafer.h"

int wafer_iterations(lua_State *L)
{
    const Session *session = wafer_check_launched(L, "wafer:iterations")->session;
    g_autoptr(GArray) ends = arch_wse_iterations(wafer_wse(session));

    lua_createtable(L, (int) ends->len, 0);
    for (guint i = 0; i < ends->len; i++) {
        const ArchWseIteration *end = &g_array_index(ends, ArchWseIteration, i);

        lua_createtable(L, 0, 3);
        answer_count(L, "first", end->first);
        answer_count(L, "last", end->last);
        answer_number(L, "mean", end->mean);
        lua_rawseti(L, -2, (lua_Integer) i + 1);
    }
    return 1;
}

int wafer_zones(lua_State *L)
{
    const Session *session = wafer_check_launched(L, "wafer:zones")->session;
    g_autoptr(GArray) zones = arch_wse_zones(wafer_wse(session));

    lua_createtable(L, 0, (int) zones->len);
    for (guint i = 0; i < zones->len; i++) {
        const ArchWseZone *zone = &g_array_index(zones, ArchWseZone, i);

        answer_number(L, zone->name, zone->cycles);
    }
    return 1;
}

int wafer_profile(lua_State *L)
{
    enum {
        WORD_BYTES = 4,
    };
    const Session *session = wafer_check_launched(L, "wafer:profile")->session;
    ArchWseProfile all = arch_wse_profile(wafer_wse(session));
    double pe_cycles = MAX((double) all.pe_count * (double) all.cycles, 1);

    lua_createtable(L, 0, 9);
    answer_count(L, "cycles", all.cycles);
    answer_number(L, "busy", (double) all.busy / pe_cycles);
    answer_number(L, "memory_idle", (double) all.memory_idle / pe_cycles);
    answer_number(L, "other_idle",
                  (pe_cycles - (double) all.busy - (double) all.memory_idle) /
                      pe_cycles);
    answer_number(L, "busy_deviation", all.busy_deviation);
    answer_count(L, "flops", all.flops);
    answer_count(L, "memory_words", all.memory_bytes / WORD_BYTES);
    answer_count(L, "ramp_words", all.ramp_wavelets);
    answer_count(L, "link_wavelets", all.link_wavelets);
    return 1;
}

int wafer_work(lua_State *L)
{
    const Session *session = wafer_check_launched(L, "wafer:work")->session;
    const char *program = luaL_optstring(L, 2, NULL);
    ArchWseWork done = arch_wse_work(wafer_wse(session), program);

    lua_newtable(L);
    answer_count(L, "pes", done.pe_count);
    answer_count(L, "busy", done.busy);
    answer_count(L, "memory_idle", done.memory_idle);
    answer_count(L, "memory_words", done.memory_words);
    answer_count(L, "ramp_words", done.ramp_words);
    answer_count(L, "flops", done.flops);
    for (guint i = 0; i < done.operations->len; i++) {
        const ArchWseExecuted *operation =
            &g_array_index(done.operations, ArchWseExecuted, i);

        answer_count(L, operation->name, operation->elements);
    }
    arch_wse_work_clear(&done);
    return 1;
}
