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

    /* The fields below are for families that run programs; other families leave them 0.
     */
    const char *usual_chip; /* chip to use if none is named */
    bool has_wormhole_noc;  /* arch/wormhole_noc.h makes its networks */

    /* Engine configuration for the part; NULL: the engine's default. */
    guint (*region_count)(const ArchParams *params, guint thread_count);
    SimTime (*window_cycles)(const ArchParams *params);

    /* Makes the part of a chip that runs programs: cores, PEs, a board. Borrows all
     * three; `dram` is NULL if the chip file has none. Fails if numbers contradict each
     * other. */
    gpointer (*part_new)(SimEngine *engine,
                         const ArchParams *params,
                         ArchDram *dram,
                         GError **error);
    void (*part_free)(gpointer part);

    ArchFabric *(*fabric)(gconstpointer part); /* NULL: no messages to other chips */
    ArchGrid (*grid)(gconstpointer part);      /* NULL: it depends on the program */

    /* A number that stays the same as long as programs only poll: no data move, no
     * arithmetic is done, no state changes, and no unit is at work at cycle `now`.
     * NULL: its programs cannot poll. */
    uint64_t (*progress)(gconstpointer part, SimTime now);
} ArchFamily;

/* The families of this build, NULL-terminated: those of arch/chips.def, in its order. A
 * program may link its own list instead. */
extern const ArchFamily *const arch_families[];

/* arch_family_tensix and so on. */
#define ARCH_FAMILY(name)     extern const ArchFamily arch_family_##name;
#define ARCH_ROOFS_ONLY(name) ARCH_FAMILY(name)
#include "arch/chips.def"
#undef ARCH_FAMILY
#undef ARCH_ROOFS_ONLY

/* NULL when there is no such family. */
const ArchFamily *arch_family_find(const char *name);

/* The family of a chip. */
const ArchFamily *arch_family_of(const ArchParams *params);

/* The first family that has the networks of arch/wormhole_noc.h. */
const ArchFamily *arch_family_of_networks(void);

/* Whether its chips run programs; other families have only roofs. */
bool arch_family_runs(const ArchFamily *self);

/* All families as "a, b, c"; the caller frees it. */
char *arch_family_names(void);
