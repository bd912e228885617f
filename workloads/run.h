/* Runs a script's host program on a simulated system. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/chip.h"
#include "sim/system.h"
#include "workloads/outcome.h"
#include "workloads/script.h"

typedef struct {
    double seconds;  /* simulated */
    uint64_t events; /* of the chip's engine */
    double fraction; /* done, or negative where the script does not say */
} WlProgress;

/* Told now and then how far the run is. Returns false to stop it. */
typedef bool (*WlProgressFunc)(gpointer data, const WlProgress *progress);

typedef struct {
    SimSystem *system;
    ArchChip *chip;
    const char *host;      /* where the host program runs */
    const char *chip_host; /* the host that carries the chip */
    bool is_timing_only;   /* data is neither moved nor checked */
    SimTime limit_cycles;  /* of the chip's clock; SIM_TIME_NEVER for none */
    WlProgressFunc progress;
    gpointer progress_data;
} WlMachine;

/* Call once per script, whose chosen family is the chip's. Fails with the script's
 * error, with what the chip or its engine reports, or with SIM_ERROR_STOPPED. */
WlOutcome *wl_run(WlScript *script, const WlMachine *machine, GError **error);
