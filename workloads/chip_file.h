/* Loads the chip files that users name, and changes their numbers: --chip and --set. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/chipfile/params.h"

/* Loads the chip file that `name` means. Fails with G_FILE_ERROR and a list of the
 * known names, or with the error in the file. */
ArchParams *wl_chip_load(const char *name, GError **error);

/* The same for a chip that runs programs: fails with ARCH_ERROR_UNMODELLED for a GPU or
 * a processor. */
ArchParams *wl_chip_load_to_run(const char *name, GError **error);

/* The default GPU, that of the papers. */
#define WL_CHIP_GPU "a100"

/* The same for a GPU; a `name` of NULL means WL_CHIP_GPU. Fails with G_FILE_ERROR
 * and a list of the known names, or with ARCH_ERROR_INVALID if it is another kind of
 * chip. */
ArchParams *wl_chip_load_gpu(const char *name, GError **error);

/* Are only the rates of the chip known, as for a GPU or a processor? */
bool wl_chip_has_roofs_only(const ArchParams *params);

/* The names of all GPUs, and of all chips of which only rates are known, "a, b, c".
 * Unreadable files are skipped. The caller frees it. */
char *wl_chip_gpu_names(void);
char *wl_chip_roof_names(void);

/* Applies each of `overrides`, "section.key=value", in order; NULL is none. Then reads
 * the file of routes that noc.routing names, if it does. */
bool wl_chip_override(ArchParams *params, char **overrides, GError **error);
