/* Which tiles there may be: the constraints of (A.32). */
#include "arch/error.h"
#include "arch/model/tiling/tiling.h"
#include "sim/narrow.h"

enum {
    COPIES =
        2, /* of a tile's points: the step that is read, and that which is written */
};

uint64_t gpu_tile_bytes(const GpuTile *tile, guint dimension)
{
    guint64 bytes = (guint64) COPIES * GPU_TILING_WORD_BYTES;
    guint64 side = 0;

    for (guint i = 0; i < dimension; i++) {
        if (!g_uint64_checked_add(&side, tile->space[i], tile->steps) ||
            !g_uint64_checked_add(&side, side, dimension > 1 ? 1 : 0) ||
            !g_uint64_checked_mul(&bytes, bytes, side)) {
            return UINT64_MAX;
        }
    }
    return bytes;
}

guint gpu_tile_most_resident(const GpuTile *tile,
                             guint dimension,
                             const GpuTilingMachine *machine)
{
    const uint64_t bytes = gpu_tile_bytes(tile, dimension);

    return bytes > machine->block_shared_bytes
               ? 0
               : sim_u32(MIN(machine->shared_bytes / bytes, machine->blocks));
}

/* One size of a tile: a multiple of `unit`, and not larger than what it is a part of.
 */
static bool
check_size(uint64_t size, const char *name, guint unit, uint64_t whole, GError **error)
{
    static const char *const allowed[] = {[1] = "is 1 or more",
                                          [2] = "are even numbers from 2",
                                          [GPU_TILING_WARP] = "are multiples of 32"};

    if (size == 0 || size % unit != 0) {
        return arch_refuse(error, "%s = %" G_GUINT64_FORMAT ", allowed %s", name, size,
                           allowed[unit]);
    }
    return size - unit < whole ||
           arch_refuse(error,
                       "%s = %" G_GUINT64_FORMAT
                       ", but the problem has only %" G_GUINT64_FORMAT " there",
                       name, size, whole);
}

static bool check_memory(const GpuTile *tile,
                         guint dimension,
                         const GpuTilingMachine *machine,
                         GError **error)
{
    const uint64_t bytes = gpu_tile_bytes(tile, dimension);
    const guint most = gpu_tile_most_resident(tile, dimension, machine);

    if (bytes > machine->block_shared_bytes) {
        return arch_refuse(error,
                           "M_tile = %" G_GUINT64_FORMAT
                           " bytes, allowed are %" G_GUINT64_FORMAT
                           " of shared memory for a block of threads",
                           bytes, machine->block_shared_bytes);
    }
    if (tile->resident == 0 || tile->resident > machine->blocks) {
        return arch_refuse(error,
                           "k = %u, allowed is 1..%u, the blocks of threads of a "
                           "multiprocessor",
                           tile->resident, machine->blocks);
    }
    return tile->resident <= most ||
           arch_refuse(error,
                       "k = %u tiles of %" G_GUINT64_FORMAT
                       " bytes do not fit the %" G_GUINT64_FORMAT
                       " bytes of shared memory: k is at most %u",
                       tile->resident, bytes, machine->shared_bytes, most);
}

bool gpu_tile_check(const GpuTile *tile,
                    const GpuTilingProblem *problem,
                    const GpuTilingMachine *machine,
                    GError **error)
{
    static const char *const names[] = {"t_S1", "t_S2", "t_S3"};

    if (!check_size(tile->steps, "t_T", 2, problem->steps, error)) {
        return false;
    }
    for (guint i = 0; i < problem->dimension && i < G_N_ELEMENTS(names); i++) {
        const bool is_innermost = i > 0 && i == problem->dimension - 1;

        if (!check_size(tile->space[i], names[i], is_innermost ? GPU_TILING_WARP : 1,
                        problem->space[i], error)) {
            return false;
        }
    }
    return check_memory(tile, problem->dimension, machine, error);
}
