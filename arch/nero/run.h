/* A running job: PEs over the windows of grids, from the start to the last
 * notification. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/nero.h"
#include "arch/nero/board.h"

typedef struct NeroRun NeroRun;

typedef struct {
    NeroBoard *board;
    const ArchNeroDesign *design;
    ArchDram *dram;
    const ArchNeroJob *job;
    void (*ended)(gpointer data); /* the host has been told of the last window */
    gpointer data;
} NeroRunConfig;

/* Fails with ARCH_ERROR_INVALID. */
bool nero_job_check(const ArchNeroJob *job,
                    const ArchNeroDesign *design,
                    const ArchDram *dram,
                    GError **error);

/* Starts a checked job at the current time. Borrows everything the job points to. */
NeroRun *nero_run_new(const NeroRunConfig *config);
void nero_run_free(NeroRun *self);

bool nero_run_has_ended(const NeroRun *self);
/* Whether no event of the run is pending: it may then be freed while the engine
 * continues. */
bool nero_run_is_at_rest(const NeroRun *self);
