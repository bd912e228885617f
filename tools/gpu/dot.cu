/* The dot product of two vectors, as dot.lua. */
#include <cstring>

#include "tools/gpu/device.cuh"
#include "tools/gpu/program.cuh"
#include "tools/gpu/random.hpp"
#include "tools/gpu/variants.cuh"
#include "tools/gpu/vectors.cuh"

namespace
{

constexpr double TOLERANCE = 1e-7; /* of the sum of all products without their signs */

class Dot
{
  public:
    explicit Dot(gpu::Program *program)
        : program_(program),
          host_a_(gpu::random_vector<float>(gpu::VECTOR_LARGE, program->seed())),
          host_b_(gpu::random_vector<float>(gpu::VECTOR_LARGE, program->seed() + 1)),
          a_(host_a_), b_(host_b_), result_(gpu::VECTOR_TURNS),
          memory_((size_t) program->device().multiprocessors * MOST_BLOCKS)
    {
    }

    void measure(size_t count, size_t turns, const std::string &name)
    {
        gpu::Result result;
        std::vector<gpu::Variant> variants = {
            {"2 loads, 4 blocks", [=](int i) { run<2>(4, count, turns, i); }},
            {"2 loads, 8 blocks", [=](int i) { run<2>(8, count, turns, i); }},
            {"4 loads, 4 blocks", [=](int i) { run<4>(4, count, turns, i); }},
            {"4 loads, 8 blocks", [=](int i) { run<4>(8, count, turns, i); }},
        };

        result.workload = "dot";
        result.parameters.set("elements", (uint64_t) count);
        result.parameters.set("tiles", (uint64_t) (count / gpu::VECTOR_TILE));
        result.parameters.set("dtype", "fp32");
        result.flops = 2.0 * (double) count;
        result.flops_counter = "fp32_flops";
        result.dram_bytes = 2.0 * sizeof(float) * (double) count;
        result.method = "one launch between CUDA events, median: sums of threads, "
                        "blocks, and in the "
                        "block that ends last of all blocks, in a fixed order";
        result.check.reference = "the sum in double precision, within 1e-7 of the sum "
                                 "of all products without "
                                 "signs; twice the same bits";
        gpu::time_variants(&result, variants);
        for (const gpu::Variant &variant : variants) {
            for (size_t i = 0; i < turns; i++) {
                check(&result.check, variant, count, i);
            }
        }
        program_->write(&result, name);
    }

  private:
    static constexpr int MOST_BLOCKS = 8; /* of a multiprocessor */

    template <int LOADS>
    void run(int blocks, size_t count, size_t turns, int call) const
    {
        size_t turn = (size_t) call % turns;

        gpu::vector_dot<LOADS>
            <<<(unsigned) (blocks * program_->device().multiprocessors),
               gpu::VECTOR_THREADS>>>(
                a_.data() + turn * count, b_.data() + turn * count,
                count / gpu::Pack<float>::COUNT, memory_.get(), result_.data() + turn);
    }

    float value(const gpu::Variant &variant, size_t turn)
    {
        result_.poison();
        variant.body((int) turn);
        GPU_LAUNCHED();
        return result_.download()[turn];
    }

    void
    check(gpu::Check *check, const gpu::Variant &variant, size_t count, size_t turn)
    {
        float first = value(variant, turn);
        float second = value(variant, turn);
        double sum = 0;
        double absolute = 0;
        std::mutex mutex;

        gpu::parallel_parts(count, [&](size_t from, size_t end) {
            double part = 0;
            double part_absolute = 0;

            for (size_t i = from; i < end; i++) {
                double product = (double) host_a_[turn * count + i] *
                                 (double) host_b_[turn * count + i];

                part += product;
                part_absolute += std::fabs(product);
            }
            std::lock_guard<std::mutex> guard(mutex);
            sum += part;
            absolute += part_absolute;
        });
        check->tolerance = TOLERANCE * absolute;
        check->compare((double) first, sum);
        if (std::memcmp(&first, &second, sizeof first) != 0) {
            check->compare(NAN, sum);
        }
    }

    gpu::Program *program_;
    std::vector<float> host_a_;
    std::vector<float> host_b_;
    gpu::Array<float> a_;
    gpu::Array<float> b_;
    gpu::Array<float> result_;
    gpu::ReductionMemory<float> memory_;
};

}  // namespace

int main(int argc, char **argv)
{
    gpu::Program program(argc, argv);
    Dot dot(&program);

    dot.measure(gpu::VECTOR_LARGE, 1, "dot");
    dot.measure(gpu::VECTOR_GRID, gpu::VECTOR_TURNS, "dot-grid");
    return program.exit_code();
}
