/* Solvers of one problem, A x = b with the 7-point Laplacian, that a program measures.
 */
#pragma once

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "tools/gpu/device.cuh"
#include "tools/gpu/grid.hpp"

namespace gpu
{

/* Runs a part of an iteration, which belongs to a component: spmv, dot or axpy, or a
 * name of a fused kernel. */
using PcgStage =
    std::function<void(const char *component, const std::function<void()> &part)>;

/* Just runs it. */
inline void pcg_run_stage(const char *, const std::function<void()> &part)
{
    part();
}

/* What all solvers have: vectors that start anew, and norms of the residual. */
template <typename T> class PcgSolver
{
  public:
    PcgSolver(const Grid &grid, const Array<T> &b, int iterations)
        : grid_(grid), iterations_(iterations), b_(b), x_(grid.cells()),
          r_(grid.cells()), p_(grid.cells()), squares_((size_t) iterations + 1)
    {
        GPU_TRY(cudaStreamCreate(&stream_));
    }
    virtual ~PcgSolver()
    {
        cudaStreamDestroy(stream_);
    }
    PcgSolver(const PcgSolver &) = delete;
    PcgSolver &operator=(const PcgSolver &) = delete;

    virtual std::string name() const = 0;
    /* Enqueues the start: x is 0, everything else follows from b. */
    virtual void reset() = 0;
    /* Enqueues all iterations. */
    virtual void solve(const PcgStage &stage) = 0;
    /* Whether solve() never waits, so that a graph can hold it. */
    virtual bool is_asynchronous() const
    {
        return true;
    }
    /* Bytes that an iteration must move, each vector of each kernel once. */
    virtual double bytes() const = 0;
    virtual double flops() const = 0; /* of a cell in an iteration */
    /* Bytes of all vectors that iterations use, and of the matrix. */
    virtual double working_set_bytes() const = 0;

    std::vector<double> norms() const
    {
        std::vector<Work<T>> squares = squares_.download();
        std::vector<double> norms;

        for (Work<T> square : squares) {
            norms.push_back(std::sqrt((double) square));
        }
        return norms;
    }
    std::vector<T> solution() const
    {
        return x_.download();
    }
    cudaStream_t stream() const
    {
        return stream_;
    }
    int iterations() const
    {
        return iterations_;
    }

  protected:
    double vector_bytes() const
    {
        return (double) (grid_.cells() * sizeof(T));
    }
    size_t packs() const
    {
        return grid_.cells() * sizeof(T) / 16;
    }

    Grid grid_;
    int iterations_;
    const Array<T> &b_;
    Array<T> x_;
    Array<T> r_;
    Array<T> p_;
    Array<Work<T>> squares_; /* r . r, at first and after each iteration */
    cudaStream_t stream_ = nullptr;
};

}  // namespace gpu
