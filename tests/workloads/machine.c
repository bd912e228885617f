/* Runs of scripts in processes of their own. */
#include "tests/workloads/machine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/counter.h"
#include "tests/workloads/folder.h"
#include "workloads/connection.h"
#include "workloads/run.h"

typedef struct {
    const Machine *machine;
    guint reports;
    double fraction;
} Watch;

static bool observe(gpointer data, const WlProgress *progress)
{
    Watch *self = data;

    self->reports++;
    self->fraction = progress->fraction;
    return self->machine->stop_after == 0 || self->reports < self->machine->stop_after;
}

static void collect(gpointer data, const char *line)
{
    g_string_append_printf(data, "%s\n", line);
}

static ArchChip *make_chip(const Machine *machine)
{
    g_autofree char *path =
        g_strdup_printf("%s/arch/chips/%s.ini", GRIDLOOM_SOURCE_DIR,
                        machine->chip != NULL ? machine->chip : "wormhole_n300");
    ArchParams *params = arch_params_load(path, NULL);

    for (guint i = 0; i < MACHINE_OVERRIDES && machine->overrides[i] != NULL; i++) {
        bool is_set = arch_params_override(params, machine->overrides[i], NULL);

        g_assert(is_set);
    }
    return arch_chip_new(params, MAX(machine->threads, 1), NULL);
}

static void clear_chip(gpointer data)
{
    arch_chip_free(((WlChip *) data)->chip);
}

/* One for each host that carries one. */
static GArray *make_chips(const Machine *machine, const SimPlatform *platform)
{
    GArray *chips = g_array_new(FALSE, FALSE, sizeof(WlChip));

    g_array_set_clear_func(chips, clear_chip);
    for (guint i = 0; i < sim_platform_host_count(platform); i++) {
        const SimPlatformHost *host = sim_platform_host(platform, i);

        if (host->chip != NULL) {
            const WlChip chip = {make_chip(machine), host->name};

            g_array_append_val(chips, chip);
        }
    }
    return chips;
}

static void
set_links(SimSystem *system, const SimPlatform *platform, const ArchChip *chip)
{
    for (guint i = 0; i < sim_platform_link_count(platform); i++) {
        const SimPlatformLink *link = sim_platform_link(platform, i);
        ArchLink numbers = {0};
        bool is_known = arch_chip_link(chip, link->kind, &numbers, NULL);

        g_assert(is_known);
        sim_system_set_link(system, link->name, numbers.latency_seconds,
                            numbers.bytes_per_second * link->lanes);
    }
}

static void put_outcome(JsonObject *root, const WlOutcome *outcome)
{
    JsonArray *tables = json_array_new();

    json_object_set_int_member(root, "cycles", (gint64) outcome->cycles);
    json_object_set_double_member(root, "seconds", outcome->seconds);
    json_object_set_int_member(root, "iterations", (gint64) outcome->iterations);
    json_object_set_double_member(root, "host_seconds", outcome->host_seconds);
    json_object_set_double_member(root, "transfer_seconds", outcome->transfer_seconds);
    json_object_set_double_member(root, "launch_seconds", outcome->launch_seconds);
    json_object_set_double_member(root, "device_seconds", outcome->device_seconds);
    json_object_set_double_member(
        root, "energy_joules",
        isnan(outcome->energy_joules) ? -1 : outcome->energy_joules);
    json_object_set_string_member(root, "check", wl_check_status_name(outcome->check));
    if (isfinite(outcome->max_abs_error)) {
        json_object_set_double_member(root, "max_abs_error", outcome->max_abs_error);
    }
    json_object_set_string_member(root, "reference", outcome->reference);
    json_object_set_object_member(root, "metrics", json_object_ref(outcome->metrics));
    json_object_set_object_member(root, "zones", json_object_ref(outcome->zones));
    json_object_set_object_member(root, "busy", json_object_ref(outcome->busy));
    json_object_set_object_member(root, "stalls", json_object_ref(outcome->stalls));
    for (guint i = 0; i < outcome->tables->len; i++) {
        g_autofree char *csv = wl_table_to_csv(outcome->tables->pdata[i]);

        json_array_add_string_element(tables, csv);
    }
    json_object_set_array_member(root, "tables", tables);
}

/* What was achieved, by name. */
static void put_roofs(JsonObject *root, const WlOutcome *outcome)
{
    JsonObject *roofs = json_object_new();

    for (guint i = 0; i < outcome->roofs->len; i++) {
        const WlRoof *roof = g_ptr_array_index(outcome->roofs, i);

        json_object_set_double_member(roofs, roof->name,
                                      isnan(roof->achieved) ? -1 : roof->achieved);
    }
    json_object_set_object_member(root, "roofs", roofs);
}

/* Of the first chip. */
static void put_counters(JsonObject *root, const GArray *chips)
{
    const SimEngine *engine = arch_chip_engine(g_array_index(chips, WlChip, 0).chip);
    JsonObject *counters = json_object_new();

    for (guint i = 0; i < sim_engine_counter_count(engine); i++) {
        json_object_set_int_member(counters, sim_engine_counter_name(engine, i),
                                   (gint64) sim_engine_counter_total(engine, i));
    }
    json_object_set_object_member(root, "counters", counters);
}

/* In the child: runs t.lua of the present folder and writes result.json there. */
static void run_here(const Machine *machine)
{
    Watch watch = {.machine = machine};
    GString *printed = g_string_new(NULL);
    WlSandboxConfig config = wl_sandbox_config_default();
    g_autoptr(GError) error = NULL;
    g_autofree char *path =
        g_strdup_printf("%s/arch/systems/%s.xml", GRIDLOOM_SOURCE_DIR,
                        machine->system != NULL ? machine->system : "default");
    g_autoptr(SimPlatform) platform = sim_platform_load(path, NULL);
    g_autoptr(SimSystem) system = sim_system_new(platform, NULL, NULL);
    g_autoptr(GArray) chips = make_chips(machine, platform);
    const ArchChip *chip = g_array_index(chips, WlChip, 0).chip;

    config.print = collect;
    config.print_data = printed;
    if (machine->steps != 0) {
        config.steps = machine->steps;
    }
    if (machine->memory_bytes != 0) {
        config.memory_bytes = machine->memory_bytes;
    }
    g_autoptr(WlScript) script = wl_script_load("t.lua", &config, NULL);
    WlMachine setting = {
        .system = system,
        .chips = (const WlChip *) (const void *) chips->data,
        .chip_count = chips->len,
        .host = sim_platform_main_host(platform)->name,
        .is_timing_only = machine->is_timing_only,
        .limit_cycles =
            machine->limit_cycles != 0 ? machine->limit_cycles : SIM_TIME_NEVER,
        .progress = observe,
        .progress_data = &watch,
    };

    g_assert(script != NULL);
    bool is_for_chip =
        wl_script_choose_family(script, arch_params_family(arch_chip_params(chip)));

    g_assert(is_for_chip);
    set_links(system, platform, chip);
    bool is_connected = wl_connect(
        platform, (const WlChip *) (const void *) chips->data, chips->len, NULL);

    g_assert(is_connected);
    g_autoptr(WlOutcome) outcome = wl_run(script, &setting, &error);
    JsonObject *root = json_object_new();
    g_autoptr(JsonNode) node = json_node_new(JSON_NODE_OBJECT);

    json_node_take_object(node, root);
    if (outcome == NULL) {
        json_object_set_string_member(root, "error", error->message);
        json_object_set_string_member(root, "domain", g_quark_to_string(error->domain));
        json_object_set_int_member(root, "code", error->code);
    } else {
        put_outcome(root, outcome);
        put_roofs(root, outcome);
    }
    put_counters(root, chips);
    json_object_set_string_member(root, "printed", printed->str);
    json_object_set_double_member(root, "now", sim_system_now(system));
    json_object_set_double_member(root, "fraction", watch.fraction);
    json_object_set_int_member(root, "reports", watch.reports);
    g_autofree char *text = json_to_string(node, TRUE);
    bool is_written = g_file_set_contents("result.json", text, -1, NULL);

    g_assert(is_written);
    g_string_free(printed, TRUE);
}

Result machine_run(const char *body, const Machine *machine)
{
    static const Machine usual = {0};
    g_auto(Folder) folder = folder_new();
    g_autofree char *text = g_strdup_printf(
        "return { summary = 't', chips = { 'nero', 'tensix', 'wse' }, "
        "parameters = {}, run = function(host, p)\n%s\nend,\n"
        "kernels = { %s } }\n",
        body, machine != NULL && machine->kernels != NULL ? machine->kernels : "");
    const char *path = folder_path(&folder, "result.json");
    Result result = {.parser = json_parser_new()};
    int status = -1;

    (void) folder_write(&folder, "t.lua", text, -1);
    assert_int_equal(fflush(NULL), 0);
    pid_t child = fork();
    if (child == 0) {
        if (g_chdir(folder.path) == 0) {
            run_here(machine != NULL ? machine : &usual);
        }
        /* Not _exit(): here the sanitizer looks for leaks. */
        exit(EXIT_SUCCESS);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        fail_msg("the run ended with status %d:\n%s", status, body);
    }
    assert_true(json_parser_load_from_file(result.parser, path, NULL));
    result.root = json_node_get_object(json_parser_get_root(result.parser));
    return result;
}

Result machine_run_well(const char *body, const Machine *machine)
{
    Result result = machine_run(body, machine);

    if (json_object_has_member(result.root, "error")) {
        fail_msg("%s", json_object_get_string_member(result.root, "error"));
    }
    return result;
}

double result_number(const Result *self, const char *name)
{
    return json_object_get_double_member(self->root, name);
}

const char *result_text(const Result *self, const char *name)
{
    return json_object_get_string_member(self->root, name);
}

JsonObject *result_object(const Result *self, const char *name)
{
    return json_object_get_object_member(self->root, name);
}

void assert_seconds(const Result *self, const char *name, double expected)
{
    double seconds = result_number(self, name);

    if (fabs(seconds - expected) > 2e-12) {
        fail_msg("%s is %.15g s, expected %.15g s", name, seconds, expected);
    }
}

void assert_printed(const char *body, const char *expected)
{
    g_auto(Result) result = machine_run_well(body, NULL);

    assert_string_equal(result_text(&result, "printed"), expected);
}

void assert_failed(const Result *self, GQuark domain, int code, const char *message)
{
    if (!json_object_has_member(self->root, "error")) {
        fail_msg("it runs, expected %s", message);
    }
    g_auto(GStrv) lines = g_strsplit(result_text(self, "error"), "\n", 2);

    assert_string_equal(lines[0], message);
    assert_string_equal(result_text(self, "domain"), g_quark_to_string(domain));
    assert_int_equal(json_object_get_int_member(self->root, "code"), code);
}

void assert_fails(const char *body, GQuark domain, int code, const char *message)
{
    g_auto(Result) result = machine_run(body, NULL);

    assert_failed(&result, domain, code, message);
}
