/* Kernels on vectors, 16 bytes a thread and load. */
#pragma once

#include <cstddef>
#include <cuda_runtime.h>
#include <vector>

#include "tools/gpu/asked.hpp"
#include "tools/gpu/number.hpp"
#include "tools/gpu/pack.cuh"
#include "tools/gpu/random.hpp"
#include "tools/gpu/reduction.cuh"

namespace gpu
{

constexpr int VECTOR_THREADS = 256;
constexpr size_t VECTOR_LARGE = (size_t) 1 << 28; /* 1 GiB in FP32 */
/* As large as the grid 512 x 112 x 64: 64 tiles on each of 7 x 8 cores. */
constexpr size_t VECTOR_GRID = (size_t) 512 * 112 * 64;
constexpr size_t VECTOR_TILE = 1024; /* numbers */
/* Vectors of a grid that calls take in turn, so that they come from DRAM. */
constexpr size_t VECTOR_TURNS = 16;
/* So many numbers of all turns are far beyond any cache. */
constexpr size_t VECTOR_ALL_TURNS = VECTOR_GRID * VECTOR_TURNS;

/* Vectors of `count` numbers, `turns` of them one after the other, each from a whole
 * tile on; what fills up tiles is 0. */
struct VectorLayout {
    size_t count;
    size_t stride;
    size_t turns;

    size_t total() const
    {
        return stride * turns;
    }
    template <typename T> size_t packs() const
    {
        return (count + Pack<T>::COUNT - 1) / Pack<T>::COUNT;
    }
};

/* With so many turns that all come from DRAM. */
inline VectorLayout vector_layout(size_t count)
{
    size_t stride = (count + VECTOR_TILE - 1) / VECTOR_TILE * VECTOR_TILE;

    return {count, stride, (VECTOR_ALL_TURNS + stride - 1) / stride};
}

/* The sizes of vectors, and of the grid that they are asked for as. */
inline void
vector_describe(Json *parameters, const VectorLayout &layout, const Asked &asked)
{
    if (asked.is_there()) {
        Grid{asked.nx, asked.ny, asked.nz}.describe(parameters);
    }
    parameters->set("elements", (uint64_t) layout.count);
    parameters->set("tiles", (uint64_t) (layout.stride / VECTOR_TILE));
}

/* What scripts put into vectors; the next turn goes on where one ends. */
template <typename T>
std::vector<T> vector_random(const VectorLayout &layout, uint64_t seed)
{
    std::vector<T> values(layout.total(), T(0));

    for (size_t i = 0; i < layout.turns; i++) {
        Random random(seed, i * layout.count);
        T *first = values.data() + i * layout.stride;

        if (layout.count == layout.stride) {
            random_fill(values.data(), layout.total(), seed);
            break;
        }
        for (size_t k = 0; k < layout.count; k++) {
            first[k] = (T) random.next(-1, 1);
        }
    }
    return values;
}

/* result[i] = operation(a[i], b[i]) of packs; a thread loads LOADS packs of both before
 * it stores. The grid covers exactly all packs, see vector_blocks(). */
template <int LOADS, typename T, typename Operation>
__global__ void __launch_bounds__(VECTOR_THREADS)
    vector_map(const T *a, const T *b, T *result, size_t packs, Operation operation)
{
    size_t first = (size_t) blockIdx.x * (LOADS * VECTOR_THREADS) + threadIdx.x;
    const Pack<T> *from_a = (const Pack<T> *) a;
    const Pack<T> *from_b = (const Pack<T> *) b;
    Pack<T> *to = (Pack<T> *) result;
    Pack<T> x[LOADS];
    Pack<T> y[LOADS];

#pragma unroll
    for (int i = 0; i < LOADS; i++) {
        size_t at = first + (size_t) i * VECTOR_THREADS;

        if (at < packs) {
            x[i] = from_a[at];
            y[i] = from_b[at];
        }
    }
#pragma unroll
    for (int i = 0; i < LOADS; i++) {
        size_t at = first + (size_t) i * VECTOR_THREADS;

        if (at < packs) {
#pragma unroll
            for (int k = 0; k < Pack<T>::COUNT; k++) {
                x[i].value[k] =
                    T(operation(number(x[i].value[k]), number(y[i].value[k])));
            }
            to[at] = x[i];
        }
    }
}

/* Blocks of vector_map() for so many packs. */
inline unsigned vector_blocks(size_t packs, int loads)
{
    size_t each = (size_t) loads * VECTOR_THREADS;

    return (unsigned) ((packs + each - 1) / each);
}

/* The sum of a[i] * b[i]: threads add up products in a fixed order, blocks their
 * threads, and the block that ends last all blocks, so that equal data give equal bits.
 * a and b may be one. */
template <int LOADS, typename T>
__global__ void __launch_bounds__(VECTOR_THREADS) vector_dot(
    const T *a, const T *b, size_t packs, Reduction<Work<T>> reduction, Work<T> *result)
{
    const Pack<T> *from_a = (const Pack<T> *) a;
    const Pack<T> *from_b = (const Pack<T> *) b;
    size_t stride = (size_t) gridDim.x * VECTOR_THREADS;
    size_t at = (size_t) blockIdx.x * VECTOR_THREADS + threadIdx.x;
    Work<T> sums[LOADS] = {};

    for (; at + (LOADS - 1) * stride < packs; at += LOADS * stride) {
        Pack<T> x[LOADS];
        Pack<T> y[LOADS];

#pragma unroll
        for (int i = 0; i < LOADS; i++) {
            x[i] = from_a[at + i * stride];
            y[i] = from_b[at + i * stride];
        }
#pragma unroll
        for (int i = 0; i < LOADS; i++) {
#pragma unroll
            for (int k = 0; k < Pack<T>::COUNT; k++) {
                sums[i] += number(x[i].value[k]) * number(y[i].value[k]);
            }
        }
    }
    for (; at < packs; at += stride) {
#pragma unroll
        for (int k = 0; k < Pack<T>::COUNT; k++) {
            sums[0] += number(from_a[at].value[k]) * number(from_b[at].value[k]);
        }
    }
#pragma unroll
    for (int i = 1; i < LOADS; i++) {
        sums[0] += sums[i];
    }
    if (reduction_sum<VECTOR_THREADS>(reduction, &sums[0])) {
        *result = sums[0];
    }
}

}  // namespace gpu
