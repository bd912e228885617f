/* Copy kernels with 16 bytes a thread and load, several loads before the first store.
 */
#include <algorithm>
#include <cstdint>

#include "tools/gpu/copying.cuh"
#include "tools/gpu/timer.cuh"

namespace gpu
{

namespace
{

constexpr int THREADS = 256;

__device__ uint32_t mixed(uint64_t index)
{
    uint64_t bits = (index + 1) * UINT64_C(0x9e3779b97f4a7c15);

    bits ^= bits >> 29;
    bits *= UINT64_C(0xbf58476d1ce4e5b9);
    return (uint32_t) (bits >> 32);
}

__device__ uint4 pattern(size_t index)
{
    return make_uint4(mixed(4 * index), mixed(4 * index + 1), mixed(4 * index + 2),
                      mixed(4 * index + 3));
}

__global__ void fill(uint4 *to, size_t count)
{
    size_t stride = (size_t) gridDim.x * blockDim.x;

    for (size_t i = (size_t) blockIdx.x * blockDim.x + threadIdx.x; i < count;
         i += stride) {
        to[i] = pattern(i);
    }
}

__global__ void compare(const uint4 *values, size_t count, unsigned *wrong)
{
    size_t stride = (size_t) gridDim.x * blockDim.x;

    for (size_t i = (size_t) blockIdx.x * blockDim.x + threadIdx.x; i < count;
         i += stride) {
        uint4 value = values[i];
        uint4 right = pattern(i);

        if (value.x != right.x || value.y != right.y || value.z != right.z ||
            value.w != right.w) {
            atomicAdd(wrong, 1U);
        }
    }
}

/* A block copies LOADS * THREADS vectors that lie together. */
template <int LOADS, bool IS_STREAMED>
__global__ void __launch_bounds__(THREADS) copy(const uint4 *from, uint4 *to)
{
    size_t first = (size_t) blockIdx.x * (LOADS * THREADS) + threadIdx.x;
    uint4 values[LOADS];

#pragma unroll
    for (int i = 0; i < LOADS; i++) {
        const uint4 *at = from + first + (size_t) i * THREADS;

        values[i] = IS_STREAMED ? __ldcs(at) : *at;
    }
#pragma unroll
    for (int i = 0; i < LOADS; i++) {
        uint4 *at = to + first + (size_t) i * THREADS;

        if (IS_STREAMED) {
            __stcs(at, values[i]);
        } else {
            *at = values[i];
        }
    }
}

using Kernel = void (*)(const uint4 *, uint4 *);

struct Way {
    const char *name;
    Kernel kernel; /* none: cudaMemcpy */
    int loads;
};

const Way WAYS[] = {
    {"cudaMemcpy", nullptr, 0},
    {"kernel, 2 loads", copy<2, false>, 2},
    {"kernel, 4 loads", copy<4, false>, 4},
    {"kernel, 8 loads", copy<8, false>, 8},
    {"kernel, 4 streamed loads", copy<4, true>, 4},
    {"kernel, 8 streamed loads", copy<8, true>, 8},
};

}  // namespace

std::vector<Copying> copy_all_ways(size_t bytes, int warmups, int repeats)
{
    size_t count = bytes / sizeof(uint4);
    Array<uint4> from(count);
    Array<uint4> to(count);
    Array<unsigned> wrong(1);
    std::vector<Copying> all;

    fill<<<4096, THREADS>>>(from.data(), count);
    GPU_LAUNCHED();
    for (const Way &way : WAYS) {
        Copying copying;

        to.poison();
        copying.name = way.name;
        copying.timing = time_on_device(warmups, repeats, [&](int) {
            if (way.kernel == nullptr) {
                GPU_TRY(cudaMemcpyAsync(to.data(), from.data(), bytes,
                                        cudaMemcpyDeviceToDevice));
            } else {
                unsigned blocks = (unsigned) (count / (size_t) (way.loads * THREADS));

                way.kernel<<<blocks, THREADS>>>(from.data(), to.data());
            }
        });
        GPU_TRY(cudaMemset(wrong.data(), 0, sizeof(unsigned)));
        compare<<<4096, THREADS>>>(to.data(), count, wrong.data());
        GPU_LAUNCHED();
        copying.is_exact = wrong.download()[0] == 0;
        all.push_back(copying);
    }
    std::sort(all.begin(), all.end(), [](const Copying &a, const Copying &b) {
        return a.timing.median() < b.timing.median();
    });
    return all;
}

double copy_rate(const Copying &copying, size_t bytes)
{
    return 2 * (double) bytes / copying.timing.median();
}

}  // namespace gpu
