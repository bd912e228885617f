/* A run: the host program as an actor, its script in the sandbox. */
#include "workloads/run.h"

#include <math.h>

#include <lua.h>

#include "arch/dram_buffer.h"
#include "workloads/script/entry.h"
#include "workloads/script/host.h"
#include "workloads/script/kernel.h"
#include "workloads/script/kernel_state.h"
#include "workloads/script/roofs.h"
#include "workloads/script/session.h"
#include "workloads/script/usage.h"
#include "workloads/script/wafer_use.h"

typedef struct {
    WlScript *script;
    Session *session;
    GError *error;
} Program;

/* Lua function: the script's run(host, values). */
static int run_script(lua_State *L)
{
    const Program *program = lua_touserdata(L, 1);

    script_push_run(program->script, L);
    host_push(L, program->session);
    script_push_values(program->script, L);
    lua_call(L, 2, 0);
    return 0;
}

static void run_program(SimSystem *system, gpointer data)
{
    Program *self = data;
    lua_State *L = sandbox_state(self->session->sandbox);

    (void) system;
    sandbox_progress(self->session->sandbox);
    lua_pushcfunction(L, run_script);
    lua_pushlightuserdata(L, self);
    (void) sandbox_call(L, 1, 0, &self->error);
}

static void close_books(Session *session)
{
    const WlMachine *machine = session->machine;
    WlOutcome *outcome = session->outcome;
    ArchPcie *pcie = arch_chip_pcie(machine->chip);
    g_autoptr(GList) reasons =
        g_list_sort(g_hash_table_get_keys(session->stalls), (GCompareFunc) g_strcmp0);

    if (!session->is_measured) {
        outcome->seconds = sim_system_now(machine->system);
        outcome->cycles = session_cycle(session);
    }
    if (pcie != NULL && session->device_cycles > 0) {
        json_object_set_double_member(outcome->busy, "pcie",
                                      (double) arch_pcie_busy_cycles(pcie) /
                                          (double) session->device_cycles);
    }
    usage_report(session);
    wafer_use_report(session);
    roofs_report(session);
    for (GList *reason = reasons; reason != NULL; reason = reason->next) {
        const uint64_t *cycles = g_hash_table_lookup(session->stalls, reason->data);

        json_object_set_int_member(outcome->stalls, reason->data, (gint64) *cycles);
    }
}

/* A script may catch what stopped the run, and fail later with something else. Takes
 * both. */
static GError *first_failure(GError *raised, GError *stop)
{
    bool is_stop = raised != NULL && stop != NULL &&
                   g_error_matches(raised, stop->domain, stop->code);

    if (stop == NULL || is_stop) {
        g_clear_error(&stop);
        return raised; /* it names the script's line */
    }
    g_clear_error(&raised);
    return stop;
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

WlOutcome *wl_run(WlScript *script, const WlMachine *machine, GError **error)
{
    g_return_val_if_fail(
        g_str_equal(wl_script_family(script),
                    arch_params_family(arch_chip_params(machine->chip))),
        NULL);
    g_autoptr(WlOutcome) outcome = wl_outcome_new();
    /* Before the launches: they are freed last. */
    g_autoptr(GPtrArray) states =
        g_ptr_array_new_with_free_func((GDestroyNotify) kernel_state_free);
    g_autoptr(GPtrArray) launches =
        g_ptr_array_new_with_free_func((GDestroyNotify) launch_free);
    g_autoptr(GHashTable) stalls =
        g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
    g_autoptr(GPtrArray) buffers =
        g_ptr_array_new_with_free_func((GDestroyNotify) arch_dram_buffer_free);
    g_autoptr(JsonObject) units = json_object_new();
    Session session = {
        .machine = machine,
        .sandbox = script_sandbox(script),
        .outcome = outcome,
        .fraction = -1,
        .is_ieee = g_str_equal(word(script, "arithmetic"), "ieee"),
        .is_unattributed = g_str_equal(word(script, "unattributed"), "on"),
        .grain = word(script, "grain"),
        .is_extrapolated = g_str_equal(word(script, "extrapolate"), "on"),
        .launches = launches,
        .states = states,
        .units = units,
        .dram_buffers = buffers,
        .stalls = stalls,
        .limit_cycles = MIN(machine->limit_cycles, SESSION_LAST_CYCLE),
    };
    Program program = {.script = script, .session = &session};

    if (machine->is_timing_only) {
        g_free(outcome->reference);
        outcome->reference = g_strdup("a timing-only run makes no check");
    }
    sim_system_add_program(machine->system, machine->host, "host", run_program,
                           &program);
    sim_system_run(machine->system);
    program.error = first_failure(program.error, session.stop);
    if (program.error != NULL) {
        g_propagate_error(error, program.error);
        return NULL;
    }
    close_books(&session);
    return g_steal_pointer(&outcome);
}
