/* Energy of Smith-Waterman, Jacobi 1D and Jacobi 2D in tiles. */
#include "arch/model/energy/energy.h"

#include "arch/error.h"

/* Of Smith-Waterman: words moved for a unit of a tile's perimeter, words that a step of
 * a column of subtiles brings into registers, and pairs of additions and maxima for a
 * point. */
#define SW_WORDS 4.25
#define SW_SIDE  5
#define SW_PAIRS 5
/* Of Jacobi 1D: e_sr (2 t_S + 4 t_T t_S/s_S) four times. */
#define J1D_SHARED 4
#define J1D_ROW    2
#define J1D_SIDE   4
/* mu_sr: words between shared memory and registers for a point of Jacobi 2D. */
#define J2D_SHARED 6

enum {
    WARP = 32, /* threads that move as one along the innermost dimension */
};

/* The kinds behind the programs. */
enum {
    SW,
    J1D,
    J2D,
};

static const GpuEnergyProgram programs[] = {
    [SW] = {"sw", "Smith-Waterman", 1, true},
    [J1D] = {"j1d", "Jacobi 1D", 1, true},
    [J2D] = {"j2d", "Jacobi 2D", 2, false},
};

const GpuEnergyProgram *gpu_energy_program_at(guint index)
{
    return index < G_N_ELEMENTS(programs) ? &programs[index] : NULL;
}

const GpuEnergyProgram *gpu_energy_program_find(const char *name)
{
    for (guint i = 0; i < G_N_ELEMENTS(programs); i++) {
        if (g_str_equal(programs[i].name, name)) {
            return &programs[i];
        }
    }
    return NULL;
}

double gpu_energy_tile_bytes(const GpuEnergyProgram *program, const GpuEnergyTile *tile)
{
    const double space = (double) tile->space[0];
    const double steps = (double) tile->steps;

    if (program == &programs[SW]) {
        return SW_WORDS * (space + steps) * GPU_ENERGY_WORD_BYTES;
    }
    if (program == &programs[J1D]) {
        return 2 * (space + steps) * GPU_ENERGY_WORD_BYTES;
    }
    return 2 * (space + steps + 1) * ((double) tile->space[1] + steps + 1) *
           GPU_ENERGY_WORD_BYTES;
}

static bool check_side(
    const char *what, uint64_t side, uint64_t most, const char *of, GError **error)
{
    return (side >= 1 && side <= most) ||
           arch_refuse(error,
                       "%s = %" G_GUINT64_FORMAT
                       ", allowed is 1 to the %" G_GUINT64_FORMAT " %s of the problem",
                       what, side, most, of);
}

static bool
check_shape(const GpuEnergyTile *tile, const GpuEnergyProgram *program, GError **error)
{
    if (program == &programs[J2D] && tile->steps % 2 != 0) {
        return arch_refuse(
            error,
            "t_T = %" G_GUINT64_FORMAT
            ", allowed are even numbers: the formulas of hexagons hold for "
            "those only",
            tile->steps);
    }
    if (program == &programs[J2D] && tile->space[1] % WARP != 0) {
        return arch_refuse(error,
                           "t_S2 = %" G_GUINT64_FORMAT
                           ", allowed are multiples of %d, the threads of a warp",
                           tile->space[1], WARP);
    }
    if (program->has_subtiles &&
        (tile->subtile < 1 || tile->space[0] % tile->subtile != 0)) {
        return arch_refuse(error,
                           "s_S = %" G_GUINT64_FORMAT
                           ", allowed are divisors of t_S = %" G_GUINT64_FORMAT,
                           tile->subtile, tile->space[0]);
    }
    return true;
}

bool gpu_energy_tile_check(const GpuEnergyTile *tile,
                           const GpuEnergyProblem *problem,
                           double block_bytes,
                           GError **error)
{
    const double bytes = gpu_energy_tile_bytes(problem->program, tile);
    const bool is_flat = problem->program->dimension == 1;

    if (!check_side(is_flat ? "t_S" : "t_S1", tile->space[0], problem->space[0],
                    is_flat ? "points along S" : "points along S1", error) ||
        !(is_flat || check_side("t_S2", tile->space[1], problem->space[1],
                                "points along S2", error)) ||
        !check_side("t_T", tile->steps, problem->steps, "steps", error) ||
        !check_shape(tile, problem->program, error)) {
        return false;
    }
    return bytes <= block_bytes ||
           arch_refuse(
               error,
               "the tile takes %.0f bytes of shared memory, allowed are %.0f: M_tile "
               "of a block",
               bytes, block_bytes);
}

/* Smith-Waterman in rectangles. */
static void use_sw(const GpuEnergyTile *tile, GpuEnergy *energy, GpuEnergyUse *use)
{
    const double space = (double) tile->space[0];
    const double steps = (double) tile->steps;

    energy->points = space * steps;
    energy->words = SW_WORDS * (space + steps);
    use->of[GPU_ENERGY_SHARED] =
        energy->points + SW_SIDE * steps * space / (double) tile->subtile;
    use->of[GPU_ENERGY_INTEGER_ADD] = SW_PAIRS * energy->points;
    use->of[GPU_ENERGY_INTEGER_MAX] = SW_PAIRS * energy->points;
}

/* Jacobi 1D in slanted rectangles: two additions and a multiplication for a point,
 * which the thesis does not print and the mean of three values takes. */
static void use_j1d(const GpuEnergyTile *tile, GpuEnergy *energy, GpuEnergyUse *use)
{
    const double space = (double) tile->space[0];
    const double steps = (double) tile->steps;

    energy->points = space * steps;
    energy->words = 2 * (2 * steps + space);
    use->of[GPU_ENERGY_SHARED] =
        J1D_SHARED *
        (J1D_ROW * space + J1D_SIDE * steps * space / (double) tile->subtile);
    use->of[GPU_ENERGY_ADD] = 2 * energy->points;
    use->of[GPU_ENERGY_MULTIPLY] = energy->points;
}

/* Jacobi 2D in hexagons and slanted strips (B.3, B.4, B.6): four additions and a
 * multiplication for a point. */
static void use_j2d(const GpuEnergyTile *tile, GpuEnergy *energy, GpuEnergyUse *use)
{
    const double first = (double) tile->space[0];
    const double second = (double) tile->space[1];
    const double steps = (double) tile->steps;

    energy->points = second * steps * (2 * first + steps - 2) / 2;
    energy->words = 2 * second * (first + 2 * steps);
    use->of[GPU_ENERGY_SHARED] = J2D_SHARED * energy->points;
    use->of[GPU_ENERGY_ADD] = 4 * energy->points;
    use->of[GPU_ENERGY_MULTIPLY] = energy->points;
}

/* V_alg / V_tile, and for Jacobi 2D (B.5), whose strips are slanted. */
static double
tiles_of(const GpuEnergyProblem *problem, const GpuEnergyTile *tile, double points)
{
    const double area = (double) problem->space[0] * (double) problem->steps;

    if (problem->program == &programs[J2D]) {
        return area * ((double) problem->space[1] + (double) tile->steps) / points;
    }
    return area / points;
}

/* Fills words, points and tiles; returns what one tile uses. */
static GpuEnergyUse
count(const GpuEnergyProblem *problem, const GpuEnergyTile *tile, GpuEnergy *energy)
{
    GpuEnergyUse use = {0};

    if (problem->program == &programs[SW]) {
        use_sw(tile, energy, &use);
    } else if (problem->program == &programs[J1D]) {
        use_j1d(tile, energy, &use);
    } else {
        use_j2d(tile, energy, &use);
    }
    use.of[GPU_ENERGY_GLOBAL] = energy->words;
    energy->tiles = tiles_of(problem, tile, energy->points);
    return use;
}

void gpu_energy_model(const GpuEnergyProblem *problem,
                      const GpuEnergyTile *tile,
                      const GpuEnergyCosts *costs,
                      double seconds,
                      GpuEnergy *energy)
{
    *energy = (GpuEnergy){0};
    const GpuEnergyUse use = count(problem, tile, energy);

    energy->global = use.of[GPU_ENERGY_GLOBAL] * costs->of[GPU_ENERGY_GLOBAL];
    energy->shared = use.of[GPU_ENERGY_SHARED] * costs->of[GPU_ENERGY_SHARED];
    for (guint i = GPU_ENERGY_ADD; i < GPU_ENERGY_TERMS; i++) {
        energy->arithmetic += use.of[i] * costs->of[i];
    }
    energy->tile_joules = energy->global + energy->shared + energy->arithmetic;
    energy->dynamic_joules = energy->tiles * energy->tile_joules;
    energy->static_joules = costs->of[GPU_ENERGY_STATIC] * seconds;
    energy->joules = energy->static_joules + energy->dynamic_joules;
}

GpuEnergyUse gpu_energy_use(const GpuEnergyProblem *problem,
                            const GpuEnergyTile *tile,
                            double seconds)
{
    GpuEnergy energy = {0};
    GpuEnergyUse use = count(problem, tile, &energy);

    for (guint i = 0; i < GPU_ENERGY_TERMS; i++) {
        use.of[i] *= energy.tiles;
    }
    use.of[GPU_ENERGY_STATIC] = seconds;
    return use;
}

void gpu_energy_parts(const GpuEnergy *energy, GpuEnergyPart parts[GPU_ENERGY_PARTS])
{
    const double tiles = energy->tiles;

    parts[0] = (GpuEnergyPart){"global", energy->global, tiles * energy->global};
    parts[1] = (GpuEnergyPart){"shared", energy->shared, tiles * energy->shared};
    parts[2] =
        (GpuEnergyPart){"arithmetic", energy->arithmetic, tiles * energy->arithmetic};
    parts[3] =
        (GpuEnergyPart){"static", energy->static_joules / tiles, energy->static_joules};
}
