/* The host API: memory, transfers, launches and the clock. Each call that takes
 * simulated time blocks the host program's actor and is booked by its kind. */
#include "workloads/host/host.h"

#include <math.h>

#include <lauxlib.h>

#include "sim/counter.h"
#include "sim/narrow.h"
#include "workloads/buffer/bytes.h"
#include "workloads/error.h"
#include "workloads/host/array.h"
#include "workloads/host/dram_buffer.h"
#include "workloads/host/errand.h"
#include "workloads/host/exchange.h"
#include "workloads/host/family.h"
#include "workloads/host/launch.h"
#include "workloads/host/report.h"
#include "workloads/host/sparse.h"
#include "workloads/host/transfer.h"

static uint64_t check_count(lua_State *L, int index)
{
    lua_Integer value = luaL_checkinteger(L, index);

    luaL_argcheck(L, value >= 0, index, "not negative");
    return (uint64_t) value;
}

/* host.buffer(bytes): host memory. */
static int host_buffer(lua_State *L)
{
    Session *session = session_of(L);

    host_bytes_push(L, check_count(L, 1), !session->machine->is_timing_only);
    return 1;
}

static ArchDram *check_dram(lua_State *L, const Session *session)
{
    ArchDram *dram = arch_chip_dram(session->chip);

    if (dram == NULL) {
        luaL_error(L, "%s has no DRAM",
                   arch_params_name(arch_chip_params(session->chip)));
    }
    return dram;
}

/* host.allocate(bytes): the address of free DRAM. */
static int host_allocate(lua_State *L)
{
    enum {
        ALIGNMENT_BYTES = 64,
    };
    Session *session = session_of(L);
    uint64_t address = 0;
    GError *error = NULL;

    if (!arch_dram_allocate(check_dram(L, session), check_count(L, 1), ALIGNMENT_BYTES,
                            &address, &error)) {
        return sandbox_raise(L, error);
    }
    lua_pushinteger(L, (lua_Integer) address);
    return 1;
}

void host_count_dram(Session *session, uint64_t bytes)
{
    SimEngine *engine = arch_chip_engine(session->chip);

    session->host_dram_bytes += bytes;
    sim_region_count(sim_engine_region(engine, 0),
                     sim_engine_counter(engine, "dram_bytes"), bytes);
}

/* Moves a buffer's bytes from or to the DRAM place, an address or a DRAM buffer, at
 * index `place`; the seconds it took. */
static int
move_dram(lua_State *L, Session *session, HostDirection to, HostBytes *bytes, int place)
{
    if (dram_buffer_test(L, place) != NULL) {
        if (to == HOST_TO_CHIP) {
            dram_buffer_write(L, place, session->index, bytes);
        } else {
            dram_buffer_read(L, place, session->index, bytes);
        }
    } else {
        const uint64_t address = check_count(L, place);
        ArchDram *dram = check_dram(L, session);
        GError *error = NULL;
        bool is_done = arch_dram_check(dram, address, bytes->count, &error);

        if (is_done && bytes->data != NULL) {
            is_done =
                to == HOST_TO_CHIP
                    ? arch_dram_write(dram, address, bytes->data, bytes->count, &error)
                    : arch_dram_read(dram, address, bytes->data, bytes->count, &error);
        }
        if (!is_done) {
            return sandbox_raise(L, error);
        }
    }
    host_count_dram(session, bytes->count);
    return to == HOST_TO_CHIP || lua_isuserdata(L, place)
               ? host_transfer(L, session, to, bytes->count)
               : host_read(L, session, "host.download", 1 + check_count(L, place),
                           bytes->count);
}

/* host.upload(buffer, address or DRAM buffer) */
static int host_upload(lua_State *L)
{
    Session *session = session_check_on_host(L, "host.upload");

    return move_dram(L, session, HOST_TO_CHIP, host_bytes_check(L, 1), 2);
}

/* host.download(address or DRAM buffer, buffer) */
static int host_download(lua_State *L)
{
    Session *session = session_check_on_host(L, "host.download");

    return move_dram(L, session, CHIP_TO_HOST, host_bytes_check_writable(L, 2), 1);
}

/* A chip that exchanges messages goes on beside the host; another one runs to the end
 * of its launch at once. */
void host_begin(lua_State *L, Session *session, Launch *launch)
{
    GError *error = NULL;

    if (!(session->driver != NULL ? exchange_launch(session, launch, &error)
                                  : launch_run(launch, &error))) {
        session_fail(L, session, error);
    }
    if (session->driver != NULL) {
        host_go_on(L, session);
    }
}

void host_start(lua_State *L, Session *session, Launch *launch)
{
    session->is_launching = true;
    host_pass(L, session, HOST_LAUNCH, arch_chip_launch_seconds(session->chip));
    session->is_launching = false;
    host_begin(L, session, launch);
}

/* host.launch(kernels): starts them, when those of an earlier launch have ended;
 * returns a number for host.wait. */
static int host_launch(lua_State *L)
{
    Session *session = session_check_on_host(L, "host.launch");

    if (session->is_launching) {
        return luaL_error(L,
                          "host.launch: another thread is about to launch on chip %d",
                          sim_i32(session->index));
    }
    if (session->driver != NULL) {
        exchange_wait_idle(L, session);
    }
    host_start(L, session, launch_new(L, session, 1));
    lua_pushinteger(L, session->launches->len);
    return 1;
}

/* The launch with the number at index 1. */
static const Launch *check_launch(lua_State *L, const Session *session)
{
    uint64_t number = check_count(L, 1);

    luaL_argcheck(L, number >= 1 && number <= session->launches->len, 1,
                  "no such launch");
    return g_ptr_array_index(session->launches, number - 1);
}

/* host.mean_cycles(launch): those until a core's last kernel ended, in the mean over
 * cores. */
static int host_mean_cycles(lua_State *L)
{
    const Session *session = session_check_on_host(L, "host.mean_cycles");

    lua_pushnumber(L, launch_mean_cycles(check_launch(L, session)));
    return 1;
}

SimTime host_finish(lua_State *L, Session *session, const Launch *launch)
{
    double end;
    double now;

    if (session->driver != NULL) {
        exchange_wait(L, session, launch);
    }
    SimTime cycles = launch_cycles(launch);

    now = sim_system_now(session->machine->system);
    end = launch_end_seconds(launch);
    if (end > now) {
        host_pass(L, session, HOST_DEVICE, end - now);
    } else {
        host_go_on(L, session);
    }
    return cycles;
}

/* host.wait(launch): until its kernels have ended; the cycles they took. */
static int host_wait(lua_State *L)
{
    Session *session = session_check_on_host(L, "host.wait");

    lua_pushinteger(L, (lua_Integer) host_finish(L, session, check_launch(L, session)));
    return 1;
}

/* host.sleep(seconds): time the host program itself takes. */
static int host_sleep(lua_State *L)
{
    Session *session = session_check_on_host(L, "host.sleep");
    double seconds = luaL_checknumber(L, 1);

    luaL_argcheck(L, isfinite(seconds) && seconds >= 0, 1, "seconds, not negative");
    host_pass(L, session, HOST_ITSELF, seconds);
    return 0;
}

/* host.now(): simulated seconds. */
static int host_now(lua_State *L)
{
    lua_pushnumber(L, sim_system_now(session_of(L)->machine->system));
    return 1;
}

/* host.number("section.key"): a value of the chip file. */
static int host_number(lua_State *L)
{
    const ArchParams *params = arch_chip_params(session_of(L)->chip);
    const char *path = luaL_checkstring(L, 1);
    const ArchParam *param = arch_params_find(params, path);

    if (param == NULL) {
        return luaL_error(L, "host.number: %s has no key %s", arch_params_name(params),
                          path);
    }
    if (lua_stringtonumber(L, param->value) == 0) {
        lua_pushstring(L, param->value);
    }
    return 1;
}

/* host.refuse(text): ends the run, as the user asked for what cannot be. */
static int host_refuse(lua_State *L)
{
    return sandbox_raise(
        L, g_error_new_literal(WL_ERROR, WL_ERROR_KEY, report_check_text(L, 1)));
}

/* host.is_given(name): did the user give the parameter, or has it its default? */
static int host_is_given(lua_State *L)
{
    const WlScript *script = session_of(L)->run->script;
    const char *name = luaL_checkstring(L, 1);
    bool is_given = false;

    for (guint i = 0; i < wl_script_param_count(script); i++) {
        const WlParam *param = wl_script_param(script, i);

        is_given = is_given || (param->is_set && g_str_equal(param->name, name));
    }
    lua_pushboolean(L, is_given);
    return 1;
}

/* host.progress(fraction): how much of the work is done, 0..1. */
static int host_progress(lua_State *L)
{
    Session *session = session_of(L);
    double fraction = luaL_checknumber(L, 1);

    luaL_argcheck(L, fraction >= 0 && fraction <= 1, 1, "a fraction is 0..1");
    session->run->fraction = fraction;
    return 0;
}

/* Taken so far by all chips; 0 where that is not known. */
static double joules_of(const SessionRun *run)
{
    double joules = 0;

    for (guint i = 0; run->family->joules != NULL && i < run->session_count; i++) {
        joules += run->family->joules(&run->sessions[i]);
    }
    return joules;
}

/* host.measure(function [, iterations]): the region the result's cycles are of. Where
 * no iterations are given they are what the function returns, or one. */
static int host_measure(lua_State *L)
{
    Session *session = session_check_on_host(L, "host.measure");

    host_each_check_outside(L, session, "host.measure");
    bool is_given = !lua_isnoneornil(L, 2);
    uint64_t iterations = is_given ? check_count(L, 2) : 1;
    double start = sim_system_now(session->machine->system);
    double joules = joules_of(session->run);
    const HostEnergy energy = host_energy_until(session->run, start);
    double launch = session->run->waited[HOST_LAUNCH];
    double seconds;

    luaL_argcheck(L, iterations >= 1, 2, "at least one iteration");
    lua_settop(L, 1);
    lua_call(L, 0, 1);
    if (!is_given && !lua_isnil(L, 1)) {
        iterations = check_count(L, 1);
        luaL_argcheck(L, iterations >= 1, 1, "returned less than one iteration");
    }
    seconds = sim_system_now(session->machine->system) - start;
    report_measured(session, seconds, iterations);
    session->outcome->measured_end =
        session_cycle_at(&session->run->sessions[0], start + seconds);
    session->outcome->measured_launch_seconds =
        session->run->waited[HOST_LAUNCH] - launch;
    if (session->run->family->joules != NULL) {
        session->outcome->energy_joules = joules_of(session->run) - joules;
    }
    const HostEnergy used = host_energy_until(session->run, start + seconds);
    host_energy_report(session->run, &energy, &used, seconds);
    lua_pushnumber(L, seconds);
    return 1;
}

/* host.zone(name, function): adds its time to a named part of the run. */
static int host_zone(lua_State *L)
{
    Session *session = session_check_on_host(L, "host.zone");

    host_each_check_outside(L, session, "host.zone");
    const char *name = report_check_text(L, 1);
    double start = sim_system_now(session->machine->system);

    if (!json_object_has_member(session->outcome->zones, name)) {
        report_pay_text(L, name);
    }
    lua_settop(L, 2);
    lua_call(L, 0, 0);
    report_zone(session->outcome->zones, name,
                sim_system_now(session->machine->system) - start);
    return 0;
}

static const ApiCall functions[] = {
    {"buffer", host_buffer, "(bytes: integer): gl.Buffer"},
    {"sparse", host_sparse,
     "(options: { rows: integer, columns: integer, format: string }): gl.Sparse"},
    {"allocate", host_allocate, "(bytes: integer): integer"},
    {"upload", host_upload,
     "(buffer: gl.Buffer, address: integer|gl.DramBuffer): number"},
    {"download", host_download,
     "(address: integer|gl.DramBuffer, buffer: gl.Buffer): number"},
    {"launch", host_launch,
     "(program: gl.Program|{ name: string, kernel: fun(core: gl.Core) }[]): integer"},
    {"wait", host_wait, "(launch: integer): integer"},
    {"mean_cycles", host_mean_cycles, "(launch: integer): number"},
    {"sleep", host_sleep, "(seconds: number)"},
    {"now", host_now, "(): number"},
    {"number", host_number, "(key: string): number|string"},
    {"refuse", host_refuse, "(text: string)"},
    {"is_given", host_is_given, "(name: string): boolean"},
    {"progress", host_progress, "(fraction: number)"},
    {"measure", host_measure, "(f: fun(): integer?, iterations?: integer): number"},
    {"zone", host_zone, "(name: string, f: fun())"},
    {"zone_seconds", report_zone_seconds, "(name: string): number"},
    {"metric", report_metric, "(name: string, value: any)"},
    {"table", report_table,
     "(options: { name: string, columns: string[], rows: any[][] })"},
    {"plot", report_plot,
     "(options: { name: string, title?: string, x: string, y: string, log_x?: boolean, "
     "log_y?: boolean, series: gl.Series[] })"},
    {"check", report_check,
     "(options: { error: number, tolerance: number, reference: string })"},
    {"check_equal", report_check_equal,
     "(a: gl.Buffer, b: gl.Buffer, reference: string): boolean"},
    {"roof", report_roof,
     "(options: { name: string, unit: string, value: number, source: string, "
     "achieved?: number })"},
    {"dram_buffer", dram_buffer_new,
     "(options: { pages: integer, page_bytes: integer, layout?: "
     "\"interleaved\"|\"sharded\", shard_pages?: integer }): gl.DramBuffer"},
    {0},
};

/* Those of the whole system, which the tables of single chips lack. */
static const ApiCall system_functions[] = {
    {"each", host_each, "(f: fun(device: gl.Host))"},
    {"route", host_route,
     "(from: integer, to: integer): { latency_seconds: number, bytes_per_second: "
     "number, kind: string, hops: integer }?, string?"},
    {"links", host_links,
     "(): { name: string, kind: string, bytes: integer, busy_seconds: number }[]"},
    {0},
};

/* A table of functions beside those of all hosts: of a family, then of a service. NULL:
 * there are no more. */
static const ApiCall *further_functions(guint index)
{
    static const ApiCall none[] = {{0}};
    guint families = 0;

    while (host_families[families] != NULL) {
        families++;
    }
    if (index < families) {
        const ApiCall *functions_of_family = host_families[index]->functions;

        return functions_of_family != NULL ? functions_of_family : none;
    }
    return host_services[index - families];
}

/* Of all these tables, one after the other. */
static bool further_function(guint index, ApiCall *call)
{
    const ApiCall *table;

    for (guint i = 0; (table = further_functions(i)) != NULL; i++) {
        for (const ApiCall *row = table; row->name != NULL; row++, index--) {
            if (index == 0) {
                *call = *row;
                return true;
            }
        }
    }
    return false;
}

const ApiClass host_api = {
    .name = "Host",
    .page = "workloads/doc/host.md",
    .calls = (const ApiCall *const[]){functions, array_functions, errand_functions,
                                      system_functions, NULL},
    .more = further_function,
    .fields = "chip string\nfamily \"tensix\"|\"wse\"|\"nero\"\n"
              "is_functional boolean\nindex integer\nchip_count integer\n"
              "devices gl.Host[]",
};

/* Pushes a table with what the host can do with a chip. */
static void push_device(lua_State *L, Session *session)
{
    const ArchParams *params = arch_chip_params(session->chip);

    lua_newtable(L);
    session_push_upvalue(L, session);
    api_set(L, functions, 1);
    session_push_upvalue(L, session);
    api_set(L, array_functions, 1);
    session_push_upvalue(L, session);
    api_set(L, errand_functions, 1);
    for (guint i = 0; further_functions(i) != NULL; i++) {
        session_push_upvalue(L, session);
        api_set(L, further_functions(i), 1);
    }
    lua_pushstring(L, arch_params_name(params));
    lua_setfield(L, -2, "chip");
    lua_pushstring(L, arch_params_family(params));
    lua_setfield(L, -2, "family");
    lua_pushboolean(L, !session->machine->is_timing_only);
    lua_setfield(L, -2, "is_functional");
    lua_pushinteger(L, session->index);
    lua_setfield(L, -2, "index");
    api_watch(L, &host_api);
}

void host_push(lua_State *L, SessionRun *run)
{
    lua_createtable(L, sim_i32(run->session_count), 0);
    for (guint i = 0; i < run->session_count; i++) {
        push_device(L, &run->sessions[i]);
        lua_rawseti(L, -2, (lua_Integer) i + 1);
    }
    lua_pushvalue(L, -1);
    host_each_keep(L, run);
    push_device(L, &run->sessions[0]);
    lua_insert(L, -2);
    lua_setfield(L, -2, "devices");
    session_push_upvalue(L, &run->sessions[0]);
    api_set(L, system_functions, 1);
    lua_pushinteger(L, run->session_count);
    lua_setfield(L, -2, "chip_count");
}
