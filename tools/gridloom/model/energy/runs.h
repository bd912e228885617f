/* Measured runs of tiled programs in CSV files. */
#pragma once

#include <glib.h>

#include "arch/model/energy/samples.h"

/* An array of GpuEnergySample in the order of the file, those of one program where it
 * is not NULL. Columns: program, size, steps, tile, tile_steps, subtile, seconds,
 * joules, in any order. Fails with "file:line: what, what is allowed", also where a
 * tile takes more than `block_bytes` of shared memory or there is no run. The caller
 * unrefs it. */
GArray *model_energy_runs_read(const char *path,
                               const GpuEnergyProgram *program,
                               double block_bytes,
                               GError **error);

/* The text of such a file; the caller frees it. */
char *model_energy_runs_text(const GArray *samples);
