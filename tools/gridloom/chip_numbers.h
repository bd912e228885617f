/* Loads and changes a chip's numbers as users ask: --chip and --set. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <json-glib/json-glib.h>

#include "arch/chipfile/params.h"

/* Loads the chip file that `name` means. Fails with G_FILE_ERROR and a list of the
 * known names, or with the error in the file. */
ArchParams *chip_numbers_load(const char *name, GError **error);

/* The same for a chip that runs programs: fails with ARCH_ERROR_UNMODELLED for a GPU or
 * a processor. */
ArchParams *chip_numbers_load_to_run(const char *name, GError **error);

/* The default GPU, that of the papers. */
#define CHIP_NUMBERS_GPU "a100"

/* The same for a GPU; a `name` of NULL means CHIP_NUMBERS_GPU. Fails with G_FILE_ERROR
 * and a list of the known names, or with ARCH_ERROR_INVALID if it is another kind of
 * chip. */
ArchParams *chip_numbers_load_gpu(const char *name, GError **error);

/* Are only the rates of the chip known, as for a GPU or a processor? */
bool chip_numbers_have_roofs_only(const ArchParams *params);

/* The names of all GPUs, and of all chips of which only rates are known, "a, b, c".
 * Unreadable files are skipped. The caller frees it. */
char *chip_numbers_gpu_names(void);
char *chip_numbers_roof_names(void);

/* Applies each of `overrides`, "section.key=value", in order; NULL is none. */
bool chip_numbers_override(ArchParams *params, char **overrides, GError **error);

/* The numbers that --set changed, as text by "section.key"; the caller frees it. */
JsonObject *chip_numbers_overridden(const ArchParams *params);

/* Every number with its unit, confidence, source and, if it has one, its range; the
 * caller frees it. */
JsonArray *chip_numbers_ledger(const ArchParams *params);

/* The same for the numbers that runs depend on: `chip_parameters` of results. */
JsonArray *chip_numbers_ledger_of_runs(const ArchParams *params);
