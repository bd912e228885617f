/* Measures how much slower the streams of a program are when several share a PE: runs a
 * slice of the layout exactly, then in the grain of streams until the factors agree. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/chipfile/params.h"
#include "arch/wse.h"
#include "arch/wse_layout.h"

/* Builds the program for `columns` x `rows` PEs and `iterations` iterations. Returns
 * NULL with an error. Called once for each grain. */
typedef ArchWseLayout *(*ArchWseBuildFunc)(
    gpointer data, guint columns, guint rows, guint iterations, GError **error);

typedef struct {
    guint columns; /* of the slice */
    guint rows;
    guint iterations;
    ArchWseBuildFunc build;
    gpointer data;
    bool (*is_wanted)(gpointer data); /* called now and then; false stops the
                                       * measurement */
} ArchWseSlice;

typedef struct {
    GArray *stretches; /* of ArchWseStretch: phases with more than one stream on a PE */
    double exact_cycles;  /* of an iteration after the first, or of the only one */
    double stream_cycles; /* with the factors */
    double error;         /* their difference as a fraction of exact_cycles */
    uint64_t pe_cycles;   /* simulated exactly */
} ArchWseStretches;

/* Fails with ARCH_ERROR_UNMODELLED if the two differ by more than 1 %, with
 * SIM_ERROR_STOPPED, and like arch_wse_load() and the engine. */
bool arch_wse_measure(const ArchParams *params,
                      const ArchWseSlice *slice,
                      ArchWseStretches *stretches,
                      GError **error);
void arch_wse_stretches_clear(ArchWseStretches *stretches);
