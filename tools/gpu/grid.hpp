/* A grid of cells with x fastest in memory, and what scripts put into it. */
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tools/gpu/json.hpp"
#include "tools/gpu/random.hpp"

#ifdef __CUDACC__
#define GPU_ANYWHERE __host__ __device__
#else
#define GPU_ANYWHERE
#endif

namespace gpu
{

struct Grid {
    int nx;
    int ny;
    int nz;

    GPU_ANYWHERE size_t cells() const
    {
        return (size_t) nx * (size_t) ny * (size_t) nz;
    }
    GPU_ANYWHERE size_t plane() const
    {
        return (size_t) nx * (size_t) ny;
    }
    void describe(Json *parameters) const
    {
        parameters->set("nx", nx);
        parameters->set("ny", ny);
        parameters->set("nz", nz);
    }
};

/* Numbers from -1 to 1 as the scripts put them on a wafer, whose buffers have z
 * fastest, then x, then y. */
template <typename T> std::vector<T> random_grid(const Grid &grid, uint64_t seed)
{
    std::vector<T> values(grid.cells());
    T *data = values.data();

    parallel_for((size_t) grid.ny * (size_t) grid.nz, [=](size_t row) {
        size_t y = row % (size_t) grid.ny;
        size_t z = row / (size_t) grid.ny;
        Random random(seed, z + (size_t) grid.nz * (size_t) grid.nx * y,
                      (uint64_t) grid.nz);

        for (size_t x = 0; x < (size_t) grid.nx; x++) {
            data[row * (size_t) grid.nx + x] = (T) random.next(-1, 1);
        }
    });
    return values;
}

/* 6 times cell i less its neighbours in the grid, in double precision. */
template <typename T> double laplacian7_at(const Grid &grid, const T *values, size_t i)
{
    size_t nx = (size_t) grid.nx;
    size_t x = i % nx;
    size_t y = i / nx % (size_t) grid.ny;
    size_t z = i / grid.plane();
    double sum = 6 * (double) values[i];

    sum -= x > 0 ? (double) values[i - 1] : 0;
    sum -= x + 1 < nx ? (double) values[i + 1] : 0;
    sum -= y > 0 ? (double) values[i - nx] : 0;
    sum -= y + 1 < (size_t) grid.ny ? (double) values[i + nx] : 0;
    sum -= z > 0 ? (double) values[i - grid.plane()] : 0;
    sum -= z + 1 < (size_t) grid.nz ? (double) values[i + grid.plane()] : 0;
    return sum;
}

}  // namespace gpu
