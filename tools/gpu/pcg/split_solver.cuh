/* The solver with a kernel for each operation: a product, three dot products, three
 * updates and a scaling an iteration. */
#pragma once

#include "tools/gpu/pcg/solver.cuh"
#include "tools/gpu/pcg/split.cuh"

namespace gpu
{

/* Where the numbers that dot products give are used. */
enum class PcgScalars {
    device, /* kernels read them from memory */
    host,   /* they go to the host, which waits, and come back with the next launch */
};

/* A product to = A from on a stream. */
template <typename T> struct PcgProduct {
    std::string name;
    std::function<void(const T *from, T *to, cudaStream_t stream)> multiply;
    double matrix_bytes; /* 0: none is stored */
};

template <typename T> class PcgSplit : public PcgSolver<T>
{
  public:
    PcgSplit(const Grid &grid,
             const Array<T> &b,
             int iterations,
             const PcgProduct<T> &product,
             PcgScalars scalars)
        : PcgSolver<T>(grid, b, iterations), product_(product), scalars_(scalars),
          q_(grid.cells()), z_(grid.cells()), curvature_(1),
          deltas_((size_t) iterations + 1), memory_(DOT_BLOCKS)
    {
        GPU_TRY(cudaMallocHost(&landing_, sizeof(Work<T>)));
    }
    ~PcgSplit() override
    {
        cudaFreeHost(landing_);
    }

    std::string name() const override
    {
        return product_.name + (scalars_ == PcgScalars::device
                                    ? ", scalars on the device"
                                    : ", scalars on the host");
    }

    bool is_asynchronous() const override
    {
        return scalars_ == PcgScalars::device;
    }

    void reset() override
    {
        GPU_TRY(cudaMemsetAsync(this->x_.data(), 0, this->x_.bytes(), this->stream_));
        GPU_TRY(cudaMemcpyAsync(this->r_.data(), this->b_.data(), this->r_.bytes(),
                                cudaMemcpyDeviceToDevice, this->stream_));
        poison(q_);
        poison(z_);
        poison(this->squares_);
        poison(deltas_);
        scale(this->r_, &this->p_);
        delta_ = dot(this->r_, this->p_, deltas_.data());
        dot(this->r_, this->r_, this->squares_.data());
    }

    void solve(const PcgStage &stage) override
    {
        Work<T> delta = delta_;

        for (int i = 0; i < this->iterations_; i++) {
            const Work<T> *old_delta = deltas_.data() + i;
            Work<T> *new_delta = deltas_.data() + i + 1;
            Work<T> curvature = 0;
            Work<T> next = 0;

            stage("spmv", [&]() {
                product_.multiply(this->p_.data(), q_.data(), this->stream_);
            });
            stage("dot", [&]() { curvature = dot(this->p_, q_, curvature_.data()); });
            stage("axpy", [&]() {
                axpy(this->x_, this->p_, &this->x_,
                     factor(1, old_delta, curvature_.data(), delta / curvature));
            });
            stage("axpy", [&]() {
                axpy(this->r_, q_, &this->r_,
                     factor(-1, old_delta, curvature_.data(), -delta / curvature));
            });
            stage("dot",
                  [&]() { dot(this->r_, this->r_, this->squares_.data() + i + 1); });
            stage("axpy", [&]() { scale(this->r_, &z_); });
            stage("dot", [&]() { next = dot(this->r_, z_, new_delta); });
            stage("axpy", [&]() {
                axpy(z_, this->p_, &this->p_,
                     factor(1, new_delta, old_delta, next / delta));
            });
            delta = next;
        }
        GPU_LAUNCHED();
    }

    /* 2 of the product, 2 + 1 + 2 of dot products, 3 * 3 of updates, 2 of the scaling.
     */
    double bytes() const override
    {
        return 18 * this->vector_bytes() + product_.matrix_bytes;
    }

    double working_set_bytes() const override
    {
        return 5 * this->vector_bytes() + product_.matrix_bytes;
    }

    double flops() const override
    {
        return 20;
    }

  private:
    static constexpr unsigned DOT_BLOCKS = 528; /* 4 on each of 132 multiprocessors */

    template <typename U> void poison(const Array<U> &vector)
    {
        GPU_TRY(cudaMemsetAsync(vector.data(), 0xff, vector.bytes(), this->stream_));
    }

    unsigned blocks() const
    {
        return vector_blocks(this->packs(), 1);
    }

    Factor<T> factor(Work<T> sign,
                     const Work<T> *above,
                     const Work<T> *below,
                     Work<T> value) const
    {
        return scalars_ == PcgScalars::device ? Factor<T>{above, below, sign}
                                              : Factor<T>{nullptr, nullptr, value};
    }

    void axpy(const Array<T> &a, const Array<T> &b, Array<T> *result, Factor<T> factor)
    {
        pcg_axpy<<<blocks(), VECTOR_THREADS, 0, this->stream_>>>(
            a.data(), b.data(), result->data(), this->packs(), factor);
    }

    void scale(const Array<T> &a, Array<T> *result)
    {
        pcg_scale<<<blocks(), VECTOR_THREADS, 0, this->stream_>>>(
            a.data(), result->data(), this->packs(), Work<T>(1.0 / 6));
    }

    /* The number itself only where the host has it. */
    Work<T> dot(const Array<T> &a, const Array<T> &b, Work<T> *result)
    {
        vector_dot<2, T><<<DOT_BLOCKS, VECTOR_THREADS, 0, this->stream_>>>(
            a.data(), b.data(), this->packs(), memory_.get(), result);
        if (scalars_ == PcgScalars::device) {
            return 1;
        }
        GPU_TRY(cudaMemcpyAsync(landing_, result, sizeof(Work<T>),
                                cudaMemcpyDeviceToHost, this->stream_));
        GPU_TRY(cudaStreamSynchronize(this->stream_));
        return *landing_;
    }

    PcgProduct<T> product_;
    PcgScalars scalars_;
    Array<T> q_;
    Array<T> z_;
    Array<Work<T>> curvature_;
    Array<Work<T>> deltas_; /* r . z, at first and after each iteration */
    ReductionMemory<Work<T>> memory_;
    Work<T> delta_ = 0;
    Work<T> *landing_ = nullptr;
};

}  // namespace gpu
