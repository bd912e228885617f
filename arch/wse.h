/* The processing elements of a wafer and the fabric between them, running the programs
 * of a layout. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/chipfile/params.h"
#include "arch/wse_layout.h"
#include "sim/engine.h"

typedef struct ArchChip ArchChip;
typedef struct ArchWse ArchWse;

/* The unit in which data moves. */
typedef enum {
    ARCH_WSE_GRAIN_WAVELET, /* exact */
    ARCH_WSE_GRAIN_STREAM,  /* a vector operation's whole stream */
} ArchWseGrain;

/* The slowdown of a phase's operations in the grain of streams, relative to running
 * alone, in units of 1/65536. */
typedef struct {
    const char *phase; /* of the programs */
    uint32_t factor;   /* 65536 is 1 */
} ArchWseStretch;

typedef struct {
    bool is_functional; /* off: no data, the same cycles */
    ArchWseGrain grain;
    const ArchWseStretch *stretches; /* of phases; other phases have factor 1 */
    guint stretch_count;
    guint region_columns; /* regions along x and y; 0: chosen automatically */
    guint region_rows;
    bool has_race_check; /* see arch_wse_races() */
} ArchWseOptions;

/* `params` is borrowed. The engine's window must be one cycle: a wavelet reaches the
 * next router, and a credit the previous one, one cycle later. */
ArchWse *arch_wse_new(SimEngine *engine, const ArchParams *params);
void arch_wse_free(ArchWse *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ArchWse, arch_wse_free)

/* The PEs of a chip; NULL if it is not a wafer. */
ArchWse *arch_wse_of(const ArchChip *chip);

/* Loads a layout onto the wafer and replaces the previous one. Call it between runs.
 * Takes `layout`, even on failure, and finishes it. Fails like
 * arch_wse_layout_finish(), and with ARCH_ERROR_UNMODELLED if the grain does not cover
 * the program. */
bool arch_wse_load(ArchWse *self,
                   ArchWseLayout *layout,
                   const ArchWseOptions *options,
                   GError **error);

/* Sets the initial value of a variable for the next and later starts, in all PEs whose
 * program has a variable of this name. It serves as an argument of the function that
 * the host launches. Call it between runs. Fails with ARCH_ERROR_INVALID if no PE has
 * the variable. */
bool arch_wse_set_variable(ArchWse *self,
                           const char *name,
                           int32_t value,
                           GError **error);

/* Replaces the factors of phases from the next start on. Call it between runs. */
void arch_wse_set_stretches(ArchWse *self,
                            const ArchWseStretch *stretches,
                            guint count);

/* Starts every PE at the engine's current time. Memory keeps its contents from one
 * start to the next. The engine's run then fails with ARCH_ERROR_INVALID if the program
 * breaks a rule of the hardware, and with SIM_ERROR_DEADLOCK if PEs wait for ever. */
void arch_wse_start(ArchWse *self);

/* A call of a function on every PE of the tiles. Arguments are variables, by name. */
typedef struct {
    ArchWseTiles tiles;
    const char *function;
    const char *const *names;
    const int32_t *values;
    guint count;
} ArchWseLaunch;

/* After arch_wse_start(), between runs of the engine: each PE calls the function as its
 * next task, in the state in which it is. From now on PEs may wait where the engine's
 * run ends, but not within a launch: with SIM_ERROR_DEADLOCK if one has not come to
 * arch_wse_program_unblock_stream(). Fails with ARCH_ERROR_INVALID if a PE lacks the
 * function or a variable. */
bool arch_wse_launch(ArchWse *self, const ArchWseLaunch *launch, GError **error);

/* See ArchFamily in arch/family.h. Call it between windows of the engine. */
uint64_t arch_wse_progress(const ArchWse *self);

/* Hands unfinished slices to the watcher (sim/probe.h). Call it after a run, even a
 * failed one. arch/wse_profile.h covers finished work. */
void arch_wse_finish_watch(ArchWse *self);

/* The races of all runs so far that were checked, in order of time, a line for each
 * pair of places in programs: see arch/wse/ce/race.h. The caller frees the array. */
GPtrArray *arch_wse_races(ArchWse *self);

/* `count` numbers from `first` on of the array `name`, for every PE of the tiles: row
 * by row, PE by PE, in memory order. */
typedef struct {
    ArchWseTiles tiles;
    const char *name;
    guint first;
    guint count;
} ArchWsePart;

/* If data is not simulated these only check. They fail with ARCH_ERROR_INVALID if a PE
 * has no such array, if the part lies outside it, or if `bytes` is not the size of the
 * part. */
bool arch_wse_write(ArchWse *self,
                    const ArchWsePart *part,
                    gconstpointer data,
                    gsize bytes,
                    GError **error);
bool arch_wse_read(
    ArchWse *self, const ArchWsePart *part, gpointer data, gsize bytes, GError **error);
