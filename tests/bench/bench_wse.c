/* PE cycles per second of a wafer that runs the 25-point stencil without data: exactly
 * and in the grain of streams, on one host thread and on two. Putting the layout
 * together and measuring its slice are left out. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
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
    const char *grain;
    guint columns;
    guint rows;
    guint layers; /* cells of a PE */
    guint steps;
    guint threads;
} Case;

static long peak_rss_bytes(void)
{
    struct rusage usage = {0};

    (void) getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss * 1024; /* Linux counts KiB */
}

static void fail(const GError *error)
{
    (void) fprintf(stderr, "bench_wse: %s\n", error->message);
    exit(EXIT_FAILURE);
}

static WlScript *load(const Case *row)
{
    g_autofree char *text =
        g_strdup_printf("grain=%s nx=%u ny=%u nz=%u steps=%u", row->grain, row->columns,
                        row->rows, row->layers, row->steps);
    g_auto(GStrv) words = g_strsplit(text, " ", -1);
    g_autoptr(GError) error = NULL;
    WlSandboxConfig config = wl_sandbox_config_default();

    config.library_path = GRIDLOOM_SOURCE_DIR "/workloads/lib";
    WlScript *script =
        wl_script_load(GRIDLOOM_SOURCE_DIR "/workloads/stencil25.lua", &config, &error);

    if (error == NULL) {
        (void) wl_script_choose_family(script, "wse");
    }
    for (gsize i = 0; error == NULL && words[i] != NULL; i++) {
        (void) wl_script_set(script, words[i], &error);
    }
    if (error != NULL) {
        fail(error);
    }
    return script;
}

static void
print(const Case *row, const ArchWseProfile *profile, const BenchClock *clock)
{
    double pe_cycles = (double) profile->pe_count * (double) profile->cycles;

    printf("{\"case\": \"stencil25, %ux%ux%u\", \"grain\": \"%s\", "
           "\"pes\": %" G_GUINT64_FORMAT ", \"threads\": %u, "
           "\"pe_cycles_per_second\": %.0f, \"pe_cycles_per_cpu_second\": %.0f, "
           "\"peak_rss_bytes\": %ld, \"cycles\": %" G_GUINT64_FORMAT
           ", \"polls\": %" G_GUINT64_FORMAT ", \"seconds\": %.3f}\n",
           row->columns, row->rows, row->layers, row->grain, profile->pe_count,
           row->threads, pe_cycles / clock->wall_seconds,
           pe_cycles / clock->cpu_seconds, peak_rss_bytes(), profile->cycles,
           profile->polls, clock->wall_seconds);
    (void) fflush(stdout);
}

static void run(const Case *row)
{
    g_autoptr(GError) error = NULL;
    BenchClock clock = {0};
    ArchParams *params =
        arch_params_load(GRIDLOOM_SOURCE_DIR "/arch/chips/wse2.ini", &error);
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
    g_autoptr(WlScript) script = load(row);
    WlMachine machine = {
        .system = system,
        .chip = chip,
        .host = sim_platform_main_host(platform)->name,
        .chip_host = sim_platform_first_chip(platform)->name,
        .is_timing_only = true,
        .limit_cycles = SIM_TIME_NEVER,
        .progress = bench_clock_observe,
        .progress_data = &clock,
    };
    g_autoptr(WlOutcome) outcome = wl_run(script, &machine, &error);

    if (outcome == NULL) {
        fail(error);
    }
    ArchWseProfile profile = arch_wse_profile(arch_chip_wse(chip));

    print(row, &profile, &clock);
}

static void run_all(const Case *cases, gsize count)
{
    for (gsize i = 0; i < count; i++) {
        /* SimGrid allows one system in each process, and peaks are of processes. */
        pid_t child = fork();
        int status = EXIT_FAILURE;

        if (child == 0) {
            run(&cases[i]);
            exit(EXIT_SUCCESS);
        }
        if (waitpid(child, &status, 0) != child || status != 0) {
            exit(EXIT_FAILURE);
        }
    }
}

int main(int argc, char **argv)
{
    static const Case quick[] = {
        {"wavelet", 20, 20, 50, 1, 1},
        {"wavelet", 20, 20, 50, 1, 2},
        {"stream", 60, 60, 50, 1, 1},
        {"stream", 60, 60, 50, 1, 2},
    };
    static const Case usual[] = {
        {"wavelet", 45, 45, 1000, 1, 1},
        {"wavelet", 45, 45, 1000, 1, 2},
        {"stream", 200, 200, 1000, 1, 1},
        {"stream", 200, 200, 1000, 1, 2},
    };
    static const Case full[] = {
        {"stream", 755, 994, 1000, 1, 2},
    };
    const char *option = argc > 1 ? argv[1] : "";

    if (g_str_equal(option, "--quick")) {
        run_all(quick, G_N_ELEMENTS(quick));
        return EXIT_SUCCESS;
    }
    run_all(usual, G_N_ELEMENTS(usual));
    if (g_str_equal(option, "--full")) {
        run_all(full, G_N_ELEMENTS(full));
    }
    return EXIT_SUCCESS;
}
