/* A chip that could have been built in the same area: another SRAM, other cores. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/model/area/area.h"

/* The area there is, and what of it programs get. */
typedef struct {
    double mm2[ARCH_AREA_VIEWS];
    /* A wafer: what runs is a patch, and the area says how many PEs there are. Else a
     * design is its floor plan, and that runs. */
    bool is_patch;
    double usable;  /* of a wafer's PEs, those that programs get */
    double columns; /* of a wafer */
    double rows;
    const char *sram_key; /* whose value is the SRAM of a core */
    uint64_t sram_bytes;  /* of the chip as it is */
    uint64_t core_count;
} ArchDesignBudget;

/* As large as the chip is, seen in the same way, so that it fills the area whatever its
 * SRAM takes; or where `mm2` is above 0 so large. Fails as arch_area_of(), and with
 * ARCH_ERROR_INVALID where cores take no area. */
bool arch_design_budget_init(ArchDesignBudget *self,
                             const ArchParams *chip,
                             double mm2,
                             GError **error);

typedef enum {
    ARCH_DESIGN_TO_RUN,
    ARCH_DESIGN_RAN,
    ARCH_DESIGN_REFUSED,     /* the script or the chip says that it cannot be */
    ARCH_DESIGN_FAILED,      /* anything else */
    ARCH_DESIGN_TOO_LARGE,   /* for the area, in every view: did not run */
    ARCH_DESIGN_LEAVES_ROOM, /* for more cores with as much SRAM, in every view:
                                likewise */
} ArchDesignStatus;

/* "leaves room" */
const char *arch_design_status_name(ArchDesignStatus status);

typedef struct {
    guint run; /* of the sweep */
    uint64_t sram_bytes;
    ArchArea areas[ARCH_AREA_VIEWS];
    bool is_in[ARCH_AREA_VIEWS];   /* fits, and leaves no room for more cores */
    double cores[ARCH_AREA_VIEWS]; /* that compute; 0 where it is not in */
    ArchDesignStatus status;
    char *why;      /* it did not run; NULL where it did */
    double ran;     /* cores in the run */
    double cells;   /* of each of them */
    double seconds; /* of a step or an iteration, in the run */
    /* Columns and rows of the patch that ran and of all cores, and what each more of
     * them costs in time; 0 where a patch is as fast as a wafer of them. */
    double across;
    double all_across[ARCH_AREA_VIEWS];
    double across_seconds;
    bool is_shipped; /* the chip as its file has it */
    /* Of designs that differ in the patch that ran alone, that of the most cores; of
     * those that did not run for the same reason, the first. */
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

/* Of a step or an iteration on all cores. */
double arch_design_seconds(const ArchDesign *self, ArchAreaView view);

/* Cells that all cores hold together, and that they get through in a second; 0 where
 * the design is not in, or did not run. */
double arch_design_cells(const ArchDesign *self, ArchAreaView view);
double arch_design_rate(const ArchDesign *self, ArchAreaView view);

const ArchDesign *arch_design_at(const GArray *designs, guint index);

/* Of designs that fit with as much SRAM in a view, those of the most cores stay in. */
void arch_designs_fill(GArray *designs, ArchAreaView view);

/* Says which designs are worth a run; false where none is. */
bool arch_designs_choose(GArray *designs, const ArchDesignBudget *budget);

/* What one of them takes at least, in mm2, in the view of the file. */
double arch_designs_smallest(const GArray *designs, const ArchDesignBudget *budget);

/* By how many percent patches of one design that ran differ, at most. */
double arch_designs_spread(const GArray *designs);

/* Brings together what differs in the patch alone, then finds the fronts: designs that
 * no other is as good as in cells and in rate, and better in one. */
void arch_designs_compare(GArray *designs, bool is_patch);

guint arch_designs_count(const GArray *designs, ArchDesignStatus status);
guint arch_designs_front_count(const GArray *designs, ArchAreaView view);
