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

/* Starts in the present a job that has been checked; keeps what that points to. */
NeroRun *nero_run_new(const NeroRunConfig *config);
void nero_run_free(NeroRun *self);

bool nero_run_has_ended(const NeroRun *self);
/* Nor will anything of it happen any more: it may be freed while the engine goes on. */
bool nero_run_is_at_rest(const NeroRun *self);
