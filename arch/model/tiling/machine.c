/* The machine of a tiled program, as a chip file tells. */
#include "arch/error.h"
#include "arch/gpu.h"
#include "arch/model/tiling/tiling.h"
#include "sim/narrow.h"

bool gpu_tiling_machine(const ArchParams *gpu, GpuTilingMachine *self, GError **error)
{
    if (!gpu_is(gpu) || !arch_params_has(gpu, "tiling.vector_unit_count")) {
        return sim_fail(
            error, ARCH_ERROR, ARCH_ERROR_UNDOCUMENTED,
            "%s: nobody has measured what the model of tiled programs wants: "
            "its file has no section [tiling]",
            arch_params_name(gpu));
    }
    *self = (GpuTilingMachine){
        .multiprocessors = sim_u32(arch_params_uint(gpu, "chip.multiprocessor_count")),
        .vector_units = sim_u32(arch_params_uint(gpu, "tiling.vector_unit_count")),
        .shared_bytes = arch_params_uint(gpu, "tiling.shared_bytes"),
        .block_shared_bytes = arch_params_uint(gpu, "tiling.block_shared_bytes"),
        .blocks = sim_u32(arch_params_uint(gpu, "tiling.block_count")),
        .word_seconds = GPU_TILING_WORD_BYTES *
                        arch_params_real(gpu, "tiling.global_seconds_per_byte"),
        .barrier_seconds = arch_params_real(gpu, "tiling.barrier_seconds"),
        .launch_seconds = arch_params_real(gpu, "tiling.launch_seconds"),
    };
    return true;
}
