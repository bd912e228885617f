/* A grid of cells with x fastest in memory, and what scripts put into it. The order of
 * its axes may be another than that of the script. */
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tools/gpu/json.hpp"
#include "tools/gpu/number.hpp"
#include "tools/gpu/random.hpp"

namespace gpu
{

struct Grid {
    int nx;
    int ny;
    int nz;
    /* nx is the script's nz, ny its nx, nz its ny: as buffers of a wafer have it. */
    bool is_z_first = false;

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
        parameters->set("nx", is_z_first ? ny : nx);
        parameters->set("ny", is_z_first ? nz : ny);
        parameters->set("nz", is_z_first ? nx : nz);
    }
};

/* Numbers from -1 to 1 as the scripts put them on a wafer, whose buffers have z
 * fastest, then x, then y. */
template <typename T> std::vector<T> random_grid(const Grid &grid, uint64_t seed)
{
    if (grid.is_z_first) {
        return random_vector<T>(grid.cells(), seed);
    }
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
    double sum = 6 * (double) number(values[i]);

    sum -= x > 0 ? (double) number(values[i - 1]) : 0;
    sum -= x + 1 < nx ? (double) number(values[i + 1]) : 0;
    sum -= y > 0 ? (double) number(values[i - nx]) : 0;
    sum -= y + 1 < (size_t) grid.ny ? (double) number(values[i + nx]) : 0;
    sum -= z > 0 ? (double) number(values[i - grid.plane()]) : 0;
    sum -= z + 1 < (size_t) grid.nz ? (double) number(values[i + grid.plane()]) : 0;
    return sum;
}

}  // namespace gpu
