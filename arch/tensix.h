/* The Tensix cores of a Wormhole: their memories, circular buffers and semaphores, and
 * what their units did. Kernels reach them by arch/tensix_compute.h and
 * arch/tensix_mover.h. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/border/fabric.h"
#include "arch/chipfile/params.h"
#include "arch/memory/dram.h"
#include "arch/wormhole_noc.h"
#include "sim/engine.h"

typedef struct ArchChip ArchChip;
typedef struct ArchTensix ArchTensix;
typedef struct ArchTensixCore ArchTensixCore;

typedef enum {
    ARCH_FORMAT_BF16,
    ARCH_FORMAT_FP32,
} ArchFormat;

enum {
    ARCH_TILE_ELEMENTS = 1024,
};

/* Bytes of a tile in L1. */
guint arch_format_tile_bytes(ArchFormat format);
const char *arch_format_name(ArchFormat format);

typedef struct {
    bool is_functional; /* off: time passes, of bytes only words move, for waits */
    bool is_ieee;       /* what if the units rounded as IEEE 754 does */
} ArchTensixOptions;

/* `params` and `dram` are borrowed; the engine is as arch_family_tensix wants it.
 * Region 0 has the networks and the data movers, each other one the compute threads of
 * some cores. Fails as arch_wormhole_noc_new(). */
ArchTensix *arch_tensix_new(SimEngine *engine,
                            const ArchParams *params,
                            ArchDram *dram,
                            GError **error);
void arch_tensix_free(ArchTensix *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ArchTensix, arch_tensix_free)

/* The cores of a chip, NULL where it has none. */
ArchTensix *arch_tensix_of(const ArchChip *chip);

/* Between programs. */
void arch_tensix_set_options(ArchTensix *self, ArchTensixOptions options);

guint arch_tensix_columns(const ArchTensix *self);
guint arch_tensix_rows(const ArchTensix *self);
ArchWormholeNoc *arch_tensix_noc(const ArchTensix *self);
ArchFabric *arch_tensix_fabric(const ArchTensix *self);

/* By logical coordinates of the compute grid. Fails with ARCH_ERROR_INVALID outside it.
 */
ArchTensixCore *arch_tensix_core(ArchTensix *self, guint x, guint y, GError **error);
const char *arch_tensix_core_name(const ArchTensixCore *self); /* core[3,4] */
ArchTile arch_tensix_core_tile(const ArchTensixCore *self);
guint arch_tensix_core_region(const ArchTensixCore *self); /* of its compute threads */
ArchFabric *arch_tensix_core_fabric(const ArchTensixCore *core);

/* Memory of a core: `name` (copied) stands in the map. The address is a multiple of 16.
 * Fails with ARCH_ERROR_INVALID when it does not fit; the message holds the map. */
bool arch_tensix_allocate(ArchTensixCore *self,
                          const char *name,
                          uint64_t bytes,
                          uint32_t *address,
                          GError **error);
/* What is left of it. */
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
    bool has_address; /* lies on memory that is there; else it is allocated */
    uint32_t address; /* out: where it lies */
} ArchCircularBufferConfig;

/* Fails with ARCH_ERROR_INVALID: index in use, no pages, no space, misaligned. */
bool arch_tensix_add_circular_buffer(ArchTensixCore *self,
                                     ArchCircularBufferConfig *config,
                                     GError **error);

/* A word of L1 that holds `value`. */
bool arch_tensix_add_semaphore(ArchTensixCore *self,
                               uint32_t value,
                               uint32_t *address,
                               GError **error);

/* After a program has ended: fails with ARCH_ERROR_INVALID where pages were pushed for
 * which nobody waited; forgets circular buffers and semaphores, and the memory
 * allocated since arch_tensix_keep(). */
bool arch_tensix_finish(ArchTensix *self, GError **error);
/* What is allocated now outlives programs. */
void arch_tensix_keep(ArchTensix *self);
/* And what was kept is given back. Between programs. */
void arch_tensix_clear(ArchTensix *self);

/* How large a program was. */
typedef struct {
    guint core_count; /* that had a kernel */
    SimTime cycles;   /* until the last kernel ended */
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

/* Of one core, or, where `core` is NULL, added up over all that ran something; in a
 * fixed order, reasons without cycles left out. After the engine's run, before it goes
 * on and before arch_tensix_finish(). The caller frees the array of ArchTensixUse. */
GArray *arch_tensix_uses(const ArchTensix *self, const ArchTensixCore *core);

/* Time in a named zone, of the thread of all that spent most; by name. */
typedef struct {
    const char *name;
    SimTime cycles;
    uint64_t count;
} ArchTensixZone;

/* Before arch_tensix_finish(). The caller frees the array of ArchTensixZone. */
GArray *arch_tensix_zones(const ArchTensix *self);
