/* gridloom model codesign: the best GPU for stencils in an area, and why. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <json-glib/json-glib.h>

#include "arch/chipfile/params.h"
#include "arch/model/codesign/energy.h"
#include "arch/model/codesign/study.h"
#include "tools/gridloom/model/output.h"

enum {
    MODEL_CODESIGN_CODES = GPU_CODESIGN_CODES,
    MODEL_CODESIGN_CLASSES = 2,
};

/* The options of the command. */
typedef struct {
    ModelOutput output;
    ArchParams *gpu;
    GpuAreaCosts costs;
    GpuAreaDesign built;
    GpuCodesignRules rules;
    GpuCodesignCode codes[MODEL_CODESIGN_CODES];
    double flops[MODEL_CODESIGN_CODES]; /* of a point; 0: not given */
    guint code_count;
    GpuCodesignSizes sizes; /* count 0: those of the thesis */
    GpuAreaRange area;
    GpuAreaRange at;
    bool is_shares; /* draw Figure C.4, not C.3 */
    bool has_energy;
    GpuCodesignPrices prices; /* if has_energy */
} ModelCodesignOptions;

/* The options and the answers of the model. */
typedef struct {
    const ModelCodesignOptions *options;
    GpuCodesignQuestion question;
    guint from_48_kilobytes; /* designs */
    GpuCodesignClass classes[MODEL_CODESIGN_CLASSES];
    guint class_count;
} ModelCodesign;

/* For ModelPage; all take a ModelCodesign. */
JsonObject *model_codesign_parameters(gconstpointer study);
JsonObject *model_codesign_metrics(gconstpointer study);
char *model_codesign_csv(gconstpointer study);
char *model_codesign_svg(gconstpointer study);
void model_codesign_print(gconstpointer study);

/* --energy: the designs with the least energy, and the least energy times time, beside
 * the fastest. */

/* Reads the prices; a `text` of NULL means none. Call it after the GPU and its stencils
 * are read. Fails with ARCH_ERROR_UNMODELLED if the energy of no stencil is known. */
bool model_codesign_energy_read(ModelCodesignOptions *self,
                                const char *text,
                                GError **error);

/* Prints the energy of a class that has such a stencil; nothing for others. */
void model_codesign_energy_print(const ModelCodesign *self,
                                 const GpuCodesignClass *class);

/* The same as JSON; NULL for others. */
JsonObject *model_codesign_energy_json(const ModelCodesign *self,
                                       const GpuCodesignClass *class);

/* The parts of a design and its area. */
JsonObject *model_codesign_design_json(const GpuDesign *design);
