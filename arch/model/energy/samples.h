/* Synthetic measurements of energy: runs of random problems in random tiles whose true
 * prices are known, with noise, so that one can see whether a method finds them. They
 * are not measurements of any GPU: seconds follow from assumed rates. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/model/energy/energy.h"
#include "arch/model/energy/regression.h"

/* How often NVML reads the power of a Kepler GPU (B.7.1). */
#define GPU_ENERGY_READING_SECONDS 0.016
/* Cost factor of an outlier, as if another program had run at the same time. */
#define GPU_ENERGY_OUTLIER 2.0

typedef struct {
    GpuEnergyCosts truth;
    uint64_t seed;
    double noise;    /* energies and readings are off by up to this part, below 1 */
    double outliers; /* the part of runs that cost GPU_ENERGY_OUTLIER times as much */
} GpuEnergyDraw;

/* One run. */
typedef struct {
    GpuEnergyProblem problem;
    GpuEnergyTile tile;
    double seconds;
    double joules;
} GpuEnergySample;

/* An array of GpuEnergySample: those of one program, or of all where it is NULL, in the
 * order of programs; as many as the thesis has runs: 298, 265 and 125. The caller
 * unrefs it. */
GArray *gpu_energy_samples_draw(const GpuEnergyDraw *draw,
                                const GpuEnergyProgram *program);

GpuRun gpu_energy_sample_run(const GpuEnergySample *self);

/* Puts a part of all samples at the front, chosen by the seed, and returns how many: at
 * least one. */
guint gpu_energy_samples_split(GArray *samples, double part, uint64_t seed);

/* Table B.3: the best tile by the model against the best by measurement. */
typedef struct {
    guint problems;
    guint tiles; /* of each */
    guint wrong; /* choices */
    double rmse; /* of what the model's choice costs more, as a part; likewise below */
    double worst;
} GpuEnergyTrial;

void gpu_energy_samples_try(const GpuEnergyDraw *draw,
                            const GpuEnergyProgram *program,
                            GpuEnergyTrial *trial);

/* A micro-benchmark of one term: it does the operation all the time, with one integer
 * addition of its loop for every 64; static power is read of an idle GPU. */
typedef struct {
    double operations;
    guint readings;
    double watts; /* their mean */
    double price; /* that gpu_energy_price() finds */
} GpuEnergyProbe;

/* Operations a second of benchmarks that do nothing else: the chip's peaks. */
void gpu_energy_peak_rates(const ArchParams *chip, double rates[GPU_ENERGY_TERMS]);

/* Runs each benchmark for the given seconds at the given operations per second. Fails
 * with ARCH_ERROR_INVALID if that time has no reading. */
bool gpu_energy_samples_probe(const GpuEnergyDraw *draw,
                              const double rates[GPU_ENERGY_TERMS],
                              double seconds,
                              GpuEnergyProbe probes[GPU_ENERGY_TERMS],
                              GError **error);
