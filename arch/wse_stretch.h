/* Measures how much slower the streams of a program are when several of them share its
 * PEs: a slice of the layout is run exactly, then in the grain of streams until the
 * factors agree. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/chipfile/params.h"
#include "arch/wse.h"
#include "arch/wse_layout.h"

/* The same program on `columns` x `rows` PEs for so many iterations; NULL with an
 * error. Asked once for each grain. */
typedef ArchWseLayout *(*ArchWseBuildFunc)(
    gpointer data, guint columns, guint rows, guint iterations, GError **error);

typedef struct {
    guint columns; /* of the slice */
    guint rows;
    guint iterations;
    ArchWseBuildFunc build;
    gpointer data;
    bool (*is_wanted)(gpointer data); /* asked now and then; false stops it */
} ArchWseSlice;

typedef struct {
    GArray *stretches; /* of ArchWseStretch: phases with more than one stream on a PE */
    double exact_cycles;  /* of an iteration after the first, or of all if it is one */
    double stream_cycles; /* with the factors */
    double error;         /* how far they are apart, as a fraction of the exact */
    uint64_t pe_cycles;   /* simulated exactly */
} ArchWseStretches;

/* Fails with ARCH_ERROR_UNMODELLED where slice and factors differ by more than 1 %,
 * with SIM_ERROR_STOPPED, and as arch_wse_load() and the engine do. */
bool arch_wse_measure(const ArchParams *params,
                      const ArchWseSlice *slice,
                      ArchWseStretches *stretches,
                      GError **error);
void arch_wse_stretches_clear(ArchWseStretches *stretches);
