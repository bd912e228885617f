/* z = x + y, as vecadd.lua. */
#include "tools/gpu/elementwise.cuh"

namespace
{

struct Sum {
    template <typename T> __host__ __device__ T operator()(T a, T b) const
    {
        return a + b;
    }
};

}  // namespace

int main(int argc, char **argv)
{
    gpu::Program program(argc, argv);
    gpu::Elementwise<Sum> sum = {
        "vecadd", Sum(), false, 1, 2, "x + y in double precision; sums are below 2"};

    gpu::measure_elementwise(&program, sum);
    return program.exit_code();
}
