/* What the PEs of a wafer did since their start: cycles, operations, words, joules. */
#pragma once

#include <stdint.h>

#include <glib.h>

#include "arch/place.h"
#include "arch/wse.h"

/* Totals over all PEs. */
typedef struct {
    uint64_t pe_count;
    uint64_t cycles; /* until the last PE came to rest */
    uint64_t busy;   /* PE cycles, summed over PEs */
    uint64_t memory_idle;
    uint64_t memory_bytes;  /* moved between CEs and memories */
    uint64_t ramp_wavelets; /* to the CEs */
    uint64_t link_wavelets; /* over links between routers */
    uint64_t flops;
} ArchWseProfile;
ArchWseProfile arch_wse_profile(const ArchWse *self);

/* The standard deviation over PEs of the fraction of busy cycles. */
double arch_wse_busy_deviation(const ArchWse *self);

/* Totals of one PE. */
typedef struct {
    uint64_t busy;
    uint64_t memory_idle;
    SimTime end; /* when it came to rest, counted from the start */
} ArchWsePeProfile;
ArchWsePeProfile arch_wse_pe_profile(const ArchWse *self, guint x, guint y);

/* When an iteration ended, counted from the start: on the first PE, on the last PE, and
 * the mean over PEs. */
typedef struct {
    guint iteration; /* from 0 */
    uint64_t pe_count;
    SimTime first;
    SimTime last;
    double mean;
} ArchWseIteration;
/* The caller frees the array of ArchWseIteration. */
GArray *arch_wse_iterations(const ArchWse *self);

/* A phase as it ran: the most streams alive at once on one PE, and the mean over PEs of
 * the cycles from the begin of the first stream until none was alive. */
typedef struct {
    const char *name;
    guint streams;
    double cycles;
} ArchWsePhase;
/* The caller frees the array of ArchWsePhase. */
GArray *arch_wse_phases(const ArchWse *self);

/* Joules: for idle power of the whole wafer, and for cycles in which PEs are busy. */
double arch_wse_idle_joules(const ArchWse *self, uint64_t cycles);
double arch_wse_busy_joules(const ArchWse *self, uint64_t busy);

/* Floating-point operations of vectors, by number format. */
typedef struct {
    uint64_t f32;
    uint64_t f16;
    uint64_t mixed; /* halves into singles */
} ArchWseFlops;
ArchWseFlops arch_wse_flops(const ArchWse *self);

/* Time that PEs spent in a zone named by their program. */
typedef struct {
    const char *name;
    double cycles; /* since the start, in the mean over all PEs */
} ArchWseZone;

/* Zones that have ended, in the order of programs and their code, of the PEs whose
 * program has this name, or of all if it is NULL. Cycles include work and waits. The
 * caller frees the array of ArchWseZone. */
GArray *arch_wse_zones(const ArchWse *self, const char *program);

/* The work of the PEs whose program has this name, or of all PEs if it is NULL:
 * elements of each vector operation, by name. Memory words count operands that advance
 * through memory, not a number that stays the same for a whole row. */
typedef struct {
    const char *name;
    uint64_t elements;
} ArchWseExecuted;
typedef struct {
    uint64_t pe_count;
    uint64_t busy; /* PE cycles */
    uint64_t memory_idle;
    uint64_t memory_words; /* of 32 bits */
    uint64_t ramp_words;   /* from the fabric into the CEs */
    uint64_t flops;
    GArray *operations; /* of ArchWseExecuted, without unused operations */
} ArchWseWork;
/* The caller frees it with arch_wse_work_clear(). */
ArchWseWork arch_wse_work(const ArchWse *self, const char *program);
void arch_wse_work_clear(ArchWseWork *work);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(ArchWseWork, arch_wse_work_clear)

/* A line of the programs of one name; `place.file` is NULL for what has none. */
typedef struct {
    const char *program;
    uint64_t pe_count; /* of the PEs that have it */
    ArchPlace place;
    uint64_t busy;        /* cycles in which its instructions issue, summed over PEs */
    uint64_t memory_idle; /* stalls of memory that they bring */
} ArchWseLine;
/* Since the start: lines that have taken cycles, by program, file and line. After a run
 * their sums are all busy cycles and stalls. Empty unless the options of the load have
 * `has_lines`. The caller frees the array of ArchWseLine; texts are the wafer's. */
GArray *arch_wse_lines(const ArchWse *self);

/* --- How much slower the streams of a program are when several share a PE: a slice of
 * the layout runs exactly, then in the grain of streams until the factors agree. --- */

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
    const ArchWseLayout *whole;       /* whose streams it has to have; NULL: any */
    guint thread_count;               /* of the exact run; 0: one */
} ArchWseSlice;

typedef struct {
    GArray *stretches; /* of ArchWseStretch: phases with more than one stream on a PE */
    double exact_cycles;  /* of an iteration after the first, or of the only one */
    double stream_cycles; /* with the factors */
    double error;         /* their difference as a fraction of exact_cycles */
    uint64_t pe_cycles;   /* simulated exactly */
    guint trials;         /* runs in streams until the factors were found */
} ArchWseStretches;

/* Fails with ARCH_ERROR_UNMODELLED if the two differ by more than 1 % or the slice
 * lacks a color or phase of the whole's streams, or a program with the same operations
 * on them; with SIM_ERROR_STOPPED, and like arch_wse_load() and the engine. */
bool arch_wse_measure(const ArchParams *params,
                      const ArchWseSlice *slice,
                      ArchWseStretches *stretches,
                      GError **error);
void arch_wse_stretches_clear(ArchWseStretches *stretches);
