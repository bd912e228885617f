/* A chip that could have been built in the same area: another SRAM, other cores. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/model/area/area.h"

/* The available area, and the share of it that programs can use. */
typedef struct {
    double mm2[ARCH_AREA_VIEWS];
    /* True for a wafer: only a patch of it runs, and the area gives the number of PEs.
     * Other designs run with their whole floor plan. */
    bool is_patch;
    double usable;  /* fraction of a wafer's PEs that programs can use */
    double columns; /* of a wafer */
    double rows;
    const char *sram_key; /* key for the SRAM of a core */
    uint64_t sram_bytes;  /* of the chip as shipped */
    uint64_t core_count;
} ArchDesignBudget;

/* The budget is the chip's own area in the same view, so that the chip fills it
 * whatever its SRAM takes; or `mm2` if that is above 0. Fails like arch_area_of(), and
 * with ARCH_ERROR_INVALID if cores take no area. */
bool arch_design_budget_init(ArchDesignBudget *self,
                             const ArchParams *chip,
                             double mm2,
                             GError **error);

typedef enum {
    ARCH_DESIGN_TO_RUN,
    ARCH_DESIGN_RAN,
    ARCH_DESIGN_REFUSED,     /* the script or the chip rejects it */
    ARCH_DESIGN_FAILED,      /* anything else */
    ARCH_DESIGN_TOO_LARGE,   /* exceeds the area in every view: did not run */
    ARCH_DESIGN_LEAVES_ROOM, /* for more cores with the same SRAM, in every view: did
                              * not run */
} ArchDesignStatus;

/* "leaves room" */
const char *arch_design_status_name(ArchDesignStatus status);

typedef struct {
    guint run; /* of the sweep */
    uint64_t sram_bytes;
    ArchArea areas[ARCH_AREA_VIEWS];
    bool is_in[ARCH_AREA_VIEWS];   /* fits, and leaves no room for more cores */
    double cores[ARCH_AREA_VIEWS]; /* cores that compute; 0 if it is not in */
    ArchDesignStatus status;
    char *why;      /* why it did not run; NULL if it did */
    double ran;     /* cores in the run */
    double cells;   /* of each of them */
    double seconds; /* of a step or an iteration, in the run */
    /* Columns and rows of the patch that ran and of all cores, and the time that each
     * further one costs; 0 if a patch is as fast as a whole wafer. */
    double across;
    double all_across[ARCH_AREA_VIEWS];
    double across_seconds;
    bool is_shipped; /* the chip as in its file */
    /* Among designs that differ only in the patch that ran, the one with the most
     * cores; among designs that did not run for the same reason, the first. */
    bool is_main;
    guint patch_count;
    double
        spread_percent; /* by how much the slowest patch is slower than the fastest */
    bool is_front[ARCH_AREA_VIEWS];
} ArchDesign;

/* Areas and cores of a chip, and whether it fits; fails as arch_area_of(). */
bool arch_design_init(ArchDesign *self,
                      const ArchDesignBudget *budget,
                      const ArchParams *chip,
                      GError **error);

/* A GDestroyNotify. */
void arch_design_clear(gpointer data);

/* Seconds of a step or an iteration on all cores. */
double arch_design_seconds(const ArchDesign *self, ArchAreaView view);

/* Cells that all cores hold together, and cells that they update per second; 0 if the
 * design is not in or did not run. */
double arch_design_cells(const ArchDesign *self, ArchAreaView view);
double arch_design_rate(const ArchDesign *self, ArchAreaView view);

const ArchDesign *arch_design_at(const GArray *designs, guint index);

/* Keeps, for each size of SRAM in a view, only the designs with the most cores that
 * fit. */
void arch_designs_fill(GArray *designs, ArchAreaView view);

/* Marks the designs worth a run. Returns false if there is none. */
bool arch_designs_choose(GArray *designs, const ArchDesignBudget *budget);

/* The smallest area of a design, in mm2, in the view of the file. */
double arch_designs_smallest(const GArray *designs, const ArchDesignBudget *budget);

/* The largest difference between patches of one design that ran, in percent. */
double arch_designs_spread(const GArray *designs);

/* Groups designs that differ only in the patch, then finds the fronts: designs that no
 * other matches in both cells and rate and beats in one. */
void arch_designs_compare(GArray *designs, bool is_patch);

guint arch_designs_count(const GArray *designs, ArchDesignStatus status);
guint arch_designs_front_count(const GArray *designs, ArchAreaView view);
