/* An iteration of conjugate gradients in two kernels, without a matrix: the product
 * with A is computed twice and never stored. Blocks of WARP x ROWS threads, a pack
 * each, march through `layers` planes; the grid of blocks is one-dimensional. */
#pragma once

#include "tools/gpu/pcg/laplacian7.cuh"
#include "tools/gpu/reduction.cuh"

namespace gpu
{

/* Where a thread's packs are. */
struct PcgPlace {
    int x;
    int y;
    int first; /* plane */
    int end;
    size_t offset; /* of the first pack */
    bool is_inside;
};

/* The blocks from the last to the first if is_reversed: kernels that take turns find
 * more in the cache when they go to and fro. */
template <typename T, int ROWS>
__device__ __forceinline__ PcgPlace pcg_place(const Grid &grid,
                                              int layers,
                                              bool is_reversed = false)
{
    constexpr int WIDTH = WARP * Pack<T>::COUNT;
    int across = (grid.nx + WIDTH - 1) / WIDTH;
    int down = (grid.ny + ROWS - 1) / ROWS;
    int block = (int) (is_reversed ? gridDim.x - 1 - blockIdx.x : blockIdx.x);
    PcgPlace place;

    place.x = block % across * WIDTH + (int) (threadIdx.x % WARP) * Pack<T>::COUNT;
    place.y = block / across % down * ROWS + (int) (threadIdx.x / WARP);
    place.first = block / across / down * layers;
    place.end = min(place.first + layers, grid.nz);
    place.is_inside = place.x < grid.nx && place.y < grid.ny;
    place.offset = (size_t) place.first * grid.plane() +
                   (size_t) place.y * (size_t) grid.nx + (size_t) place.x;
    return place;
}

/* Blocks of the kernels below. */
template <typename T> unsigned pcg_blocks(const Grid &grid, int rows, int layers)
{
    constexpr int WIDTH = WARP * Pack<T>::COUNT;

    return (unsigned) ((grid.nx + WIDTH - 1) / WIDTH * ((grid.ny + rows - 1) / rows) *
                       ((grid.nz + layers - 1) / layers));
}

template <typename T>
__device__ __forceinline__ Work<T> pack_dot(const Pack<T> &a, const Numbers<T> &b)
{
    Work<T> sum = number(a.value[0]) * b.value[0];

#pragma unroll
    for (int i = 1; i < Pack<T>::COUNT; i++) {
        sum += number(a.value[i]) * b.value[i];
    }
    return sum;
}

/* p = r / 6 + beta old_p, and *curvature = p . A p; beta is squares[0] / squares[-1],
 * of the residuals now and an iteration ago, and 0 if is_first. */
template <typename T, int ROWS>
__global__ void __launch_bounds__(WARP *ROWS)
    pcg_direction(const T *__restrict__ r,
                  const T *__restrict__ old_p,
                  T *__restrict__ p,
                  Grid grid,
                  int layers,
                  const Work<T> *squares,
                  bool is_first,
                  Reduction<Work<T>> reduction,
                  Work<T> *curvature)
{
    PcgPlace at = pcg_place<T, ROWS>(grid, layers);
    ptrdiff_t plane = (ptrdiff_t) grid.plane();
    using W = Work<T>;
    W beta = is_first ? W(0) : squares[0] / squares[-1];
    W sum = 0;

    r += at.offset;
    old_p += at.offset;
    p += at.offset;
    auto cell = [&](ptrdiff_t i) {
        return T(number(r[i]) * W(1.0 / 6) + beta * number(old_p[i]));
    };
    auto pack = [&](bool is_inside, ptrdiff_t i) {
        Pack<T> from = pack_load_if(is_inside, r + i);
        Pack<T> old = pack_load_if(is_inside, old_p + i);

#pragma unroll
        for (int k = 0; k < Pack<T>::COUNT; k++) {
            from.value[k] =
                T(number(from.value[k]) * W(1.0 / 6) + beta * number(old.value[k]));
        }
        return from;
    };
    if (at.y < grid.ny) {
        Pack<T> below = pack(at.is_inside && at.first > 0, -plane);
        Pack<T> centre = pack(at.is_inside, 0);

        for (int z = at.first; z < at.end; z++) {
            Pack<T> above = pack(at.is_inside && z + 1 < grid.nz, plane);
            Pack<T> north = pack(at.is_inside && at.y > 0, -(ptrdiff_t) grid.nx);
            Pack<T> south = pack(at.is_inside && at.y + 1 < grid.ny, grid.nx);
            RowNeighbours<T> sides = row_neighbours(centre, at.x, grid.nx, cell);

            if (at.is_inside) {
                pack_store(p, centre);
                sum += pack_dot(centre,
                                laplacian7(centre, sides, north, south, below, above));
            }
            below = centre;
            centre = above;
            r += plane;
            old_p += plane;
            p += plane;
        }
    }
    if (reduction_sum<WARP * ROWS>(reduction, &sum)) {
        *curvature = sum;
    }
}

/* x += alpha p, r -= alpha A p, and squares[1] = r . r; alpha is squares[0] / 6 /
 * *curvature. x, which no other kernel reads, passes by the cache if IS_TURNING. */
template <typename T, int ROWS, bool IS_TURNING>
__global__ void __launch_bounds__(WARP *ROWS) pcg_update(const T *__restrict__ p,
                                                         T *__restrict__ x,
                                                         T *__restrict__ r,
                                                         Grid grid,
                                                         int layers,
                                                         Work<T> *squares,
                                                         const Work<T> *curvature,
                                                         Reduction<Work<T>> reduction)
{
    PcgPlace at = pcg_place<T, ROWS>(grid, layers, IS_TURNING);
    ptrdiff_t plane = (ptrdiff_t) grid.plane();
    using W = Work<T>;
    W alpha = squares[0] * W(1.0 / 6) / *curvature;
    W sum = 0;

    p += at.offset;
    x += at.offset;
    r += at.offset;
    if (at.y < grid.ny) {
        Pack<T> below = pack_load_if(at.is_inside && at.first > 0, p - plane);
        Pack<T> centre = pack_load_if(at.is_inside, p);

        for (int z = at.first; z < at.end; z++) {
            Pack<T> above = pack_load_if(at.is_inside && z + 1 < grid.nz, p + plane);
            Pack<T> north = pack_load_if(at.is_inside && at.y > 0, p - grid.nx);
            Pack<T> south =
                pack_load_if(at.is_inside && at.y + 1 < grid.ny, p + grid.nx);
            Pack<T> solution = IS_TURNING
                                   ? pack_load_streamed_if(at.is_inside, (const T *) x)
                                   : pack_load_if(at.is_inside, (const T *) x);
            Pack<T> residual = pack_load_if(at.is_inside, (const T *) r);
            RowNeighbours<T> sides =
                row_neighbours(centre, at.x, grid.nx, [=](int i) { return p[i]; });

            if (at.is_inside) {
                Numbers<T> product =
                    laplacian7(centre, sides, north, south, below, above);

#pragma unroll
                for (int k = 0; k < Pack<T>::COUNT; k++) {
                    solution.value[k] =
                        T(number(solution.value[k]) + alpha * number(centre.value[k]));
                    residual.value[k] =
                        T(number(residual.value[k]) - alpha * product.value[k]);
                    product.value[k] = number(residual.value[k]);
                }
                pack_store_as<IS_TURNING>(x, solution);
                pack_store(r, residual);
                sum += pack_dot(residual, product);
            }
            below = centre;
            centre = above;
            p += plane;
            x += plane;
            r += plane;
        }
    }
    if (reduction_sum<WARP * ROWS>(reduction, &sum)) {
        squares[1] = sum;
    }
}

}  // namespace gpu
