/* A workload script on a chip, for benchmarks. */
#include "tests/bench/bench_machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Ends the process where something went wrong. */
static void check(const GError *error)
{
    if (error != NULL) {
        (void) fprintf(stderr, "%s: %s\n", g_get_prgname(), error->message);
        exit(EXIT_FAILURE);
    }
}

static ArchChip *load_chip(const BenchJob *job)
{
    g_autofree char *path =
        g_strdup_printf("%s/arch/chips/%s.ini", GRIDLOOM_SOURCE_DIR, job->chip);
    g_autoptr(GError) error = NULL;
    ArchParams *params = arch_params_load(path, &error);

    check(error);
    ArchChip *chip = arch_chip_new(params, job->threads, &error);

    check(error);
    return chip;
}

static WlScript *load_script(const BenchJob *job, const ArchChip *chip)
{
    g_autofree char *path =
        g_strdup_printf("%s/workloads/%s.lua", GRIDLOOM_SOURCE_DIR, job->script);
    g_auto(GStrv) words = g_strsplit(job->words, " ", -1);
    g_autoptr(GError) error = NULL;
    WlSandboxConfig config = wl_sandbox_config_default();

    config.steps = 0;
    config.library_path = GRIDLOOM_SOURCE_DIR "/workloads/lib";
    WlScript *script = wl_script_load(path, &config, &error);

    check(error);
    (void) wl_script_choose_family(script, arch_params_family(arch_chip_params(chip)));
    for (gsize i = 0; words[i] != NULL; i++) {
        (void) wl_script_set(script, words[i], &error);
        check(error);
    }
    return script;
}

void bench_machine_run(BenchMachine *self, const BenchJob *job)
{
    g_autoptr(GError) error = NULL;

    *self = (BenchMachine){.chip = load_chip(job)};
    self->script = load_script(job, self->chip);
    self->platform =
        sim_platform_load(GRIDLOOM_SOURCE_DIR "/arch/systems/default.xml", &error);
    check(error);
    self->system = sim_system_new(self->platform, NULL, &error);
    check(error);
    const WlChip chip = {self->chip, sim_platform_first_chip(self->platform)->name};
    WlMachine machine = {
        .system = self->system,
        .chips = &chip,
        .chip_count = 1,
        .host = sim_platform_main_host(self->platform)->name,
        .is_timing_only = job->is_timing_only,
        .limit_cycles = SIM_TIME_NEVER,
        .progress = bench_clock_observe,
        .progress_data = &self->clock,
    };

    self->outcome = wl_run(self->script, &machine, &error);
    check(error);
}

void bench_machine_clear(BenchMachine *self)
{
    g_clear_pointer(&self->outcome, wl_outcome_free);
    g_clear_pointer(&self->script, wl_script_free);
    g_clear_pointer(&self->chip, arch_chip_free);
    g_clear_pointer(&self->system, sim_system_free);
    g_clear_pointer(&self->platform, sim_platform_free);
}

void bench_machine_apart(void (*run)(gconstpointer data), gconstpointer data)
{
    pid_t child = fork();
    int status = EXIT_FAILURE;

    if (child == 0) {
        run(data);
        exit(EXIT_SUCCESS);
    }
    if (waitpid(child, &status, 0) != child || status != 0) {
        exit(EXIT_FAILURE);
    }
}
