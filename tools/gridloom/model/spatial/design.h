/* A chip that could have been built in the same area: another SRAM, other cores. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/model/area/area.h"

enum {
    SPATIAL_VIEWS = 3, /* one for each ArchAreaView */
};

typedef enum {
    SPATIAL_TO_RUN,
    SPATIAL_RAN,
    SPATIAL_REFUSED,     /* the script or the chip says that it cannot be */
    SPATIAL_FAILED,      /* anything else */
    SPATIAL_TOO_LARGE,   /* for the area, in every view: did not run */
    SPATIAL_LEAVES_ROOM, /* for more cores with as much SRAM, in every view: likewise */
} SpatialStatus;

typedef struct {
    guint run; /* of the sweep */
    uint64_t sram_bytes;
    ArchArea areas[SPATIAL_VIEWS];
    bool is_in[SPATIAL_VIEWS];   /* fits, and leaves no room for more cores */
    double cores[SPATIAL_VIEWS]; /* that compute; 0 where it is not in */
    SpatialStatus status;
    char *why;      /* it did not run; NULL where it did */
    double ran;     /* cores in the run */
    double cells;   /* of each of them */
    double seconds; /* of a step or an iteration, in the run */
    /* Columns and rows of the patch that ran and of all cores, and what each more of
     * them costs in time; 0 where a patch is as fast as a wafer of them. */
    double across;
    double all_across[SPATIAL_VIEWS];
    double across_seconds;
    bool is_shipped; /* the chip as its file has it */
    /* Of designs that differ in the patch that ran alone, that of the most cores; of
     * those that did not run for the same reason, the first. */
    bool is_main;
    guint patch_count;
    double
        spread_percent; /* by how much the slowest patch is slower than the fastest */
    bool is_front[SPATIAL_VIEWS];
} SpatialDesign;

/* A GDestroyNotify. */
void spatial_design_clear(gpointer data);

/* Of a step or an iteration on all cores. */
double spatial_design_seconds(const SpatialDesign *self, ArchAreaView view);

/* Cells that all cores hold together, and that they get through in a second; 0 where
 * the design is not in, or did not run. */
double spatial_design_cells(const SpatialDesign *self, ArchAreaView view);
double spatial_design_rate(const SpatialDesign *self, ArchAreaView view);

const SpatialDesign *spatial_design_at(const GArray *designs, guint index);

/* Of designs that fit with as much SRAM in a view, those of the most cores stay in. */
void spatial_designs_fill(GArray *designs, ArchAreaView view);

/* Brings together what differs in the patch alone, then finds the fronts: designs that
 * no other is as good as in cells and in rate, and better in one. */
void spatial_designs_compare(GArray *designs, bool is_patch);

guint spatial_designs_count(const GArray *designs, SpatialStatus status);
guint spatial_designs_front_count(const GArray *designs, ArchAreaView view);
