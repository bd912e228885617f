/* Finds what holds a design back. */
#include "arch/model/codesign/bottleneck.h"

#include <math.h>

#include "arch/model/codesign/table.h"

enum {
    TWICE = 2,
};

static const struct {
    const char *name;
    const char *title;
} limits[GPU_LIMITS] = {
    [GPU_LIMIT_SHARED] = {"shared_memory", "shared memory"},
    [GPU_LIMIT_BLOCK] = {"tile_memory", "memory of a tile"},
    [GPU_LIMIT_RESIDENT] = {"resident_tiles", "resident tiles"},
    [GPU_LIMIT_LANES] = {"vector_units", "vector units"},
    [GPU_LIMIT_PROCESSORS] = {"multiprocessors", "multiprocessors"},
    [GPU_LIMIT_BANDWIDTH] = {"bandwidth", "memory bandwidth"},
};

const char *gpu_limit_name(GpuLimitKind kind)
{
    return limits[kind].name;
}

const char *gpu_limit_title(GpuLimitKind kind)
{
    return limits[kind].title;
}

static GpuTilingProblem problem_of(const GpuCodesignPlan *plan, guint code, guint size)
{
    const uint64_t space = plan->sizes.at[size].space;

    return (GpuTilingProblem){.dimension = plan->codes[code].stencil->dimension,
                              .space = {space, space, space},
                              .steps = plan->sizes.at[size].steps,
                              .point_seconds = plan->codes[code].point_seconds};
}

/* Seconds of one problem, by what they are spent on. */
static void split_time(const GpuTilingProblem *problem,
                       const GpuTile *tile,
                       const GpuTilingMachine *machine,
                       const GpuTilingTime *time,
                       GpuTimeShares *parts)
{
    const double processors = machine->multiprocessors;
    const double wavefronts = (double) time->wavefronts;
    const double strips = wavefronts * (double) time->strips;
    const double tiles = strips * (double) time->tiles; /* of them all */
    const double turns = strips * (double) time->rounds * tile->resident;
    const double points = (double) time->points * problem->point_seconds;
    const double passes = (double) time->passes * problem->point_seconds;
    const double covered = tiles * points / (processors * machine->vector_units);
    const double passed = tiles * passes / processors;
    const double turned = turns * passes;

    *parts = (GpuTimeShares){
        .useful = time->ideal_seconds,
        .covering = covered - time->ideal_seconds,
        .lanes = passed - covered,
        .rounds = turned - passed,
        .memory = wavefronts * (double) time->rounds * time->tile_seconds -
                  turns * time->compute_seconds,
        .barriers = turns * (double) tile->steps * machine->barrier_seconds,
        .launches = wavefronts * machine->launch_seconds,
    };
}

static void add_parts(GpuTimeShares *sum, const GpuTimeShares *parts, double weight)
{
    sum->useful += weight * parts->useful;
    sum->covering += weight * parts->covering;
    sum->lanes += weight * parts->lanes;
    sum->rounds += weight * parts->rounds;
    sum->memory += weight * parts->memory;
    sum->barriers += weight * parts->barriers;
    sum->launches += weight * parts->launches;
}

/* Adds what one problem uses, times its seconds. */
static void add_use(GpuBottleneck *self,
                    const GpuTile *tile,
                    const GpuTilingMachine *machine,
                    const GpuTilingTime *time,
                    double weight)
{
    const double seconds = weight * time->seconds;
    const double resident = tile->resident;
    const double turns = (double) time->rounds * resident;
    const double uses[GPU_LIMITS] = {
        [GPU_LIMIT_SHARED] =
            resident * (double) time->tile_bytes / (double) machine->shared_bytes,
        [GPU_LIMIT_BLOCK] =
            (double) time->tile_bytes / (double) machine->block_shared_bytes,
        [GPU_LIMIT_RESIDENT] = resident / machine->blocks,
        [GPU_LIMIT_LANES] =
            (double) time->points / ((double) time->passes * machine->vector_units),
        [GPU_LIMIT_PROCESSORS] =
            (double) time->tiles / (turns * machine->multiprocessors),
        [GPU_LIMIT_BANDWIDTH] = (double) time->wavefronts * (double) time->strips *
                                turns * time->move_seconds / time->seconds,
    };

    for (guint i = 0; i < GPU_LIMITS; i++) {
        self->limits[i].use += seconds * uses[i];
    }
}

/* Weighted seconds of all codes and sizes on a machine, each with its best tile. */
static double seconds_on(const GpuCodesignPlan *plan, const GpuTilingMachine *machine)
{
    const GpuLadder ladder = {.count = 1,
                              .shared_bytes = {machine->shared_bytes},
                              .block_bytes = {machine->block_shared_bytes},
                              .blocks = machine->blocks};
    double sum = 0;

    for (guint size = 0; size < plan->sizes.count; size++) {
        const GpuTilingProblem problem = problem_of(plan, 0, size);
        g_autoptr(GpuTileTable) table =
            gpu_tile_table_new(&problem, &ladder, plan->rules.form);

        gpu_tile_table_set_units(table, machine->multiprocessors,
                                 machine->vector_units);
        for (guint code = 0; code < plan->code_count; code++) {
            GpuFound found[GPU_LADDER_STEPS] = {{.seconds = INFINITY}};

            if (plan->codes[code].weight > 0) {
                gpu_tile_table_search(
                    table,
                    &(GpuTileQuery){.machine = machine,
                                    .point_seconds = plan->codes[code].point_seconds},
                    found);
                sum += plan->codes[code].weight * found[0].seconds;
            }
        }
    }
    return sum;
}

/* The design with one more step of a resource; false if there is none. */
static bool relax(const GpuCodesignPlan *plan,
                  const GpuDesign *design,
                  GpuLimitKind kind,
                  GpuTilingMachine *machine)
{
    GpuDesign more = *design;

    if (kind == GPU_LIMIT_SHARED) {
        more.shared_kilobytes = gpu_design_next_shared(design->shared_kilobytes);
        if (more.shared_kilobytes == 0) {
            return false;
        }
    } else if (kind == GPU_LIMIT_LANES) {
        more.vector_units += GPU_TILING_WARP;
    } else if (kind == GPU_LIMIT_PROCESSORS) {
        more.multiprocessors += TWICE;
    }
    gpu_design_machine(&more, &plan->rules, machine);
    if (kind == GPU_LIMIT_BLOCK) {
        const uint64_t before = machine->block_shared_bytes;

        machine->block_shared_bytes = MIN(TWICE * before, machine->shared_bytes);
        return machine->block_shared_bytes > before;
    }
    if (kind == GPU_LIMIT_RESIDENT) {
        machine->blocks *= TWICE;
    } else if (kind == GPU_LIMIT_BANDWIDTH) {
        machine->word_seconds /= TWICE;
    }
    return true;
}

static double allowance(const GpuTilingMachine *machine, GpuLimitKind kind)
{
    switch (kind) {
    case GPU_LIMIT_SHARED:
        return (double) machine->shared_bytes;
    case GPU_LIMIT_BLOCK:
        return (double) machine->block_shared_bytes;
    case GPU_LIMIT_RESIDENT:
        return machine->blocks;
    case GPU_LIMIT_LANES:
        return machine->vector_units;
    case GPU_LIMIT_PROCESSORS:
        return machine->multiprocessors;
    case GPU_LIMIT_BANDWIDTH:
    case GPU_LIMITS:
        break;
    }
    return GPU_TILING_WORD_BYTES / machine->word_seconds;
}

static void add_problems(GpuBottleneck *self,
                         const GpuCodesign *codesign,
                         guint design,
                         const GpuTilingMachine *machine)
{
    const GpuCodesignPlan *plan = gpu_codesign_plan(codesign);

    for (guint code = 0; code < plan->code_count; code++) {
        for (guint size = 0; size < plan->sizes.count; size++) {
            const GpuTilingProblem problem = problem_of(plan, code, size);
            const GpuTile *tile = gpu_codesign_tile(codesign, design, code, size);
            const double weight = plan->codes[code].weight;
            GpuTilingTime time;
            GpuTimeShares parts;

            gpu_tiling_time(&problem, tile, machine, plan->rules.form, &time);
            split_time(&problem, tile, machine, &time, &parts);
            add_parts(&self->shares, &parts, weight);
            add_use(self, tile, machine, &time, weight);
        }
    }
}

void gpu_bottleneck(const GpuCodesign *codesign, guint design, GpuBottleneck *self)
{
    const GpuCodesignPlan *plan = gpu_codesign_plan(codesign);
    const GpuDesign *at = gpu_codesign_design(codesign, design);
    GpuTimeShares seconds;
    GpuTilingMachine machine;
    double total;

    *self = (GpuBottleneck){0};
    gpu_design_machine(at, &plan->rules, &machine);
    add_problems(self, codesign, design, &machine);
    seconds = self->shares;
    total = seconds.useful + seconds.covering + seconds.lanes + seconds.rounds +
            seconds.memory + seconds.barriers + seconds.launches;
    self->shares = (GpuTimeShares){0};
    add_parts(&self->shares, &seconds, 1 / total);
    for (GpuLimitKind kind = 0; kind < GPU_LIMITS; kind++) {
        GpuLimit *limit = &self->limits[kind];
        GpuTilingMachine more;

        limit->use /= total;
        limit->allowed = allowance(&machine, kind);
        limit->relaxed = limit->allowed;
        if (relax(plan, at, kind, &more)) {
            limit->relaxed = allowance(&more, kind);
            limit->gain = total / seconds_on(plan, &more) - 1;
        }
    }
}

char *gpu_limit_text(GpuLimitKind kind, double value)
{
    if (kind == GPU_LIMIT_SHARED || kind == GPU_LIMIT_BLOCK) {
        return g_strdup_printf("%.6g kB", value / 1024);
    }
    return kind == GPU_LIMIT_BANDWIDTH ? g_strdup_printf("%.4g GB/s", value / 1e9)
                                       : g_strdup_printf("%.0f", value);
}
