/* Draws problems, tiles, times and noise. */
#include "arch/model/energy/samples.h"

#include <math.h>

#include "arch/error.h"
#include "sim/narrow.h"
#include "sim/random.h"

enum {
    TRIAL_TILES = 10, /* of a problem; how many the thesis tried is not printed */
    LOOP = 64,        /* operations of a benchmark between two of its loop */
    MOST_SIDES = 2,
    MOST_READINGS = 1000000, /* keep a benchmark within hours */
    FLOPS = 2, /* of a fused multiplication and addition, which peaks count */
};

/* What is drawn for a program: multiples of a stride. */
typedef struct {
    uint32_t stride;
    uint32_t from; /* strides */
    uint32_t to;
} Span;

typedef struct {
    const char *name;
    guint count; /* runs of the thesis */
    Span space;
    Span steps;
    Span tile[MOST_SIDES];
    Span tile_steps;
    double point_seconds; /* assumed: of the whole GPU */
    double tile_seconds;  /* assumed: what a tile takes beside its points */
} Plan;

/* Runs of 0.03 s to 10 s: long enough for readings of power. */
static const Plan plans[] = {
    {"sw",
     298,
     {16384, 2, 16},
     {16384, 2, 16},
     {{32, 1, 32}, {1, 1, 1}},
     {16, 1, 64},
     5e-11,
     2e-9},
    {"j1d",
     265,
     {262144, 1, 16},
     {4096, 1, 16},
     {{32, 1, 32}, {1, 1, 1}},
     {16, 1, 32},
     3e-11,
     2e-9},
    {"j2d",
     125,
     {1024, 2, 8},
     {256, 2, 8},
     {{2, 1, 16}, {32, 1, 4}},
     {2, 1, 16},
     6e-11,
     4e-8},
};

/* s_S: registers hold few. */
static const uint64_t subtiles[] = {4, 8, 16, 32};

/* Times of equal work differ by up to this part. */
#define SPREAD 0.2

static const Plan *plan_of(const GpuEnergyProgram *program)
{
    for (guint i = 0; i < G_N_ELEMENTS(plans) - 1; i++) {
        if (g_str_equal(plans[i].name, program->name)) {
            return &plans[i];
        }
    }
    return &plans[G_N_ELEMENTS(plans) - 1];
}

static uint64_t draw_span(const Span *span, uint64_t *random)
{
    return (uint64_t) span->stride *
           (span->from + sim_random_below(random, span->to - span->from + 1));
}

/* -1 to 1. */
static double draw_sign(uint64_t *random)
{
    return 2 * sim_random_share(random) - 1;
}

static void draw_problem(const GpuEnergyProgram *program,
                         GpuEnergyProblem *problem,
                         uint64_t *random)
{
    const Plan *plan = plan_of(program);

    *problem = (GpuEnergyProblem){.program = program};
    for (guint i = 0; i < program->dimension; i++) {
        problem->space[i] = draw_span(&plan->space, random);
    }
    problem->steps = draw_span(&plan->steps, random);
}

/* Draws until one fits: of every plan most do. */
static void
draw_tile(const GpuEnergyProblem *problem, GpuEnergyTile *tile, uint64_t *random)
{
    const Plan *plan = plan_of(problem->program);

    do {
        /* One after the other: C leaves open which of two initialisers is drawn first.
         */
        *tile = (GpuEnergyTile){.steps = draw_span(&plan->tile_steps, random)};
        tile->subtile = problem->program->has_subtiles
                            ? subtiles[sim_random_below(random, G_N_ELEMENTS(subtiles))]
                            : 0;
        for (guint i = 0; i < problem->program->dimension; i++) {
            tile->space[i] = draw_span(&plan->tile[i], random);
        }
    } while (!gpu_energy_tile_check(tile, problem, GPU_ENERGY_BLOCK_BYTES, NULL));
}

/* Times and energies, the latter with noise. */
static void
measure(const GpuEnergyDraw *draw, GpuEnergySample *sample, uint64_t *random)
{
    const Plan *plan = plan_of(sample->problem.program);
    GpuEnergy energy;

    gpu_energy_model(&sample->problem, &sample->tile, &draw->truth, 0, &energy);
    sample->seconds = energy.tiles *
                      (energy.points * plan->point_seconds + plan->tile_seconds) *
                      (1 + SPREAD * draw_sign(random));
    sample->joules =
        (energy.dynamic_joules + draw->truth.of[GPU_ENERGY_STATIC] * sample->seconds) *
        (1 + draw->noise * draw_sign(random));
    if (sim_random_share(random) < draw->outliers) {
        sample->joules *= GPU_ENERGY_OUTLIER;
    }
}

static void draw_samples(const GpuEnergyDraw *draw,
                         const GpuEnergyProgram *program,
                         GArray *samples)
{
    const Plan *plan = plan_of(program);
    uint64_t random = sim_random_stream(draw->seed, sim_u32(plan - plans));

    for (guint i = 0; i < plan->count; i++) {
        GpuEnergySample sample = {0};

        draw_problem(program, &sample.problem, &random);
        draw_tile(&sample.problem, &sample.tile, &random);
        measure(draw, &sample, &random);
        g_array_append_val(samples, sample);
    }
}

GArray *gpu_energy_samples_draw(const GpuEnergyDraw *draw,
                                const GpuEnergyProgram *program)
{
    GArray *samples = g_array_new(FALSE, FALSE, sizeof(GpuEnergySample));
    const GpuEnergyProgram *at;

    for (guint i = 0; (at = gpu_energy_program_at(i)) != NULL; i++) {
        if (program == NULL || program == at) {
            draw_samples(draw, at, samples);
        }
    }
    return samples;
}

GpuRun gpu_energy_sample_run(const GpuEnergySample *self)
{
    return (GpuRun){
        .use = gpu_energy_use(&self->problem, &self->tile, self->seconds),
        .joules = self->joules,
    };
}

guint gpu_energy_samples_split(GArray *samples, double part, uint64_t seed)
{
    const guint count =
        sim_u32(CLAMP(ceil(part * samples->len), 1, MAX(1, samples->len)));
    uint64_t random = sim_random_stream(seed, G_N_ELEMENTS(plans));

    for (guint i = 0; i + 1 < samples->len && i < count; i++) {
        const guint other = i + sim_random_below(&random, samples->len - i);
        GpuEnergySample *a = &g_array_index(samples, GpuEnergySample, i);
        GpuEnergySample *b = &g_array_index(samples, GpuEnergySample, other);
        const GpuEnergySample kept = *a;

        *a = *b;
        *b = kept;
    }
    return MIN(count, samples->len);
}

/* What the model's choice costs more than the best one, as a part of that. */
static double try_problem(const GpuEnergyDraw *draw,
                          const GpuEnergyProblem *problem,
                          uint64_t *random)
{
    double least_modelled = INFINITY;
    double least_measured = INFINITY;
    double chosen = 0;

    for (guint i = 0; i < TRIAL_TILES; i++) {
        GpuEnergySample sample = {.problem = *problem};

        draw_tile(problem, &sample.tile, random);
        measure(draw, &sample, random);
        const GpuRun run = gpu_energy_sample_run(&sample);
        const double modelled = gpu_energy_of(&run.use, &draw->truth);

        if (modelled < least_modelled) {
            least_modelled = modelled;
            chosen = sample.joules;
        }
        least_measured = fmin(least_measured, sample.joules);
    }
    return (chosen - least_measured) / least_measured;
}

void gpu_energy_samples_try(const GpuEnergyDraw *draw,
                            const GpuEnergyProgram *program,
                            GpuEnergyTrial *trial)
{
    const Plan *plan = plan_of(program);
    uint64_t random =
        sim_random_stream(draw->seed, sim_u32(plan - plans) + G_N_ELEMENTS(plans) + 1);
    double squares = 0;

    *trial = (GpuEnergyTrial){.problems = plan->count, .tiles = TRIAL_TILES};
    for (guint i = 0; i < plan->count; i++) {
        GpuEnergyProblem problem;

        draw_problem(program, &problem, &random);
        const double more = try_problem(draw, &problem, &random);

        trial->wrong += more > 0 ? 1 : 0;
        trial->worst = fmax(trial->worst, more);
        squares += more * more;
    }
    trial->rmse = sqrt(squares / plan->count);
}

/* The mean of noisy readings of a power. */
static double
read_power(const GpuEnergyDraw *draw, double watts, guint readings, uint64_t *random)
{
    double sum = 0;

    for (guint i = 0; i < readings; i++) {
        sum += watts * (1 + draw->noise * draw_sign(random));
    }
    return sum / readings;
}

bool gpu_energy_samples_probe(const GpuEnergyDraw *draw,
                              const double rates[GPU_ENERGY_TERMS],
                              double seconds,
                              GpuEnergyProbe probes[GPU_ENERGY_TERMS],
                              GError **error)
{
    const double *truth = draw->truth.of;
    const double readings = floor(seconds / GPU_ENERGY_READING_SECONDS);
    uint64_t random = sim_random_stream(draw->seed, 2 * G_N_ELEMENTS(plans) + 1);

    if (!(readings >= 1) || !(readings <= MOST_READINGS)) {
        return arch_refuse(
            error,
            "a benchmark of %.6g s has %s readings of the power, allowed are "
            "%.6g s, one reading, to %.6g s",
            seconds, readings >= 1 ? "too many" : "no", GPU_ENERGY_READING_SECONDS,
            GPU_ENERGY_READING_SECONDS * MOST_READINGS);
    }
    for (guint i = 0; i < GPU_ENERGY_TERMS; i++) {
        GpuEnergyProbe *probe = &probes[i];
        const double dynamic =
            rates[i] * (truth[i] + truth[GPU_ENERGY_INTEGER_ADD] / LOOP);
        const bool is_idle = i == GPU_ENERGY_STATIC;

        *probe = (GpuEnergyProbe){
            .operations = is_idle ? 0 : rates[i] * seconds,
            .readings = sim_u32(readings),
        };
        probe->watts =
            read_power(draw, truth[GPU_ENERGY_STATIC] + (is_idle ? 0 : dynamic),
                       probe->readings, &random);
        probe->price = is_idle ? probe->watts
                               : gpu_energy_price(probe->watts * seconds,
                                                  probes[GPU_ENERGY_STATIC].watts,
                                                  seconds, probe->operations);
    }
    return true;
}

void gpu_energy_peak_rates(const ArchParams *chip, double rates[GPU_ENERGY_TERMS])
{
    rates[GPU_ENERGY_STATIC] = 0;
    rates[GPU_ENERGY_GLOBAL] =
        arch_params_real(chip, "memory.dram_bytes_per_second") / GPU_ENERGY_WORD_BYTES;
    rates[GPU_ENERGY_SHARED] =
        arch_params_real(chip, "memory.shared_bytes_per_second") /
        GPU_ENERGY_WORD_BYTES;
    for (guint i = GPU_ENERGY_ADD; i < GPU_ENERGY_TERMS; i++) {
        rates[i] = arch_params_real(chip, "cuda.fp32_flops_per_second") / FLOPS;
    }
}
