/* The device profiler's file, profile_log_device.csv, as tt-metal writes it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/tensix_riscv.h"
#include "arch/wormhole_noc.h"

typedef struct MetalLog MetalLog;

/* A mark of a RISC-V; its texts are interned. */
typedef struct {
    guint chip;
    ArchTile tile;
    ArchRiscvIndex riscv;
    uint64_t run; /* the program's id */
    ArchRiscvMark mark;
} MetalLogRow;

MetalLog *metal_log_new(void);
void metal_log_free(MetalLog *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MetalLog, metal_log_free)

/* Marks of one RISC-V come in the order of time; a zone's end names the zone, too. */
void metal_log_add(MetalLog *self, const MetalLogRow *row);

/* Appends what was added since the last time to the file in `folder`, which is made,
 * sorted by chip, core, RISC-V and time. The first lines of a new file have the clock
 * and the number of cores. Fails as files do. */
bool metal_log_write(MetalLog *self,
                     const char *folder,
                     double clock_hz,
                     guint core_count,
                     GError **error);

/* Of the marks of a RISC-V on a core those that fit, until it is started again. */
typedef struct {
    GArray *marks; /* of ArchRiscvMark; NULL: nobody wants them */
    GArray *open;  /* of guint: places of the open zones there */
    guint used;    /* places of the buffer */
    guint full;    /* open zones that did not fit */
    guint dropped; /* marks that did not fit */
} MetalMarks;

void metal_marks_init(MetalMarks *self);
void metal_marks_clear(MetalMarks *self);
void metal_marks_add(MetalMarks *self, const ArchRiscvMark *mark);
