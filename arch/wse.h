/* The PEs of a wafer and the fabric between them, running the programs of a layout. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/chipfile/params.h"
#include "arch/wse_layout.h"
#include "sim/engine.h"
#include "sim/ratio.h"
#include "sim/shared.h"

typedef struct ArchChip ArchChip;
typedef struct ArchWse ArchWse;

/* The unit in which data moves. */
typedef enum {
    ARCH_WSE_GRAIN_WAVELET, /* exact */
    ARCH_WSE_GRAIN_STREAM,  /* a vector operation's whole stream */
} ArchWseGrain;

/* How much slower than alone a phase's operations are in the grain of streams. */
typedef struct {
    const char *phase; /* of the programs */
    uint32_t factor;   /* 65536 is 1 */
} ArchWseStretch;

typedef struct {
    bool is_functional; /* off: no data, the same cycles */
    ArchWseGrain grain;
    const ArchWseStretch *stretches; /* of phases; other phases have factor 1 */
    guint stretch_count;
    guint band_count; /* at most, for threads to share out; 0: chosen automatically */
    guint ranks;      /* WseFitWanted of wse/rank/fit.h, for tests */
    bool has_race_check; /* see arch_wse_races() */
    bool has_lines;      /* see arch_wse_lines() */
    bool is_driven; /* PEs may wait for the host where a run ends; launches set it */
} ArchWseOptions;

/* `params` is borrowed. The engine's windows may be endless, because its regions get no
 * events: the wafer shares its own out, a region to each band of rows. */
ArchWse *arch_wse_new(SimEngine *engine, const ArchParams *params);
void arch_wse_free(ArchWse *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ArchWse, arch_wse_free)

/* The PEs of a chip; NULL if it is not a wafer. */
ArchWse *arch_wse_of(const ArchChip *chip);

/* Loads a layout in place of the one before. Call it between runs. Takes `layout`, even
 * on failure, and finishes it. Fails like arch_wse_layout_finish(), and with
 * ARCH_ERROR_UNMODELLED if the grain does not cover the program. */
bool arch_wse_load(ArchWse *self,
                   ArchWseLayout *layout,
                   const ArchWseOptions *options,
                   GError **error);

/* Sets the initial value of a variable for later starts, in all PEs that have it,
 * between runs. Fails with ARCH_ERROR_INVALID if no PE has it. */
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
 * next task, in the state in which it is. The engine's run fails with
 * SIM_ERROR_DEADLOCK if one does not come to arch_wse_program_unblock_stream(). Fails
 * with ARCH_ERROR_INVALID if a PE lacks the function or a variable. */
bool arch_wse_launch(ArchWse *self, const ArchWseLaunch *launch, GError **error);

/* Wavelets between the host and PEs, on a color that the layout gives to the host:
 * `count` for each PE of the tiles, row by row, PE by PE. */
typedef struct {
    ArchWseTiles tiles;
    guint color;
    guint count;
    SimRatio cycles_per_wavelet; /* of the host's side, all PEs together */
} ArchWseStream;

/* After arch_wse_start(), between runs of the engine: the words go to the PEs' ramps as
 * fast as the host's side and the PEs allow; or as many are taken from PEs. A run that
 * ends before all have moved is a deadlock. */
bool arch_wse_send(ArchWse *self,
                   const ArchWseStream *stream,
                   const uint32_t *words,
                   GError **error);
bool arch_wse_expect(ArchWse *self, const ArchWseStream *stream, GError **error);
/* After the run: what has come. Fails if it is less. */
bool arch_wse_take(ArchWse *self,
                   const ArchWseStream *stream,
                   uint32_t *words,
                   GError **error);

/* See ArchFamily in arch/family.h. Call it between windows of the engine. */
uint64_t arch_wse_progress(const ArchWse *self);

/* Hands unfinished slices to the watcher (sim/probe.h), which sees no more until the
 * next start or launch. Call it after a run, even a failed one. */
void arch_wse_finish_watch(ArchWse *self);

/* A line on wavelets that left the layout, or NULL. The caller frees it. */
char *arch_wse_loss(const ArchWse *self);

/* The races of all runs so far that were checked, in order of time, a line for each
 * pair of places in programs: see arch/wse/ce/race.h. The caller frees the array. */
GPtrArray *arch_wse_races(ArchWse *self);

/* `count` numbers from `first` on of the array `name`, for every PE of the tiles: row
 * by row, PE by PE, in memory order. Without a name: bytes from an address on. */
typedef struct {
    ArchWseTiles tiles;
    const char *name;
    guint first;
    guint count;
} ArchWsePart;

/* If data is not simulated these only check. They fail with ARCH_ERROR_INVALID if a PE
 * has no such array, if the part lies outside it, or if `bytes` is not the size of the
 * part. A wafer may hold the array of arch_wse_share() instead of a copy. */
bool arch_wse_write(ArchWse *self,
                    const ArchWsePart *part,
                    gconstpointer data,
                    gsize bytes,
                    GError **error);
bool arch_wse_share(ArchWse *self,
                    const ArchWsePart *part,
                    SimShared *data,
                    GError **error);
bool arch_wse_read(
    ArchWse *self, const ArchWsePart *part, gpointer data, gsize bytes, GError **error);
