/* The solver with two kernels an iteration, of which the second goes from the last
 * cells to the first if IS_TURNING. */
#pragma once

#include "tools/gpu/pcg/fused.cuh"
#include "tools/gpu/pcg/solver.cuh"
#include "tools/gpu/vectors.cuh"

namespace gpu
{

template <typename T, int ROWS, bool IS_TURNING> class PcgFused : public PcgSolver<T>
{
  public:
    PcgFused(const Grid &grid, const Array<T> &b, int iterations, int layers)
        : PcgSolver<T>(grid, b, iterations), layers_(layers),
          blocks_(pcg_blocks<T>(grid, ROWS, layers)), other_p_(grid.cells()),
          curvature_(1), memory_(std::max(blocks_, START_BLOCKS))
    {
    }

    std::string name() const override
    {
        return "fused, " + std::to_string(ROWS) + " rows, " + std::to_string(layers_) +
               " layers" + (IS_TURNING ? ", to and fro" : "");
    }

    void reset() override
    {
        GPU_TRY(cudaMemsetAsync(this->x_.data(), 0, this->x_.bytes(), this->stream_));
        GPU_TRY(cudaMemsetAsync(this->p_.data(), 0, this->p_.bytes(), this->stream_));
        GPU_TRY(cudaMemcpyAsync(this->r_.data(), this->b_.data(), this->r_.bytes(),
                                cudaMemcpyDeviceToDevice, this->stream_));
        GPU_TRY(
            cudaMemsetAsync(other_p_.data(), 0xff, other_p_.bytes(), this->stream_));
        GPU_TRY(cudaMemsetAsync(this->squares_.data(), 0xff, this->squares_.bytes(),
                                this->stream_));
        vector_dot<2, T><<<START_BLOCKS, VECTOR_THREADS, 0, this->stream_>>>(
            this->r_.data(), this->r_.data(), this->packs(), memory_.get(),
            this->squares_.data());
    }

    void solve(const PcgStage &stage) override
    {
        T *p = other_p_.data();
        T *old_p = this->p_.data();

        for (int i = 0; i < this->iterations_; i++) {
            Work<T> *squares = this->squares_.data() + i;

            stage("direction", [&]() {
                pcg_direction<T, ROWS><<<blocks_, WARP * ROWS, 0, this->stream_>>>(
                    this->r_.data(), old_p, p, this->grid_, layers_, squares, i == 0,
                    memory_.get(), curvature_.data());
            });
            stage("update", [&]() {
                pcg_update<T, ROWS, IS_TURNING>
                    <<<blocks_, WARP * ROWS, 0, this->stream_>>>(
                        p, this->x_.data(), this->r_.data(), this->grid_, layers_,
                        squares, curvature_.data(), memory_.get());
            });
            std::swap(p, old_p);
        }
        GPU_LAUNCHED();
    }

    /* Reads r and p, writes p; reads p, x and r, writes x and r. */
    double bytes() const override
    {
        return 8 * this->vector_bytes();
    }

    double working_set_bytes() const override
    {
        return 4 * this->vector_bytes();
    }

    /* As on a wafer: the matrix 7, three updates, a scaling, two dot products. */
    double flops() const override
    {
        return 18;
    }

  private:
    static constexpr unsigned START_BLOCKS = 512;

    int layers_;
    unsigned blocks_;
    Array<T> other_p_;
    Array<Work<T>> curvature_;
    ReductionMemory<Work<T>> memory_;
};

}  // namespace gpu
