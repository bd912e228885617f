/* The Tensix cores of a Wormhole; kernels use tensix_compute.h and tensix_mover.h. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/border/fabric.h"
#include "arch/chipfile/params.h"
#include "arch/memory/dram.h"
#include "arch/number/tile_format.h"
#include "arch/wormhole_noc.h"
#include "sim/engine.h"

typedef struct ArchChip ArchChip;
typedef struct ArchTensix ArchTensix;
typedef struct ArchTensixCore ArchTensixCore;

/* A tile of plain numbers to L1, rounded as a packer does, and back. Not for integers.
 */
void arch_tensix_pack(ArchFormat format, guint8 *l1, const float *numbers);
void arch_tensix_unpack(ArchFormat format, float *numbers, const guint8 *l1);

typedef struct {
    bool is_functional; /* off: only time, and the words that kernels wait for */
    bool moves_data;    /* though it computes no tiles: integers of kernels are right */
    bool is_ieee;       /* what-if: units round as IEEE 754 does */
    bool has_race_check; /* see arch_tensix_races() */
} ArchTensixOptions;

/* `params` and `dram` are borrowed. The engine must be configured as arch_family_tensix
 * asks. Region 0 has the networks and the data movers; each other region has the
 * compute threads of some cores. Fails like arch_wormhole_noc_new(). */
ArchTensix *arch_tensix_new(SimEngine *engine,
                            const ArchParams *params,
                            ArchDram *dram,
                            GError **error);
void arch_tensix_free(ArchTensix *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ArchTensix, arch_tensix_free)

ArchTensix *arch_tensix_of(const ArchChip *chip); /* NULL if it has no cores */

/* Call it between programs. */
void arch_tensix_set_options(ArchTensix *self, ArchTensixOptions options);

guint arch_tensix_columns(const ArchTensix *self);
guint arch_tensix_rows(const ArchTensix *self);
ArchWormholeNoc *arch_tensix_noc(const ArchTensix *self);
ArchFabric *arch_tensix_fabric(const ArchTensix *self);

/* By logical coordinates; fails with ARCH_ERROR_INVALID outside the compute grid. */
ArchTensixCore *arch_tensix_core(ArchTensix *self, guint x, guint y, GError **error);
const char *arch_tensix_core_name(const ArchTensixCore *self); /* core[3,4] */
ArchTile arch_tensix_core_tile(const ArchTensixCore *self);
guint arch_tensix_core_region(const ArchTensixCore *self); /* of its compute threads */
ArchFabric *arch_tensix_core_fabric(const ArchTensixCore *core);

/* Allocates memory of a core. `name` (copied) appears in the memory map. The address is
 * a multiple of 16. Fails with ARCH_ERROR_INVALID and the map if it does not fit. */
bool arch_tensix_allocate(ArchTensixCore *self,
                          const char *name,
                          uint64_t bytes,
                          uint32_t *address,
                          GError **error);
/* Bytes not yet allocated. */
uint64_t arch_tensix_free_bytes(const ArchTensixCore *self);

/* Fail with ARCH_ERROR_INVALID outside the L1. */
bool arch_tensix_read(const ArchTensixCore *self,
                      uint64_t address,
                      gpointer bytes,
                      gsize count,
                      GError **error);
bool arch_tensix_write(ArchTensixCore *self,
                       uint64_t address,
                       gconstpointer bytes,
                       gsize count,
                       GError **error);

typedef struct {
    guint index; /* 0..31 */
    guint page_count;
    guint page_bytes;
    ArchFormat format;
    bool is_foreign;  /* has another format, which compute kernels may not touch */
    bool has_address; /* uses memory at `address`; else memory is allocated */
    uint32_t address; /* set if it was allocated */
    bool is_filled;   /* others put data there: they may be read without a wait */
    bool is_open;     /* movers and compute threads may both wait for its pages */
} ArchCircularBufferConfig;

/* Fails with ARCH_ERROR_INVALID: index in use, no pages, no space, misaligned. */
bool arch_tensix_add_circular_buffer(ArchTensixCore *self,
                                     ArchCircularBufferConfig *config,
                                     GError **error);

/* Allocates a word of L1 and sets it to `value`. `name` is copied. */
bool arch_tensix_add_semaphore(ArchTensixCore *self,
                               const char *name,
                               uint32_t value,
                               uint32_t *address,
                               GError **error);

/* Cleans up after a program: frees circular buffers, semaphores and the memory
 * allocated since arch_tensix_keep(). Fails with ARCH_ERROR_INVALID if pages were
 * pushed that nobody waited for. */
bool arch_tensix_finish(ArchTensix *self, GError **error);
/* Keeps all memory allocated so far beyond the end of programs. */
void arch_tensix_keep(ArchTensix *self);
/* Frees the kept memory too. Call it between programs. */
void arch_tensix_clear(ArchTensix *self);

/* How large a program was. */
typedef struct {
    guint core_count; /* cores that had a kernel */
    SimTime cycles;   /* until the last kernel ended */
    SimTime end;      /* when it did */
} ArchTensixSpan;

/* After the engine's run, before arch_tensix_finish(). */
ArchTensixSpan arch_tensix_span(const ArchTensix *self);

/* One lane of one core: a RISC-V or a unit. Its cycles add up to those between the
 * program's start and its end. */
typedef struct {
    const char *name;   /* unpack, math, pack, reader, writer, unpacker, fpu, ... */
    const char *reason; /* busy, or why not */
    uint64_t cycles;
} ArchTensixUse;

/* The uses of one core, or, if `core` is NULL, their sums over all cores that ran
 * something. The order is fixed; reasons without cycles are left out. Call it after the
 * engine's run, before the next run and before arch_tensix_finish(). The caller frees
 * the array of ArchTensixUse. */
GArray *arch_tensix_uses(const ArchTensix *self, const ArchTensixCore *core);

/* Time in a named zone: that of the thread which spent the most. Sorted by name. */
typedef struct {
    const char *name;
    SimTime cycles;
    uint64_t count;
} ArchTensixZone;

/* Before arch_tensix_finish(). The caller frees the array of ArchTensixZone. */
GArray *arch_tensix_zones(const ArchTensix *self);

/* A text for each pair of places in scripts that race, by cycle. */
GPtrArray *arch_tensix_races(const ArchTensix *self);
