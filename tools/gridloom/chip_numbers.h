/* A chip's numbers as a user names and changes them: --chip and --set. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <json-glib/json-glib.h>

#include "arch/chipfile/params.h"

/* The chip file that `name` means. Fails with G_FILE_ERROR, saying which are known, or
 * with what the file has wrong. */
ArchParams *chip_numbers_load(const char *name, GError **error);

/* The same of a chip on which programs run: fails with ARCH_ERROR_UNMODELLED where it
 * is a GPU or a processor. */
ArchParams *chip_numbers_load_to_run(const char *name, GError **error);

/* The GPU of the papers, where none is named. */
#define CHIP_NUMBERS_GPU "a100"

/* The same of a GPU, CHIP_NUMBERS_GPU where `name` is NULL: fails with G_FILE_ERROR
 * where there is none of that name, saying which are known, and with ARCH_ERROR_INVALID
 * where it is another chip. */
ArchParams *chip_numbers_load_gpu(const char *name, GError **error);

/* Is the chip one of which only rates are known, a GPU or a processor? */
bool chip_numbers_have_roofs_only(const ArchParams *params);

/* All GPUs there are, and all chips of which only rates are known, "a, b, c"; what
 * cannot be read is none. The caller frees it. */
char *chip_numbers_gpu_names(void);
char *chip_numbers_roof_names(void);

/* Applies each of `overrides`, "section.key=value", in order; NULL is none. */
bool chip_numbers_override(ArchParams *params, char **overrides, GError **error);

/* What --set has changed, as text by "section.key"; the caller frees it. */
JsonObject *chip_numbers_overridden(const ArchParams *params);

/* Every number with its unit, confidence, source and, where it has one, its range; the
 * caller frees it. */
JsonArray *chip_numbers_ledger(const ArchParams *params);

/* The same of those that runs depend on, for `chip_parameters` of their results. */
JsonArray *chip_numbers_ledger_of_runs(const ArchParams *params);
