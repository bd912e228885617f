/* gridloom model codesign --energy: which designs take least energy, and least energy
 * times time, beside the fastest. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <json-glib/json-glib.h>

#include "tools/gridloom/model/codesign/codesign.h"

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
