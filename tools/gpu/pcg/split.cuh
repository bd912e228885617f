/* Kernels for the updates of conjugate gradients, one operation each. */
#pragma once

#include "tools/gpu/vectors.cuh"

namespace gpu
{

/* A number that is above over below in the memory of the GPU, or known to the host. */
template <typename T> struct Factor {
    const Work<T> *above; /* none: value counts */
    const Work<T> *below;
    Work<T> value; /* with above and below: another factor, 1 or -1 */

    __device__ Work<T> get() const
    {
        return above != nullptr ? value * (*above / *below) : value;
    }
};

/* result = a + factor * b; result may be a or b. */
template <typename T>
__global__ void __launch_bounds__(VECTOR_THREADS)
    pcg_axpy(const T *a, const T *b, T *result, size_t packs, Factor<T> factor)
{
    size_t i = (size_t) blockIdx.x * VECTOR_THREADS + threadIdx.x;

    if (i < packs) {
        Pack<T> x = ((const Pack<T> *) a)[i];
        Pack<T> y = ((const Pack<T> *) b)[i];
        Work<T> scale = factor.get();

#pragma unroll
        for (int k = 0; k < Pack<T>::COUNT; k++) {
            x.value[k] = T(number(x.value[k]) + scale * number(y.value[k]));
        }
        ((Pack<T> *) result)[i] = x;
    }
}

/* result = factor * a */
template <typename T>
__global__ void __launch_bounds__(VECTOR_THREADS)
    pcg_scale(const T *a, T *result, size_t packs, Work<T> factor)
{
    size_t i = (size_t) blockIdx.x * VECTOR_THREADS + threadIdx.x;

    if (i < packs) {
        Pack<T> x = ((const Pack<T> *) a)[i];

#pragma unroll
        for (int k = 0; k < Pack<T>::COUNT; k++) {
            x.value[k] = T(number(x.value[k]) * factor);
        }
        ((Pack<T> *) result)[i] = x;
    }
}

}  // namespace gpu
