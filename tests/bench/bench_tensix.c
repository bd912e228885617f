/* Chip cycles per second of 56 cores that add vectors, data and all: from L1 and from
 * DRAM, on one host thread and on two. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <glib.h>

#include "arch/chip.h"
#include "sim/platform.h"
#include "sim/system.h"
#include "tests/bench/bench_clock.h"
#include "workloads/run.h"
#include "workloads/script.h"

typedef struct {
    const char *from;
    guint tiles; /* per core */
    guint quick_tiles;
    guint threads;
} Case;

static void fail(const GError *error)
{
    (void) fprintf(stderr, "bench_tensix: %s\n", error->message);
    exit(EXIT_FAILURE);
}

static WlScript *load(const Case *row, guint tiles)
{
    g_autofree char *from = g_strconcat("from=", row->from, NULL);
    g_autofree char *share = g_strdup_printf("tiles=%u", tiles);
    const char *const words[] = {"rows=7", "cols=8", from, share};
    g_autoptr(GError) error = NULL;
    WlSandboxConfig config = wl_sandbox_config_default();

    config.steps = 0;
    config.library_path = GRIDLOOM_SOURCE_DIR "/workloads/lib";
    WlScript *script =
        wl_script_load(GRIDLOOM_SOURCE_DIR "/workloads/vecadd.lua", &config, &error);

    if (script != NULL) {
        (void) wl_script_choose_family(script, "tensix");
    }
    for (gsize i = 0; script != NULL && i < G_N_ELEMENTS(words); i++) {
        (void) wl_script_set(script, words[i], &error);
    }
    if (error != NULL) {
        fail(error);
    }
    return script;
}

static void run(const Case *row, guint tiles)
{
    g_autoptr(GError) error = NULL;
    BenchClock clock = {0};
    ArchParams *params =
        arch_params_load(GRIDLOOM_SOURCE_DIR "/arch/chips/wormhole_n300.ini", &error);
    g_autoptr(SimPlatform) platform =
        sim_platform_load(GRIDLOOM_SOURCE_DIR "/arch/systems/default.xml", NULL);
    g_autoptr(SimSystem) system = sim_system_new(platform, NULL, NULL);

    if (params == NULL) {
        fail(error);
    }
    g_autoptr(ArchChip) chip = arch_chip_new(params, row->threads, &error);

    if (chip == NULL) {
        fail(error);
    }
    g_autoptr(WlScript) script = load(row, tiles);
    WlMachine machine = {
        .system = system,
        .chip = chip,
        .host = sim_platform_main_host(platform)->name,
        .chip_host = sim_platform_first_chip(platform)->name,
        .limit_cycles = SIM_TIME_NEVER,
        .progress = bench_clock_observe,
        .progress_data = &clock,
    };
    g_autoptr(WlOutcome) outcome = wl_run(script, &machine, &error);

    if (outcome == NULL) {
        fail(error);
    }
    printf("{\"case\": \"vecadd, 56 cores, from %s\", \"threads\": %u, "
           "\"cycles_per_second\": %.0f, \"cycles_per_cpu_second\": %.0f, "
           "\"cycles\": %" G_GUINT64_FORMAT ", \"events\": %" G_GUINT64_FORMAT
           ", \"check\": \"%s\"}\n",
           row->from, row->threads, (double) outcome->cycles / clock.wall_seconds,
           (double) outcome->cycles / clock.cpu_seconds, outcome->cycles, clock.events,
           wl_check_status_name(outcome->check));
    (void) fflush(stdout);
}

int main(int argc, char **argv)
{
    static const Case cases[] = {
        {"l1", 256, 32, 1},
        {"l1", 256, 32, 2},
        {"dram", 128, 16, 1},
        {"dram", 128, 16, 2},
    };
    const bool is_quick = argc > 1 && g_str_equal(argv[1], "--quick");

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        /* SimGrid allows one system in each process. */
        pid_t child = fork();
        int status = EXIT_FAILURE;

        if (child == 0) {
            run(&cases[i], is_quick ? cases[i].quick_tiles : cases[i].tiles);
            return EXIT_SUCCESS;
        }
        if (waitpid(child, &status, 0) != child || status != 0) {
            return EXIT_FAILURE;
        }
    }
    return EXIT_SUCCESS;
}
