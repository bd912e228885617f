/* Asks the driver for tensor maps, without linking to it. */
#include <cstdio>
#include <cstdlib>

#include "tools/gpu/tensor_copy.cuh"

namespace gpu
{

using Encode = decltype(&cuTensorMapEncodeTiled);

static Encode find_encode()
{
    void *function = nullptr;
    cudaDriverEntryPointQueryResult found;

    GPU_TRY(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000,
                                             cudaEnableDefault, &found));
    if (found != cudaDriverEntryPointSuccess) {
        std::fprintf(stderr, "the driver has no cuTensorMapEncodeTiled\n");
        std::exit(1);
    }
    return (Encode) function;
}

CUtensorMap tensor_map(float *data, const Grid &grid, int width, int height)
{
    static const Encode encode = find_encode();
    const cuuint64_t sizes[] = {(cuuint64_t) grid.nx, (cuuint64_t) grid.ny,
                                (cuuint64_t) grid.nz};
    const cuuint64_t strides[] = {(cuuint64_t) grid.nx * sizeof(float),
                                  (cuuint64_t) grid.plane() * sizeof(float)};
    const cuuint32_t box[] = {(cuuint32_t) width, (cuuint32_t) height, 1};
    const cuuint32_t steps[] = {1, 1, 1};
    CUtensorMap map;
    CUresult result =
        encode(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 3, data, sizes, strides, box,
               steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
               CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);

    if (result != CUDA_SUCCESS) {
        std::fprintf(stderr, "cuTensorMapEncodeTiled: error %d\n", (int) result);
        std::exit(1);
    }
    return map;
}

}  // namespace gpu
