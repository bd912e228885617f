#include "tools/gpu/device.cuh"
#include "tools/gpu/stencil/field.cuh"
#include "tools/gpu/stencil/strips.hpp"
#include "tools/gpu/stencil/value.hpp"

namespace gpu
{

static constexpr int THREADS = 256;
static constexpr int BLOCKS = 132 * 16;

template <typename T> __global__ void fill(T *field, size_t count, uint64_t seed)
{
    for (size_t i = blockIdx.x * (size_t) THREADS + threadIdx.x; i < count;
         i += (size_t) THREADS * gridDim.x) {
        field[i] = (T) stencil_value(seed, i);
    }
}

template <typename T>
__global__ void
count_unwritten(const T *field, size_t count, unsigned long long *unwritten)
{
    unsigned long long mine = 0;

    for (size_t i = blockIdx.x * (size_t) THREADS + threadIdx.x; i < count;
         i += (size_t) THREADS * gridDim.x) {
        mine += field[i] != field[i];
    }
    if (mine > 0) {
        atomicAdd(unwritten, mine);
    }
}

template <typename T>
__global__ void gather(const T *field, int n, StencilWindow window, double *out)
{
    const int points = window.extent[0] * window.extent[1] * window.extent[2];

    for (int i = (int) blockIdx.x * THREADS + (int) threadIdx.x; i < points;
         i += THREADS * (int) gridDim.x) {
        const int x = stencil_wrap(window.origin[0] + i % window.extent[0], n);
        const int y =
            stencil_wrap(window.origin[1] + i / window.extent[0] % window.extent[1], n);
        const int z =
            stencil_wrap(window.origin[2] + i / window.extent[0] / window.extent[1], n);

        out[i] = (double) field[((size_t) z * n + y) * n + x];
    }
}

template <typename T> void stencil_field_fill(T *field, size_t count, uint64_t seed)
{
    fill<<<BLOCKS, THREADS>>>(field, count, seed);
    GPU_LAUNCHED();
}

template <typename T> size_t stencil_field_unwritten(const T *field, size_t count)
{
    Array<unsigned long long> unwritten(std::vector<unsigned long long>{0});

    count_unwritten<<<BLOCKS, THREADS>>>(field, count, unwritten.data());
    GPU_LAUNCHED();
    return (size_t) unwritten.download()[0];
}

template <typename T>
std::vector<double>
stencil_field_window(const T *field, int n, const StencilWindow &window)
{
    Array<double> out(window.points());

    gather<<<BLOCKS, THREADS>>>(field, n, window, out.data());
    GPU_LAUNCHED();
    return out.download();
}

template void stencil_field_fill(float *, size_t, uint64_t);
template void stencil_field_fill(double *, size_t, uint64_t);
template size_t stencil_field_unwritten(const float *, size_t);
template size_t stencil_field_unwritten(const double *, size_t);
template std::vector<double>
stencil_field_window(const float *, int, const StencilWindow &);
template std::vector<double>
stencil_field_window(const double *, int, const StencilWindow &);

}  // namespace gpu
