/* Runs a script's host program on a simulated system. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/chip.h"
#include "sim/system.h"
#include "workloads/csl.h"
#include "workloads/metal.h"
#include "workloads/outcome.h"
#include "workloads/script.h"

typedef struct {
    SimTime cycles;  /* of the slowest region of the chip that runs */
    double seconds;  /* simulated */
    uint64_t events; /* of the chips' engines */
    double fraction; /* done; negative if the script does not say */
} WlProgress;

/* Called now and then with the run's progress. Returns false to stop it. */
typedef bool (*WlProgressFunc)(gpointer data, const WlProgress *progress);

typedef struct {
    ArchChip *chip;
    const char *host; /* the host of the system that carries it */
} WlChip;

/* A wait of a thread of the host program. The texts are borrowed. */
typedef struct {
    const char *thread; /* host, or host0, host1 ... of host.each() */
    const char *what;   /* host, transfer, launch, device */
    const char *chip;   /* the host of the system that carries it */
    double begin;       /* simulated seconds */
    double end;
    uint64_t bytes; /* of a transfer */
} WlDeed;
typedef void (*WlDeedFunc)(gpointer data, const WlDeed *deed);

typedef struct {
    SimSystem *system;
    const WlChip *chips;     /* of one family; borrowed */
    guint chip_count;        /* at least 1 */
    const char *host;        /* where the host program runs */
    bool is_timing_only;     /* data is neither moved nor checked */
    bool is_self_checked;    /* the chips' engines check their invariants */
    bool is_race_checked;    /* the outcome lists races */
    bool has_lines;          /* and where time went by line of CSL sources */
    SimTime limit_cycles;    /* of a chip's clock; SIM_TIME_NEVER for none */
    SimTime livelock_cycles; /* without any change that end a run; 0: never */
    WlProgressFunc progress;
    gpointer progress_data;
    WlDeedFunc see; /* called after each wait, or NULL */
    gpointer see_data;
    WlMetal *metal; /* a host program of its own that host.serve() works for, or NULL */
    WlCslRuntime *csl; /* the same for host.serve_csl() */
} WlMachine;

/* A sensible number of livelock_cycles. */
#define WL_LIVELOCK_CYCLES G_GUINT64_CONSTANT(10000000)

/* Call once per script, whose chosen family is the chips'. Fails with the script's
 * error, with what a chip or its engine reports, or with SIM_ERROR_STOPPED. */
WlOutcome *wl_run(WlScript *script, const WlMachine *machine, GError **error);
