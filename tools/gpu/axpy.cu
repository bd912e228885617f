/* y = y + factor * x, as the updates of pcg.lua. */
#include "tools/gpu/elementwise.cuh"

namespace
{

struct Update {
    __host__ __device__ float operator()(float x, float y) const
    {
        return fmaf(FACTOR, x, y);
    }
    __host__ __device__ double operator()(double x, double y) const
    {
        return FACTOR * x + y;
    }

    static constexpr float FACTOR = 0.375F;
};

}  // namespace

int main(int argc, char **argv)
{
    gpu::Program program(argc, argv);
    gpu::Elementwise<Update> update = {
        "axpy", Update(), true, 2, 2, "y + 0.375 x in double precision; below 2"};

    gpu::measure_elementwise(&program, update);
    return program.exit_code();
}
