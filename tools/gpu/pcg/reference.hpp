/* Conjugate gradients with the Jacobi preconditioner on the 7-point Laplacian, on the
 * host and in double precision. */
#pragma once

#include <cmath>
#include <mutex>
#include <vector>

#include "tools/gpu/grid.hpp"

namespace gpu
{

struct PcgReference {
    std::vector<double> x;
    std::vector<double> norms; /* of the residual: at first, and after each iteration */
    double true_norm = 0;      /* of b - A x */
};

/* The sum of body(i) for i in 0 .. count. */
template <typename Body> double parallel_sum(size_t count, Body body)
{
    std::mutex mutex;
    double sum = 0;

    parallel_parts(count, [&](size_t first, size_t end) {
        double part = 0;

        for (size_t i = first; i < end; i++) {
            part += body(i);
        }
        std::lock_guard<std::mutex> guard(mutex);
        sum += part;
    });
    return sum;
}

/* ||b - A x|| in double precision. */
template <typename T, typename U>
double pcg_true_norm(const Grid &grid, const std::vector<T> &b, const std::vector<U> &x)
{
    return std::sqrt(parallel_sum(grid.cells(), [&](size_t i) {
        double residual = (double) number(b[i]) - laplacian7_at(grid, x.data(), i);

        return residual * residual;
    }));
}

/* Scalars are in double precision; so are vectors of FP32 and FP64, and vectors of 16
 * bits are rounded as they are stored. */
template <typename T>
PcgReference pcg_reference(const Grid &grid, const std::vector<T> &b, int iterations)
{
    size_t cells = grid.cells();
    PcgReference result;
    std::vector<double> &x = result.x;
    std::vector<double> r(cells);
    std::vector<double> p(cells);
    std::vector<double> q(cells);
    double square = parallel_sum(cells, [&](size_t i) {
        r[i] = (double) number(b[i]);
        p[i] = stored<T>(r[i] / 6);
        return r[i] * r[i];
    });

    x.assign(cells, 0);
    result.norms.push_back(std::sqrt(square));
    for (int iteration = 0; iteration < iterations; iteration++) {
        double curvature = parallel_sum(cells, [&](size_t i) {
            q[i] = laplacian7_at(grid, p.data(), i);
            return p[i] * q[i];
        });
        double alpha = square / 6 / curvature;
        double next = parallel_sum(cells, [&](size_t i) {
            x[i] = stored<T>(x[i] + alpha * p[i]);
            r[i] = stored<T>(r[i] - alpha * q[i]);
            return r[i] * r[i];
        });

        parallel_for(cells, [&](size_t i) {
            p[i] = stored<T>(r[i] / 6 + next / square * p[i]);
        });
        square = next;
        result.norms.push_back(std::sqrt(square));
    }
    result.true_norm = pcg_true_norm(grid, b, x);
    return result;
}

}  // namespace gpu
