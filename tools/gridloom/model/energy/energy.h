/* gridloom model energy: its options and the studies that answer. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>
#include <json-glib/json-glib.h>

#include "arch/model/energy/energy.h"
#include "arch/model/energy/samples.h"
#include "arch/model/energy/search.h"
#include "tools/gridloom/model/output.h"

/* One bit each, so that options can say which tasks they apply to. */
typedef enum {
    MODEL_ENERGY_TILE = 1,
    MODEL_ENERGY_SEARCH = 2,
    MODEL_ENERGY_REGRESS = 4,           /* a file of runs */
    MODEL_ENERGY_REGRESS_SYNTHETIC = 8, /* runs of known truth */
    MODEL_ENERGY_CHOOSE = 16,           /* Table B.3 on runs of known truth */
    MODEL_ENERGY_EXTRACT = 32,          /* micro-benchmarks of known truth */
} ModelEnergyTask;

typedef struct {
    ModelEnergyTask task;
    ArchParams *chip;
    ArchParams *time_gpu; /* the GPU whose modelled times are used; NULL: none */
    GpuEnergySet set;
    GpuEnergyCosts costs;            /* of that set */
    const GpuEnergyProgram *program; /* NULL: all of them */
    GpuEnergyProblem problem;
    GpuEnergyTile tile;
    guint shared_kilobytes; /* largest for a tile */
    double block_bytes;     /* the same in bytes */
    double seconds;         /* NaN: not given */
    uint64_t seed;
    double noise; /* a fraction, not percent */
    double outliers;
    double training;
    char *runs; /* the file to read; NULL: none */
    char *rows; /* the file for synthetic runs; NULL: none */
    ModelOutput output;
} ModelEnergyOptions;

/* sw, j1d or j2d. This and the next behave like the readers of option_value.h. */
bool model_energy_read_program(const char *text,
                               const char *option,
                               const GpuEnergyProgram **program,
                               GError **error);

/* "4096x4096", or "4096" in one dimension. */
bool model_energy_read_sides(const char *text,
                             const char *option,
                             const GpuEnergyProgram *program,
                             uint64_t sides[GPU_ENERGY_DIMENSIONS],
                             GError **error);

/* The distribution that synthetic runs are drawn from. */
GpuEnergyDraw model_energy_draw(const ModelEnergyOptions *self);

/* Each computes its study and writes it; returns the exit code. `start` is
 * g_get_monotonic_time() when the command began. */
int model_energy_tile(const ModelEnergyOptions *options, gint64 start);
int model_energy_search(const ModelEnergyOptions *options, gint64 start);
int model_energy_regress(const ModelEnergyOptions *options, gint64 start);
int model_energy_choose(const ModelEnergyOptions *options, gint64 start);
int model_energy_extract(const ModelEnergyOptions *options, gint64 start);

/* Shared by the pages: texts that the caller frees, and members of JSON. */

char *model_energy_tile_text(const GpuEnergyProgram *program,
                             const GpuEnergyTile *tile);
char *model_energy_problem_text(const GpuEnergyProblem *problem);

/* One line that says where the seconds come from. */
char *model_energy_seconds_text(const ModelEnergyOptions *options, double seconds);

/* The tile, its bytes and seconds, then tile_words, tiles, joules and so on. */
JsonObject *model_energy_choice_json(const ModelEnergyOptions *options,
                                     const GpuEnergyChoice *choice);
void model_energy_add_json(JsonObject *object, const GpuEnergy *energy);
JsonObject *model_energy_tile_json(const GpuEnergyProgram *program,
                                   const GpuEnergyTile *tile);
JsonObject *model_energy_costs_json(const GpuEnergyCosts *costs);

/* The options for ModelPage: `study` begins with a pointer to them. */
JsonObject *model_energy_parameters(gconstpointer study);

/* Reads measured runs of tiled programs from a CSV file: an array of GpuEnergySample in
 * file order, only those of `program` unless it is NULL. Columns: program, size, steps,
 * tile, tile_steps, subtile, seconds, joules, in any order. Fails with "file:line:
 * what, what is allowed", also if a tile takes more than `block_bytes` of shared memory
 * or there is no run. The caller unrefs it. */
GArray *model_energy_runs_read(const char *path,
                               const GpuEnergyProgram *program,
                               double block_bytes,
                               GError **error);

/* The text of such a file; the caller frees it. */
char *model_energy_runs_text(const GArray *samples);
