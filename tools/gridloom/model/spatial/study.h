/* gridloom model codesign FILE.lua: trades SRAM for cores under a fixed area, on a chip
 * that runs programs. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <json-glib/json-glib.h>

#include "arch/chipfile/params.h"
#include "arch/model/area/design.h"
#include "tools/gridloom/model/output.h"
#include "workloads/sweep.h"

/* Numbers of a sweep. It must record the cores that ran, the cells of each, and the
 * seconds of a step. For a wafer it may record the columns and rows that ran, and the
 * seconds that each further one costs. */
typedef enum {
    SPATIAL_CORES,
    SPATIAL_CELLS,
    SPATIAL_SECONDS,
    SPATIAL_ACROSS,
    SPATIAL_ACROSS_SECONDS,
    SPATIAL_NUMBERS,
} SpatialNumber;

typedef struct {
    ModelOutput output;
    char **words;     /* exactly one */
    const char *file; /* as the user names it */
    guint jobs;
    WlSweep *sweep;
    const char *chip_name; /* as the sweep has it */
    ArchParams *chip;      /* as in its file, except for --set area.KEY=VALUE */
    const char *formulas[SPATIAL_NUMBERS]; /* NULL if the sweep has none */
    ArchDesignBudget budget;
    GArray *designs; /* of ArchDesign */
} SpatialStudy;

/* "48 KiB"; the caller frees it. */
char *spatial_sram_text(const ArchDesign *design);

/* For ModelPage; all take a SpatialStudy. */
JsonObject *spatial_study_parameters(gconstpointer study);
JsonObject *spatial_study_metrics(gconstpointer study);
char *spatial_study_csv(gconstpointer study);
char *spatial_study_svg(gconstpointer study);
void spatial_study_print(gconstpointer study);
