/* Chip cycles per second of 56 cores, data and all: adding vectors from L1 and from
 * DRAM, and multiplying matrices, on one host thread and on two. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <glib.h>

#include "tests/bench/bench_machine.h"

typedef struct {
    const char *name;
    const char *script;
    const char *words; /* ending in the name of its size */
    guint size;
    guint quick_size;
    guint threads;
} Case;

static void run(gconstpointer data)
{
    const Case *row = data;
    g_autofree char *words =
        g_strdup_printf("rows=7 cols=8 %s=%u", row->words, row->size);
    g_auto(BenchMachine) machine = {0};

    bench_machine_run(&machine, &(BenchJob){.chip = "wormhole_n300",
                                            .script = row->script,
                                            .words = words,
                                            .threads = row->threads});
    const WlOutcome *outcome = machine.outcome;
    const BenchClock *clock = &machine.clock;

    printf("{\"case\": \"%s, 56 cores\", \"threads\": %u, "
           "\"cycles_per_second\": %.0f, \"cycles_per_cpu_second\": %.0f, "
           "\"cycles\": %" G_GUINT64_FORMAT ", \"events\": %" G_GUINT64_FORMAT
           ", \"check\": \"%s\"}\n",
           row->name, row->threads, (double) outcome->cycles / clock->wall_seconds,
           (double) outcome->cycles / clock->cpu_seconds, outcome->cycles,
           clock->events, wl_check_status_name(outcome->check));
    (void) fflush(stdout);
}

int main(int argc, char **argv)
{
    static const Case cases[] = {
        {"vecadd from L1", "vecadd", "from=l1 tiles", 256, 32, 1},
        {"vecadd from L1", "vecadd", "from=l1 tiles", 256, 32, 2},
        {"vecadd from DRAM", "vecadd", "from=dram tiles", 128, 16, 1},
        {"vecadd from DRAM", "vecadd", "from=dram tiles", 128, 16, 2},
        {"matmul", "matmul", "m=896 n=512 blocked=off multicast=off depth=1 k", 640, 64,
         1},
        {"matmul", "matmul", "m=896 n=512 blocked=off multicast=off depth=1 k", 640, 64,
         2},
    };
    const bool is_quick = argc > 1 && g_str_equal(argv[1], "--quick");

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        Case row = cases[i];

        row.size = is_quick ? row.quick_size : row.size;
        bench_machine_apart(run, &row);
    }
    return EXIT_SUCCESS;
}
