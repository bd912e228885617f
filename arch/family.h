/* A family of chips: one table of what its chips are made of and can do. A line of
 * arch/chips.def names it. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/border/fabric.h"
#include "arch/chipfile/keys.h"
#include "arch/chipfile/params.h"
#include "arch/memory/dram.h"
#include "arch/roof.h"
#include "sim/engine.h"

/* Columns and rows of cores. */
typedef struct {
    guint columns;
    guint rows;
} ArchGrid;

typedef struct {
    const char *name;
    const ArchKeys *keys;
    const ArchRoofRow *roofs;
    gsize roof_count;

    /* What follows is of families on which programs run; nothing of others. */
    const char *usual_chip; /* where nobody names one */
    bool has_wormhole_noc;  /* arch/wormhole_noc.h makes its networks */

    /* Of the engine that the part needs; NULL: as new engines have it. */
    guint (*region_count)(const ArchParams *params, guint thread_count);
    SimTime (*window_cycles)(const ArchParams *params);

    /* The part of a chip that runs programs: cores, PEs, a board. Borrows all three;
     * `dram` is NULL where the chip file has none. Fails where numbers do not go
     * together. */
    gpointer (*part_new)(SimEngine *engine,
                         const ArchParams *params,
                         ArchDram *dram,
                         GError **error);
    void (*part_free)(gpointer part);

    ArchFabric *(*fabric)(gconstpointer part); /* NULL: no messages to other chips */
    ArchGrid (*grid)(gconstpointer part);      /* NULL: only programs know it */
} ArchFamily;

/* The families of this build, up to a NULL: those of arch/chips.def, in its order. A
 * program that brings its own list has its own families. */
extern const ArchFamily *const arch_families[];

/* arch_family_tensix and so on. */
#define ARCH_FAMILY(name)     extern const ArchFamily arch_family_##name;
#define ARCH_ROOFS_ONLY(name) ARCH_FAMILY(name)
#include "arch/chips.def"
#undef ARCH_FAMILY
#undef ARCH_ROOFS_ONLY

/* NULL when there is no such family. */
const ArchFamily *arch_family_find(const char *name);

/* That of a chip. */
const ArchFamily *arch_family_of(const ArchParams *params);

/* Programs run on its chips; of others only roofs are known. */
bool arch_family_runs(const ArchFamily *self);

/* All families as "a, b, c"; the caller frees it. */
char *arch_family_names(void);
