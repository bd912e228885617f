/* The processing elements of a wafer and the fabric between them, running the programs
 * of a layout. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/chipfile/params.h"
#include "arch/wse_layout.h"
#include "arch/wse_work.h"
#include "sim/engine.h"

/* What moves as one. */
typedef enum {
    ARCH_WSE_GRAIN_WAVELET, /* exact */
    ARCH_WSE_GRAIN_STREAM,  /* a vector operation's whole stream */
} ArchWseGrain;

/* How long the operations of a phase take in the grain of streams, as a multiple of
 * what they would take alone: exact, in 1/65536. */
typedef struct {
    const char *phase; /* of the programs */
    uint32_t factor;   /* 65536 is 1 */
} ArchWseStretch;

typedef struct {
    bool is_functional; /* off: no data, the same cycles */
    ArchWseGrain grain;
    const ArchWseStretch *stretches; /* of phases; 1 for those without */
    guint stretch_count;
    guint region_columns; /* the fabric is cut into so many regions; 0: as suits */
    guint region_rows;
} ArchWseOptions;

typedef struct ArchChip ArchChip;

/* `params` is borrowed. Windows of the engine are of one cycle: so much later a wavelet
 * reaches the next router, and a credit the one before. */
ArchWse *arch_wse_new(SimEngine *engine, const ArchParams *params);
void arch_wse_free(ArchWse *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ArchWse, arch_wse_free)

/* The PEs of a chip, NULL where it is no wafer. */
ArchWse *arch_wse_of(const ArchChip *chip);

/* Puts a layout onto the wafer, in place of what was there; between runs. Takes
 * `layout`, also when it fails, and finishes it. Fails as arch_wse_layout_finish(), and
 * with ARCH_ERROR_UNMODELLED for what the grain does not cover. */
bool arch_wse_load(ArchWse *self,
                   ArchWseLayout *layout,
                   const ArchWseOptions *options,
                   GError **error);

/* Sets what a variable begins with, at the next start and after it, in all PEs whose
 * program has one of this name: as arguments of the function that a host launches.
 * Between runs. Fails with ARCH_ERROR_INVALID where no PE has it. */
bool arch_wse_set_variable(ArchWse *self,
                           const char *name,
                           int32_t value,
                           GError **error);

/* The factors of phases from the next start on, in place of those it was loaded with.
 * Between runs. */
void arch_wse_set_stretches(ArchWse *self,
                            const ArchWseStretch *stretches,
                            guint count);

/* Lets every PE begin at the engine's time; what is in its memory stays from one start
 * to the next. The run of the engine fails with
 * ARCH_ERROR_INVALID where the program breaks a rule of the hardware, and with
 * SIM_ERROR_DEADLOCK where PEs wait for ever. */
void arch_wse_start(ArchWse *self);

/* Numbers `first` on, `count` of them, of the array `name` of every PE of the tiles:
 * row by row, one PE after the other, as they lie in memory. */
typedef struct {
    ArchWseTiles tiles;
    const char *name;
    guint first;
    guint count;
} ArchWsePart;

/* Without data these only check. Fail with ARCH_ERROR_INVALID: no such array in one of
 * the PEs, outside it, or `bytes` is not what that takes. */
bool arch_wse_write(ArchWse *self,
                    const ArchWsePart *part,
                    gconstpointer data,
                    gsize bytes,
                    GError **error);
bool arch_wse_read(
    ArchWse *self, const ArchWsePart *part, gpointer data, gsize bytes, GError **error);

/* What happened since the start. */
typedef struct {
    uint64_t pe_count;
    uint64_t cycles; /* until the last PE came to rest */
    uint64_t busy;   /* PE cycles, all PEs together */
    uint64_t memory_idle;
    double busy_deviation;  /* of the fraction of busy cycles over PEs */
    uint64_t memory_bytes;  /* moved between CEs and memories */
    uint64_t ramp_wavelets; /* to the CEs */
    uint64_t link_wavelets; /* over links between routers */
    uint64_t flops;
    uint64_t polls; /* how often a PE was looked at */
} ArchWseProfile;
ArchWseProfile arch_wse_profile(const ArchWse *self);

/* Of one PE. */
typedef struct {
    uint64_t busy;
    uint64_t memory_idle;
    SimTime end; /* when it came to rest, after the start */
} ArchWsePeProfile;
ArchWsePeProfile arch_wse_pe_profile(const ArchWse *self, guint x, guint y);

/* Ends of iterations, after the start: of the first and last PE and in the mean. */
typedef struct {
    guint iteration; /* from 0 */
    uint64_t pe_count;
    SimTime first;
    SimTime last;
    double mean;
} ArchWseIteration;
/* The caller frees the array of ArchWseIteration. */
GArray *arch_wse_iterations(const ArchWse *self);

/* What became of each phase: streams that were alive together on one PE at most, and
 * cycles from the first's begin until none was alive, in the mean over PEs. */
typedef struct {
    const char *name;
    guint streams;
    double cycles;
} ArchWsePhase;
/* The caller frees the array of ArchWsePhase. */
GArray *arch_wse_phases(const ArchWse *self);

/* Joules since the start: of the whole wafer idle, and of busy cycles. */
double arch_wse_idle_joules(const ArchWse *self);
double arch_wse_busy_joules(const ArchWse *self);

/* A hash of the timing state of all PEs, the same for any regions and threads. */
uint64_t arch_wse_state_hash(const ArchWse *self);
