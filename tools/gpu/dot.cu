/* The dot product of two vectors, as dot.lua. */
#include <cstring>

#include "tools/gpu/device.cuh"
#include "tools/gpu/halves.cuh"
#include "tools/gpu/program.cuh"
#include "tools/gpu/variants.cuh"
#include "tools/gpu/vectors.cuh"

namespace
{

constexpr double TOLERANCE = 1e-7; /* of the sum of all products without their signs */
constexpr size_t CHECKED_TURNS = 16;

template <typename T> class Dot
{
  public:
    Dot(gpu::Program *program, const gpu::VectorLayout &layout)
        : program_(program), layout_(layout),
          host_a_(gpu::vector_random<T>(layout, program->seed())),
          host_b_(gpu::vector_random<T>(layout, program->seed() + 1)), a_(host_a_),
          b_(host_b_), result_(layout.turns),
          memory_((size_t) program->device().multiprocessors * MOST_BLOCKS)
    {
    }

    void measure(const std::string &name)
    {
        double count = (double) layout_.count;
        gpu::Result result;
        std::vector<gpu::Variant> variants = {
            {"2 loads, 4 blocks", [=](int i) { run<2>(4, i); }},
            {"2 loads, 8 blocks", [=](int i) { run<2>(8, i); }},
            {"4 loads, 4 blocks", [=](int i) { run<4>(4, i); }},
            {"4 loads, 8 blocks", [=](int i) { run<4>(8, i); }},
        };

        result.workload = "dot";
        gpu::vector_describe(&result.parameters, layout_, program_->asked());
        result.parameters.set("dtype", gpu::Format<T>::NAME);
        result.flops = 2.0 * count;
        result.flops_counter = gpu::Format<T>::COUNTER;
        result.dram_bytes = 2.0 * sizeof(T) * count;
        result.method = "one launch between CUDA events, median: sums of threads, "
                        "blocks, and in the "
                        "block that ends last of all blocks, in a fixed order";
        result.check.reference = "the sum in double precision, within 1e-7 of the sum "
                                 "of all products without "
                                 "signs; twice the same bits";
        gpu::time_variants(&result, variants);
        for (const gpu::Variant &variant : variants) {
            for (size_t i = 0; i < std::min(layout_.turns, CHECKED_TURNS); i++) {
                check(&result.check, variant, i);
            }
        }
        program_->write(&result, name);
    }

  private:
    using Sum = gpu::Work<T>;

    static constexpr int MOST_BLOCKS = 8; /* of a multiprocessor */

    template <int LOADS> void run(int blocks, int call) const
    {
        size_t turn = (size_t) call % layout_.turns;
        size_t offset = turn * layout_.stride;

        gpu::vector_dot<LOADS>
            <<<(unsigned) (blocks * program_->device().multiprocessors),
               gpu::VECTOR_THREADS>>>(a_.data() + offset, b_.data() + offset,
                                      layout_.packs<T>(), memory_.get(),
                                      result_.data() + turn);
    }

    Sum value(const gpu::Variant &variant, size_t turn)
    {
        Sum sum = 0;

        result_.poison();
        variant.body((int) turn);
        GPU_LAUNCHED();
        GPU_TRY(cudaMemcpy(&sum, result_.data() + turn, sizeof sum,
                           cudaMemcpyDeviceToHost));
        return sum;
    }

    void check(gpu::Check *check, const gpu::Variant &variant, size_t turn)
    {
        const T *a = host_a_.data() + turn * layout_.stride;
        const T *b = host_b_.data() + turn * layout_.stride;
        Sum first = value(variant, turn);
        Sum second = value(variant, turn);
        double sum = 0;
        double absolute = 0;
        std::mutex mutex;

        gpu::parallel_parts(layout_.count, [&](size_t from, size_t end) {
            double part = 0;
            double part_absolute = 0;

            for (size_t i = from; i < end; i++) {
                double product =
                    (double) gpu::number(a[i]) * (double) gpu::number(b[i]);

                part += product;
                part_absolute += std::fabs(product);
            }
            std::lock_guard<std::mutex> guard(mutex);
            sum += part;
            absolute += part_absolute;
        });
        /* Turns differ little; the smallest counts. */
        check->tolerance = check->tolerance > 0
                               ? std::min(check->tolerance, TOLERANCE * absolute)
                               : TOLERANCE * absolute;
        check->compare((double) first, sum);
        if (std::memcmp(&first, &second, sizeof first) != 0) {
            check->compare(NAN, sum);
        }
    }

    gpu::Program *program_;
    gpu::VectorLayout layout_;
    std::vector<T> host_a_;
    std::vector<T> host_b_;
    gpu::Array<T> a_;
    gpu::Array<T> b_;
    gpu::Array<Sum> result_;
    gpu::ReductionMemory<Sum> memory_;
};

}  // namespace

int main(int argc, char **argv)
{
    gpu::Program program(argc, argv);
    const gpu::Asked &asked = program.asked();

    if (asked.is_there()) {
        gpu::VectorLayout layout = gpu::vector_layout(
            (size_t) asked.nx * (size_t) asked.ny * (size_t) asked.nz);

        gpu::with_format(asked, [&](auto zero) {
            Dot<decltype(zero)>(&program, layout).measure("dot" + asked.suffix());
        });
        return program.exit_code();
    }
    Dot<float>(&program, {gpu::VECTOR_LARGE, gpu::VECTOR_LARGE, 1}).measure("dot");
    Dot<float>(&program, gpu::vector_layout(gpu::VECTOR_GRID)).measure("dot-grid");
    return program.exit_code();
}
