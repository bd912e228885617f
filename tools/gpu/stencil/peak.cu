#include <map>
#include <utility>

#include "tools/gpu/device.cuh"
#include "tools/gpu/stencil/mma.cuh"
#include "tools/gpu/stencil/peak.cuh"
#include "tools/gpu/stencil/sparse.cuh"
#include "tools/gpu/timer.cuh"

namespace gpu
{

static constexpr int THREADS = 256;
static constexpr int BLOCKS = 2; /* a multiprocessor */
static constexpr int ROUNDS = 4096;
static constexpr int CHAINS = 8; /* that do not wait for each other */

template <typename T> __global__ void multiply_add(T *out, T factor, T summand)
{
    T sums[CHAINS];

    for (int i = 0; i < CHAINS; i++) {
        sums[i] = (T) (threadIdx.x + i);
    }
#pragma unroll 16
    for (int round = 0; round < ROUNDS; round++) {
#pragma unroll
        for (int i = 0; i < CHAINS; i++) {
            sums[i] = sums[i] * factor + summand;
        }
    }
    for (int i = 1; i < CHAINS; i++) {
        sums[0] += sums[i];
    }
    out[blockIdx.x * THREADS + threadIdx.x] = sums[0];
}

template <typename Mma>
__global__ void multiply_matrices(typename Mma::Type *out,
                                  typename Mma::Type factor,
                                  typename Mma::Type summand)
{
    using T = typename Mma::Type;
    T acc[CHAINS][4] = {};
    const T a[4] = {factor, summand, summand, factor};
    const T b[2] = {(T) threadIdx.x, factor};

#pragma unroll 4
    for (int round = 0; round < ROUNDS; round++) {
#pragma unroll
        for (int i = 0; i < CHAINS; i++) {
            Mma::mma(acc[i], a, b);
        }
    }
    for (int i = 1; i < CHAINS; i++) {
        acc[0][0] += acc[i][0] + acc[i][1] + acc[i][2] + acc[i][3];
    }
    out[blockIdx.x * THREADS + threadIdx.x] = acc[0][0];
}

__global__ void multiply_sparse(float *out, float factor, float summand)
{
    float acc[CHAINS][4] = {};
    const float a[2] = {factor, summand};
    const float b[2] = {(float) threadIdx.x, factor};

#pragma unroll 4
    for (int round = 0; round < ROUNDS; round++) {
#pragma unroll
        for (int i = 0; i < CHAINS; i++) {
            MmaSparse::mma(acc[i], a, b,
                           sparse_metadata(7, 0, (int) threadIdx.x / 4 % 8));
        }
    }
    for (int i = 1; i < CHAINS; i++) {
        acc[0][0] += acc[i][0] + acc[i][1] + acc[i][2] + acc[i][3];
    }
    out[blockIdx.x * THREADS + threadIdx.x] = acc[0][0];
}

template <typename T>
static double rate(void (*kernel)(T *, T, T), double flops_a_thread_and_round)
{
    int multiprocessors = 0;

    GPU_TRY(
        cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    const unsigned blocks = (unsigned) (multiprocessors * BLOCKS);
    Array<T> out((size_t) blocks * THREADS);
    Timing timing = time_on_device(
        2, 10, [&](int) { kernel<<<blocks, THREADS>>>(out.data(), T(0.5), T(0.25)); });

    GPU_LAUNCHED();
    return flops_a_thread_and_round * CHAINS * ROUNDS * THREADS * blocks /
           timing.median();
}

static double measure(const StencilCase &self)
{
    const double flops = 2.0 * 16 * 8 * 8 / 32; /* of a matrix, a thread */

    switch (self.unit) {
    case StencilUnit::m8n8k4:
        return rate(multiply_matrices<MmaDouble>, flops);
    case StencilUnit::m16n8k8:
        return rate(multiply_matrices<MmaDoubleWide>, flops);
    case StencilUnit::tf32_m16n8k8:
        return rate(multiply_matrices<MmaTf32>, flops);
    case StencilUnit::sparse_tf32_m16n8k8:
        return rate(multiply_sparse, flops);
    default:
        return self.is_double ? rate(multiply_add<double>, 2)
                              : rate(multiply_add<float>, 2);
    }
}

double stencil_peak(const StencilCase &self)
{
    static std::map<std::pair<StencilUnit, bool>, double> known;
    double &value = known[{self.unit, self.is_double}];

    if (value == 0) {
        value = measure(self);
    }
    return value;
}

}  // namespace gpu
