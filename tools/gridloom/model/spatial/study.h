/* gridloom model codesign FILE.lua: SRAM for cores under a fixed area, on a chip whose
 * programs run. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <json-glib/json-glib.h>

#include "arch/chipfile/params.h"
#include "arch/model/area/design.h"
#include "tools/gridloom/model/output.h"
#include "workloads/sweep.h"

/* What a sweep has to record: cores that ran, cells of each, seconds of a step; and may
 * record of a wafer: columns and rows that ran, seconds that each more of them costs.
 */
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
    char **words;     /* one, */
    const char *file; /* as the user names it */
    guint jobs;
    WlSweep *sweep;
    const char *chip_name; /* as the sweep has it */
    ArchParams *chip;      /* as its file has it, but for --set area.KEY=VALUE */
    const char *formulas[SPATIAL_NUMBERS]; /* NULL where the sweep has none */
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
