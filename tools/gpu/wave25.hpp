/* The acoustic wave equation of stencil25.lua: weights, the source, and a reference. */
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "tools/gpu/grid.hpp"

namespace gpu
{

constexpr int WAVE_REACH = 4;
constexpr int WAVE_FLOPS = 51; /* of a cell: 25 products and sums, and a difference */
constexpr int WAVE_PULSE = 17; /* steps that the source is on for */
constexpr double WAVE_FACTOR = 0.1; /* (dt V / h)^2 */

/* What a step multiplies a cell by that is so far away. */
GPU_ANYWHERE constexpr double wave_weight(int distance)
{
    constexpr double second[WAVE_REACH + 1] = {-205.0 / 72.0, 8.0 / 5.0, -1.0 / 5.0,
                                               8.0 / 315.0, -1.0 / 560.0};

    return distance == 0 ? 2 + 3 * WAVE_FACTOR * second[0]
                         : WAVE_FACTOR * second[distance];
}

/* What the source adds in a step: a Ricker wavelet. */
inline double wave_sample(int step)
{
    constexpr double PI = 3.14159265358979323846;
    double a = std::pow(PI * (step + 1 - (WAVE_PULSE + 1) / 2) / 8, 2);

    return step < WAVE_PULSE ? (1 - 2 * a) * std::exp(-a) : 0;
}

/* The cell in the middle, to which the source adds. */
inline size_t wave_source(const Grid &grid)
{
    return (size_t) (grid.nx / 2) +
           (size_t) grid.nx *
               ((size_t) (grid.ny / 2) + (size_t) grid.ny * (size_t) (grid.nz / 2));
}

/* Steps in double precision; levels[n % 2] holds time n, levels[1] at first the time
 * before 0. Beyond the grid is nothing. */
inline void wave_steps(const Grid &grid, double *const levels[2], int steps)
{
    size_t nx = (size_t) grid.nx;
    size_t ny = (size_t) grid.ny;

    for (int step = 0; step < steps; step++) {
        const double *now = levels[step % 2];
        double *next = levels[1 - step % 2];

        parallel_for(ny * (size_t) grid.nz, [=](size_t row) {
            size_t y = row % ny;
            size_t z = row / ny;
            const double *at = now + row * nx;
            std::vector<double> sums(nx);

            for (size_t x = 0; x < nx; x++) {
                sums[x] = wave_weight(0) * at[x];
            }
            auto add = [&](ptrdiff_t offset, double weight) {
                for (size_t x = 0; x < nx; x++) {
                    sums[x] += weight * at[(ptrdiff_t) x + offset];
                }
            };
            for (size_t d = 1; d <= WAVE_REACH; d++) {
                double weight = wave_weight((int) d);

                for (size_t x = d; x < nx; x++) {
                    sums[x] += weight * at[x - d];
                }
                for (size_t x = 0; x + d < nx; x++) {
                    sums[x] += weight * at[x + d];
                }
                if (y >= d) {
                    add(-(ptrdiff_t) (d * nx), weight);
                }
                if (y + d < ny) {
                    add((ptrdiff_t) (d * nx), weight);
                }
                if (z >= d) {
                    add(-(ptrdiff_t) (d * grid.plane()), weight);
                }
                if (z + d < (size_t) grid.nz) {
                    add((ptrdiff_t) (d * grid.plane()), weight);
                }
            }
            for (size_t x = 0; x < nx; x++) {
                next[row * nx + x] = sums[x] - next[row * nx + x];
            }
        });
        next[wave_source(grid)] += wave_sample(step);
    }
}

}  // namespace gpu
