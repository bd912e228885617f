/* PE cycles per second of a wafer that runs the 25-point stencil without data: exactly
 * and in the grain of streams, on one host thread and on two. Putting the layout
 * together and measuring its slice are left out. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include <glib.h>

#include "arch/wse_profile.h"
#include "tests/bench/bench_machine.h"

enum {
    CASE_WORDS = 7, /* bench_wse --case GRAIN COLUMNS ROWS LAYERS THREADS */
};

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

static void
print(const Case *row, const ArchWseProfile *profile, const BenchClock *clock)
{
    double pe_cycles = (double) profile->pe_count * (double) profile->cycles;

    printf("{\"case\": \"stencil25, %ux%ux%u\", \"grain\": \"%s\", "
           "\"pes\": %" G_GUINT64_FORMAT ", \"threads\": %u, "
           "\"pe_cycles_per_second\": %.0f, \"pe_cycles_per_cpu_second\": %.0f, "
           "\"peak_rss_bytes\": %ld, \"cycles\": %" G_GUINT64_FORMAT
           ", \"seconds\": %.3f}\n",
           row->columns, row->rows, row->layers, row->grain, profile->pe_count,
           row->threads, pe_cycles / clock->wall_seconds,
           pe_cycles / clock->cpu_seconds, peak_rss_bytes(), profile->cycles,
           clock->wall_seconds);
    (void) fflush(stdout);
}

static void run(gconstpointer data)
{
    const Case *row = data;
    g_autofree char *words =
        g_strdup_printf("grain=%s nx=%u ny=%u nz=%u steps=%u", row->grain, row->columns,
                        row->rows, row->layers, row->steps);
    g_auto(BenchMachine) machine = {0};

    bench_machine_run(&machine, &(BenchJob){.chip = "wse2",
                                            .script = "stencil25",
                                            .words = words,
                                            .threads = row->threads,
                                            .is_timing_only = true});
    ArchWseProfile profile = arch_wse_profile(arch_wse_of(machine.chip));

    print(row, &profile, &machine.clock);
}

static void run_all(const Case *cases, gsize count)
{
    for (gsize i = 0; i < count; i++) {
        bench_machine_apart(run, &cases[i]);
    }
}

static guint number(const char *text)
{
    return (guint) g_ascii_strtoull(text, NULL, 10);
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

    if (g_str_equal(option, "--case") && argc == CASE_WORDS) {
        const Case one = {argv[2], number(argv[3]), number(argv[4]), number(argv[5]),
                          1,       number(argv[6])};

        run_all(&one, 1);
        return EXIT_SUCCESS;
    }
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
