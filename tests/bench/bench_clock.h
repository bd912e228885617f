/* Time that goes by while a chip's engine runs events: the host program's own is not
 * what benchmarks measure. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "workloads/run.h"

/* Starts as zeros. */
typedef struct {
    uint64_t events;
    double wall;
    double cpu;
    double wall_seconds;
    double cpu_seconds;
} BenchClock;

/* A WlProgressFunc whose data is the clock; never stops the run. */
bool bench_clock_observe(gpointer data, const WlProgress *progress);
