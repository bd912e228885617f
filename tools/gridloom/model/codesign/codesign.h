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

/* What is asked for. */
typedef struct {
    ModelOutput output;
    ArchParams *gpu;
    GpuAreaCosts costs;
    GpuAreaDesign built;
    GpuCodesignRules rules;
    GpuCodesignCode codes[MODEL_CODESIGN_CODES];
    double flops[MODEL_CODESIGN_CODES]; /* of a point; 0: nobody has said */
    guint code_count;
    GpuCodesignSizes sizes; /* count 0: those of the thesis */
    GpuAreaRange area;
    GpuAreaRange at;
    bool is_shares; /* draw Figure C.4, not C.3 */
    bool has_energy;
    GpuCodesignPrices prices; /* where it has */
} ModelCodesignOptions;

/* What was asked, and what the model says. */
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

/* --energy: which designs take least energy, and least energy times time, beside the
 * fastest. */

/* Reads the prices; NULL: nobody asks. The GPU and its stencils have been read. Fails
 * with ARCH_ERROR_UNMODELLED where no stencil is one whose energy is known. */
bool model_codesign_energy_read(ModelCodesignOptions *self,
                                const char *text,
                                GError **error);

/* Of the class that has such a stencil; nothing of others. */
void model_codesign_energy_print(const ModelCodesign *self,
                                 const GpuCodesignClass *class);

/* The same; NULL of others. */
JsonObject *model_codesign_energy_json(const ModelCodesign *self,
                                       const GpuCodesignClass *class);

/* Its parts and its area. */
JsonObject *model_codesign_design_json(const GpuDesign *design);
