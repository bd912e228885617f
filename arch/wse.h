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

/* After a run, also one that failed, where somebody watches (sim/probe.h): hands over
 * what has not come to an end. What has is in arch/wse_profile.h. */
void arch_wse_finish_watch(ArchWse *self);

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
