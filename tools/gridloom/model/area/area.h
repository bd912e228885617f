/* gridloom model area: what takes how much of a die. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>
#include <json-glib/json-glib.h>

#include "arch/chipfile/params.h"
#include "arch/model/area/area.h"
#include "arch/model/area/gpu_area.h"
#include "tools/gridloom/model/output.h"

typedef struct {
    ModelOutput output;
    ArchParams *chip;
    GArray *parts; /* of ArchAreaPart */
    double mm2;
    double die_mm2; /* NaN: nobody knows, or the design is none that was built */

    /* Of GPUs only. */
    bool is_gpu;
    bool is_changed;     /* another design than that of the chip file */
    GpuAreaDesign asked; /* of its parts, 0: as in the file */
    GpuAreaDesign design;
    double rounded;    /* (C.7); NaN without caches */
    double as_printed; /* (C.6) to the letter */

    /* Of Tensix chips and wafers only: a tile or PE, also those switched off. */
    uint64_t core_count; /* 0: none of these */
    double core_mm2;
    double core_sram_mm2;
} ModelArea;

/* Takes a ModelArea that the line and the chip have filled. */
int model_area_run(gpointer data);

/* Of the die, in per cent; NaN where that is not known. */
double model_area_error(const ModelArea *self);

/* For ModelPage; all take a ModelArea. */
JsonObject *model_area_parameters(gconstpointer study);
JsonObject *model_area_metrics(gconstpointer study);
char *model_area_csv(gconstpointer study);
char *model_area_svg(gconstpointer study);
void model_area_print(gconstpointer study);
