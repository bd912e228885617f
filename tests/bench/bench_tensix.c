/* Chip cycles per second of 56 cores that add vectors, data and all: from L1 and
 * from DRAM, on one host thread and on two. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <glib.h>

#include "tests/bench/bench_machine.h"

typedef struct {
    const char *from;
    guint tiles; /* per core */
    guint quick_tiles;
    guint threads;
} Case;

static void run(gconstpointer data)
{
    const Case *row = data;
    g_autofree char *words =
        g_strdup_printf("rows=7 cols=8 from=%s tiles=%u", row->from, row->tiles);
    g_auto(BenchMachine) machine = {0};

    bench_machine_run(&machine, &(BenchJob){.chip = "wormhole_n300",
                                            .script = "vecadd",
                                            .words = words,
                                            .threads = row->threads});
    const WlOutcome *outcome = machine.outcome;
    const BenchClock *clock = &machine.clock;

    printf("{\"case\": \"vecadd, 56 cores, from %s\", \"threads\": %u, "
           "\"cycles_per_second\": %.0f, \"cycles_per_cpu_second\": %.0f, "
           "\"cycles\": %" G_GUINT64_FORMAT ", \"events\": %" G_GUINT64_FORMAT
           ", \"check\": \"%s\"}\n",
           row->from, row->threads, (double) outcome->cycles / clock->wall_seconds,
           (double) outcome->cycles / clock->cpu_seconds, outcome->cycles,
           clock->events, wl_check_status_name(outcome->check));
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
        Case row = cases[i];

        row.tiles = is_quick ? row.quick_tiles : row.tiles;
        bench_machine_apart(run, &row);
    }
    return EXIT_SUCCESS;
}
