/* A run: the host program as an actor, its script in the sandbox. */
#include "workloads/run.h"

#include <lua.h>

#include "arch/roof.h"
#include "sim/counter.h"
#include "workloads/host/array.h"
#include "workloads/host/errand.h"
#include "workloads/host/exchange.h"
#include "workloads/host/family.h"
#include "workloads/host/host.h"
#include "workloads/host/report.h"
#include "workloads/host/session.h"
#include "workloads/host/usage.h"
#include "workloads/script/entry.h"

/* A roof of all chips, and what they counted against it. */
typedef struct {
    ArchRoof roof;
    uint64_t counted;
} Total;

/* Counts the work of programs, without the host's. */
static uint64_t counted(const Session *session, const char *counter)
{
    SimEngine *engine = arch_chip_engine(session->chip);
    uint64_t total =
        sim_engine_counter_total(engine, sim_engine_counter(engine, counter));

    return g_str_equal(counter, "dram_bytes") ? total - session->host_dram_bytes
                                              : total;
}

/* Adds the roofs of a chip to those of the same name, in the order of arch_roofs(). */
static void add_chip(const Session *session, GArray *all)
{
    const SessionWork *work = &session->work;
    g_autoptr(GArray) roofs =
        arch_roofs(arch_chip_params(session->chip), work->core_cycles / work->cycles);

    for (guint i = 0; i < roofs->len; i++) {
        const ArchRoof *roof = &g_array_index(roofs, ArchRoof, i);
        Total *total = NULL;

        for (guint k = 0; k < all->len && total == NULL; k++) {
            Total *other = &g_array_index(all, Total, k);

            total = g_str_equal(other->roof.name, roof->name) ? other : NULL;
        }
        if (total == NULL) {
            const Total first = {.roof = *roof};

            g_array_append_val(all, first);
            total = &g_array_index(all, Total, all->len - 1);
        } else {
            total->roof.value += roof->value;
        }
        total->counted += counted(session, roof->counter);
    }
}

/* Into the outcome: the roofs of the cores that had programs, and how near the run came
 * to them while programs ran. Starting them and transfers of the host do not count.
 * Those of several chips are added up: the time is that of the chip whose programs took
 * longest, as if all had worked at the same time. */
static void roofs_report(const SessionRun *run)
{
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(Total));
    double cycles = 0;
    double clock_hz = 1;

    for (guint i = 0; i < run->session_count; i++) {
        const Session *session = &run->sessions[i];
        const double own_hz = arch_chip_clock_hz(session->chip);

        if (session->work.core_cycles > 0) {
            add_chip(session, all);
        }
        if (session->work.cycles * clock_hz > cycles * own_hz) {
            cycles = session->work.cycles;
            clock_hz = own_hz;
        }
    }
    for (guint i = 0; i < all->len; i++) {
        const Total *total = &g_array_index(all, Total, i);
        const WlRoof own = {
            .name = (char *) total->roof.name,
            .unit = (char *) total->roof.unit,
            .value = total->roof.value,
            .achieved = (double) total->counted * clock_hz / cycles,
            .source = (char *) total->roof.source,
        };

        wl_outcome_add_roof(run->sessions[0].outcome, &own);
    }
}

/* The roofs' counters, and how many cores the values of those are for that cores do not
 * share. */
static JsonArray *work_roofs(const Session *session)
{
    const SessionWork *work = &session->work;
    const double cores = work->core_cycles / work->cycles;
    g_autoptr(GArray) roofs = arch_roofs(arch_chip_params(session->chip), cores);
    JsonArray *array = json_array_new();

    for (guint i = 0; i < roofs->len; i++) {
        const ArchRoof *roof = &g_array_index(roofs, ArchRoof, i);
        JsonObject *object = json_object_new();

        json_object_set_string_member(object, "name", roof->name);
        json_object_set_string_member(object, "counter", roof->counter);
        if (arch_roof_is_of_cores(arch_chip_params(session->chip), roof->name)) {
            json_object_set_double_member(object, "cores", cores);
        }
        json_array_add_object_element(array, object);
    }
    return array;
}

/* Into the outcome, if one chip ran programs. */
static void work_report(const SessionRun *run)
{
    const Session *session = &run->sessions[0];
    JsonObject *work;

    if (run->session_count != 1 || !(session->work.core_cycles > 0)) {
        return;
    }
    work = json_object_new();
    json_object_set_array_member(work, "programs",
                                 session_work_to_json(&session->work));
    json_object_set_array_member(work, "roofs", work_roofs(session));
    json_object_set_double_member(work, "link_bytes", session->work.link_bytes);
    session->outcome->work = work;
}

typedef struct {
    WlScript *script;
    SessionRun *run;
    double end_seconds; /* when its host program ended */
    GError *error;
} Program;

/* Lua function: the script's run(host, values). */
static int run_script(lua_State *L)
{
    const Program *program = lua_touserdata(L, 1);

    script_push_values(program->script, L);
    script_push_run(program->script, L);
    host_push(L, program->run);
    lua_pushvalue(L, -3);
    lua_call(L, 2, 0);
    script_keep_values(program->script, L,
                       program->run->sessions[0].outcome->parameters);
    return 0;
}

static void run_program(SimSystem *system, gpointer data)
{
    Program *self = data;
    WlSandbox *sandbox = script_sandbox(self->script);
    lua_State *L = sandbox_state(sandbox);

    sandbox_progress(sandbox);
    lua_pushcfunction(L, run_script);
    lua_pushlightuserdata(L, self);
    (void) sandbox_call(L, 1, 0, &self->error);
    self->end_seconds = sim_system_now(system);
    if (self->run->exchange != NULL) {
        if (self->error == NULL) {
            exchange_finish(self->run->exchange);
        }
        exchange_end(self->run->exchange);
    }
}

/* Busy cycles over all chips' device cycles. */
static void report_pcie(const SessionRun *run, WlOutcome *outcome)
{
    uint64_t busy = 0;
    SimTime cycles = 0;
    bool has_pcie = false;

    for (guint i = 0; i < run->session_count; i++) {
        const Session *session = &run->sessions[i];
        ArchPcie *pcie = arch_chip_pcie(session->chip);

        if (pcie != NULL) {
            has_pcie = true;
            busy += arch_pcie_busy_cycles(pcie);
            cycles += session->device_cycles;
        }
    }
    if (has_pcie && cycles > 0) {
        json_object_set_double_member(outcome->busy, "pcie",
                                      (double) busy / (double) cycles);
    }
}

/* How many chips, and cores or PEs of them, ran programs. */
static void count_parts(const SessionRun *run, WlOutcome *outcome)
{
    const HostFamily *family = run->family;

    outcome->parts = family->parts;
    for (guint i = 0; i < run->session_count; i++) {
        const Session *session = &run->sessions[i];

        outcome->chips_at_work += session->work.core_cycles > 0;
        outcome->parts_used += session->work.parts;
        if (family->part_count != NULL) {
            outcome->parts_there += family->part_count(session);
        }
    }
}

static void report_races(const SessionRun *run, WlOutcome *outcome)
{
    const HostFamily *family = run->family;
    JsonArray *list = json_array_new();

    outcome->race_scope = family->race_scope;
    for (guint i = 0; family->races != NULL && i < run->session_count; i++) {
        g_autoptr(GPtrArray) races = family->races(run->sessions[i].chip);

        for (guint k = 0; k < races->len; k++) {
            const char *race = g_ptr_array_index(races, k);

            g_ptr_array_add(outcome->races,
                            run->session_count > 1
                                ? g_strdup_printf("chip %u, %s", i, race)
                                : g_strdup(race));
        }
    }
    for (guint i = 0; i < outcome->races->len; i++) {
        json_array_add_string_element(list, g_ptr_array_index(outcome->races, i));
    }
    json_object_set_array_member(outcome->metrics, "races", list);
}

static void close_books(SessionRun *run, WlOutcome *outcome, double end_seconds)
{
    const Session *first = &run->sessions[0];
    g_autoptr(GList) reasons =
        g_list_sort(g_hash_table_get_keys(run->stalls), (GCompareFunc) g_strcmp0);

    outcome->host_seconds = run->waited[HOST_ITSELF];
    outcome->transfer_seconds = run->waited[HOST_TRANSFER];
    outcome->launch_seconds = run->waited[HOST_LAUNCH];
    outcome->device_seconds = run->waited[HOST_DEVICE];
    if (!run->is_measured) {
        outcome->seconds = end_seconds;
        outcome->cycles = session_cycle_at(first, end_seconds);
        outcome->measured_end = outcome->cycles;
        outcome->measured_launch_seconds = outcome->launch_seconds;
    }
    report_pcie(run, outcome);
    if (run->family->report != NULL) {
        run->family->report(run);
    }
    if (!run->is_measured) {
        const HostEnergy start = {.count = 0};
        const HostEnergy used = host_energy_until(run, end_seconds);

        host_energy_report(run, &start, &used, end_seconds);
    }
    if (first->machine->is_race_checked) {
        report_races(run, outcome);
    }
    usage_report(run);
    count_parts(run, outcome);
    roofs_report(run);
    work_report(run);
    report_zones_of_chips(run);
    host_links_report(run);
    for (GList *reason = reasons; reason != NULL; reason = reason->next) {
        const uint64_t *cycles = g_hash_table_lookup(run->stalls, reason->data);

        json_object_set_int_member(outcome->stalls, reason->data, (gint64) *cycles);
    }
}

/* The value of a parameter that every script accepts. */
static const char *word(const WlScript *script, const char *name)
{
    for (guint i = 0; i < wl_script_param_count(script); i++) {
        const WlParam *param = wl_script_param(script, i);

        if (g_str_equal(param->name, name)) {
            return param->value_text;
        }
    }
    g_assert_not_reached();
}

static bool are_of_family(const WlMachine *machine, const char *family)
{
    for (guint i = 0; i < machine->chip_count; i++) {
        const ArchParams *params = arch_chip_params(machine->chips[i].chip);

        if (!g_str_equal(arch_params_family(params), family)) {
            return false;
        }
    }
    return machine->chip_count > 0;
}

static void session_run_clear(SessionRun *self)
{
    g_clear_pointer(&self->errands, errands_free);
    for (guint i = 0; i < self->session_count; i++) {
        session_clear(&self->sessions[i]);
    }
    array_clear(self);
    g_clear_pointer(&self->exchange, exchange_free);
    g_clear_pointer(&self->sessions, g_free);
    g_clear_pointer(&self->stalls, g_hash_table_unref);
    g_clear_pointer(&self->units, json_object_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(SessionRun, session_run_clear)

WlOutcome *wl_run(WlScript *script, const WlMachine *machine, GError **error)
{
    g_return_val_if_fail(are_of_family(machine, wl_script_family(script)), NULL);
    g_autoptr(WlOutcome) outcome = wl_outcome_new();
    double waited[HOST_WAITS] = {0};
    g_auto(SessionRun) run = {
        .family = host_family_of(machine->chips[0].chip),
        .fraction = -1,
        .is_ieee = g_str_equal(word(script, "arithmetic"), "ieee"),
        .is_unattributed = g_str_equal(word(script, "unattributed"), "on"),
        .grain = word(script, "grain"),
        .script = script,
        .is_extrapolated = g_str_equal(word(script, "extrapolate"), "on"),
        .units = json_object_new(),
        .stalls = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free),
        .waited = waited,
        .active_threads = 1,
        .sessions = g_new0(Session, machine->chip_count),
        .session_count = machine->chip_count,
    };
    Program program = {.script = script, .run = &run};

    for (guint i = 0; i < run.session_count; i++) {
        session_init(&run.sessions[i], &run, machine, script_sandbox(script), outcome,
                     i);
    }
    if (machine->is_timing_only) {
        g_free(outcome->reference);
        outcome->reference = g_strdup("a timing-only run makes no check");
    }
    GError *failure = NULL;

    run.exchange = exchange_new(&run, &failure);
    if (failure != NULL) {
        g_propagate_error(error, failure);
        return NULL;
    }
    sim_system_add_program(machine->system, machine->host, "host", run_program,
                           &program);
    sim_system_run(machine->system);
    program.error = session_first_failure(program.error, run.stop);
    if (program.error != NULL) {
        g_propagate_error(error, program.error);
        return NULL;
    }
    if (!array_finish(&run, error)) {
        return NULL;
    }
    close_books(&run, outcome, program.end_seconds);
    return g_steal_pointer(&outcome);
}
