/* Kernels for y = A x, A being the 7-point Laplacian: 6 times each cell less its six
 * neighbours, and nothing beyond the grid. nx is a multiple of a pack. */
#pragma once

#include "tools/gpu/grid.hpp"
#include "tools/gpu/number.hpp"
#include "tools/gpu/pack.cuh"

namespace gpu
{

constexpr int WARP = 32;

/* The pack of a thread, of which the lanes of a warp have consecutive ones in a row,
 * and those of its neighbours in the row. */
template <typename T> struct RowNeighbours {
    T left;
    T right;
};

/* cell(offset) is the number so far from the pack's first, which is in column x; all
 * lanes of a warp call it. */
template <typename T, typename Cell>
__device__ __forceinline__ RowNeighbours<T>
row_neighbours(const Pack<T> &pack, int x, int nx, Cell cell)
{
    constexpr int COUNT = Pack<T>::COUNT;
    constexpr unsigned ALL = 0xffffffffU;
    unsigned lane = threadIdx.x % WARP;
    RowNeighbours<T> sides;

    sides.left = __shfl_up_sync(ALL, pack.value[COUNT - 1], 1);
    sides.right = __shfl_down_sync(ALL, pack.value[0], 1);
    if (lane == 0) {
        sides.left = x > 0 ? cell(-1) : T(0);
    }
    if (x + COUNT >= nx) {
        sides.right = T(0);
    } else if (lane == WARP - 1) {
        sides.right = cell(COUNT);
    }
    return sides;
}

/* A pack as it is computed with. */
template <typename T> struct Numbers {
    Work<T> value[Pack<T>::COUNT];

    /* As it is stored. */
    __device__ __forceinline__ Pack<T> pack() const
    {
        Pack<T> pack;

#pragma unroll
        for (int i = 0; i < Pack<T>::COUNT; i++) {
            pack.value[i] = T(value[i]);
        }
        return pack;
    }
};

/* 6 centre - left - right - north - south - below - above. */
template <typename T>
__device__ __forceinline__ Numbers<T> laplacian7(const Pack<T> &centre,
                                                 const RowNeighbours<T> &sides,
                                                 const Pack<T> &north,
                                                 const Pack<T> &south,
                                                 const Pack<T> &below,
                                                 const Pack<T> &above)
{
    constexpr int COUNT = Pack<T>::COUNT;
    using W = Work<T>;
    Numbers<T> result;

#pragma unroll
    for (int i = 0; i < COUNT; i++) {
        W left = number(i > 0 ? centre.value[i - 1] : sides.left);
        W right = number(i + 1 < COUNT ? centre.value[i + 1] : sides.right);

        result.value[i] =
            W(6) * number(centre.value[i]) -
            ((left + right) + (number(north.value[i]) + number(south.value[i])) +
             (number(below.value[i]) + number(above.value[i])));
    }
    return result;
}

/* Blocks of WARP x ROWS threads, a pack each, that march through `layers` planes and
 * keep three of them in registers; rows beside theirs come from the cache. */
template <typename T, int ROWS, bool IS_STREAMED>
__global__ void __launch_bounds__(WARP *ROWS) laplacian7_march(
    const T *__restrict__ from, T *__restrict__ to, Grid grid, int layers)
{
    int x = (int) (blockIdx.x * WARP + threadIdx.x) * Pack<T>::COUNT;
    int y = (int) (blockIdx.y * ROWS + threadIdx.y);
    int first = (int) blockIdx.z * layers;
    int end = min(first + layers, grid.nz);
    ptrdiff_t plane = (ptrdiff_t) grid.plane();
    bool is_inside = x < grid.nx;

    if (y >= grid.ny) {
        return;
    }
    from += (size_t) first * grid.plane() + (size_t) y * (size_t) grid.nx + (size_t) x;
    to += (size_t) first * grid.plane() + (size_t) y * (size_t) grid.nx + (size_t) x;
    Pack<T> below = pack_load_if(is_inside && first > 0, from - plane);
    Pack<T> centre = pack_load_if(is_inside, from);

#pragma unroll 2
    for (int z = first; z < end; z++) {
        Pack<T> above = pack_load_if(is_inside && z + 1 < grid.nz, from + plane);
        Pack<T> north = pack_load_if(is_inside && y > 0, from - grid.nx);
        Pack<T> south = pack_load_if(is_inside && y + 1 < grid.ny, from + grid.nx);
        RowNeighbours<T> sides =
            row_neighbours(centre, x, grid.nx, [=](int i) { return from[i]; });

        if (is_inside) {
            pack_store_as<IS_STREAMED>(
                to, laplacian7(centre, sides, north, south, below, above).pack());
        }
        below = centre;
        centre = above;
        from += plane;
        to += plane;
    }
}

/* The same with rows beside a thread's in shared memory, ROWS + 2 of each plane, in
 * turns of two; the plane above is loaded while this one is computed. */
template <typename T, int ROWS, bool IS_STREAMED>
__global__ void __launch_bounds__(WARP *ROWS) laplacian7_shared(
    const T *__restrict__ from, T *__restrict__ to, Grid grid, int layers)
{
    __shared__ Pack<T> rows[2][ROWS + 2][WARP];
    int x = (int) (blockIdx.x * WARP + threadIdx.x) * Pack<T>::COUNT;
    int y = (int) (blockIdx.y * ROWS + threadIdx.y);
    int first = (int) blockIdx.z * layers;
    int end = min(first + layers, grid.nz);
    ptrdiff_t plane = (ptrdiff_t) grid.plane();
    bool is_inside = x < grid.nx && y < grid.ny;
    /* The first and the last row of threads load the rows beyond them. */
    int beyond = threadIdx.y == 0 ? -1 : 1;
    bool has_beyond = threadIdx.y == 0 || threadIdx.y == ROWS - 1;
    bool is_beyond =
        has_beyond && x < grid.nx && y + beyond >= 0 && y + beyond < grid.ny;
    ptrdiff_t offset = (ptrdiff_t) beyond * grid.nx;

    from += (size_t) first * grid.plane() + (size_t) y * (size_t) grid.nx + (size_t) x;
    to += (size_t) first * grid.plane() + (size_t) y * (size_t) grid.nx + (size_t) x;
    Pack<T> below = pack_load_if(is_inside && first > 0, from - plane);
    Pack<T> centre = pack_load_if(is_inside, from);
    Pack<T> border = pack_load_if(is_beyond, from + offset);

    for (int z = first; z < end; z++) {
        Pack<T>(*here)[WARP] = rows[z % 2];
        bool has_next = z + 1 < grid.nz;

        here[threadIdx.y + 1][threadIdx.x] = centre;
        if (has_beyond) {
            here[(int) threadIdx.y + 1 + beyond][threadIdx.x] = border;
        }
        Pack<T> above = pack_load_if(is_inside && has_next, from + plane);
        Pack<T> next_border =
            pack_load_if(is_beyond && has_next, from + plane + offset);
        RowNeighbours<T> sides = {};

        if (y < grid.ny) {
            sides = row_neighbours(centre, x, grid.nx, [=](int i) { return from[i]; });
        }
        __syncthreads();
        if (is_inside) {
            pack_store_as<IS_STREAMED>(
                to, laplacian7(centre, sides, here[threadIdx.y][threadIdx.x],
                               here[threadIdx.y + 2][threadIdx.x], below, above)
                        .pack());
        }
        below = centre;
        centre = above;
        border = next_border;
        from += plane;
        to += plane;
    }
}

}  // namespace gpu
