/* A workload script on a chip, host and all, in this process. What goes wrong ends it.
 */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/chip.h"
#include "sim/platform.h"
#include "sim/system.h"
#include "tests/bench/bench_clock.h"
#include "workloads/run.h"
#include "workloads/script.h"

typedef struct {
    const char *chip;   /* wse2 */
    const char *script; /* stencil25 */
    const char *words;  /* name=value, with single spaces */
    guint threads;
    bool is_timing_only;
} BenchJob;

typedef struct {
    SimPlatform *platform;
    SimSystem *system;
    ArchChip *chip;
    WlScript *script;
    WlOutcome *outcome; /* of the run */
    BenchClock clock;   /* of it, too */
} BenchMachine;

void bench_machine_run(BenchMachine *self, const BenchJob *job);
void bench_machine_clear(BenchMachine *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(BenchMachine, bench_machine_clear)

/* Calls `run` in a process of its own, and ends this one where it fails: SimGrid allows
 * one system in each process, and peaks of memory are of processes. */
void bench_machine_apart(void (*run)(gconstpointer data), gconstpointer data);
