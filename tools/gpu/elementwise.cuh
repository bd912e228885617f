/* Measures result[i] = operation(a[i], b[i]) on vectors. */
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "tools/gpu/device.cuh"
#include "tools/gpu/halves.cuh"
#include "tools/gpu/program.cuh"
#include "tools/gpu/random.hpp"
#include "tools/gpu/variants.cuh"
#include "tools/gpu/vectors.cuh"

namespace gpu
{

template <typename Operation> struct Elementwise {
    const char *workload;
    Operation operation; /* of floats, and of doubles for the reference */
    bool is_in_place;    /* the result is b */
    double flops;        /* of an element */
    double most;         /* no result is as large */
    const char *reference;
};

template <typename T, typename Operation> class ElementwiseProgram
{
  public:
    ElementwiseProgram(Program *program,
                       const Elementwise<Operation> &what,
                       const VectorLayout &layout)
        : program_(program), what_(what), layout_(layout),
          host_a_(vector_random<T>(layout, program->seed())),
          host_b_(vector_random<T>(layout, program->seed() + 1)), a_(host_a_),
          b_(host_b_), separate_(what.is_in_place ? 1 : layout.total())
    {
    }

    void measure(const std::string &name)
    {
        double count = (double) layout_.count;
        Result result;
        std::vector<Variant> variants = {
            {"1 load", [=](int i) { run<1>(i); }},
            {"2 loads", [=](int i) { run<2>(i); }},
            {"4 loads", [=](int i) { run<4>(i); }},
        };

        result.workload = what_.workload;
        vector_describe(&result.parameters, layout_, program_->asked());
        result.parameters.set("dtype", Format<T>::NAME);
        result.flops = what_.flops * count;
        result.flops_counter = Format<T>::COUNTER;
        result.dram_bytes = 3.0 * sizeof(T) * count;
        result.method = layout_.turns > 1
                            ? "one launch between CUDA events, median; calls take "
                              "turns among vectors, which come from DRAM"
                            : "one launch between CUDA events, median";
        result.check.tolerance = 0.5 * what_.most * Format<T>::ROUNDING * slack();
        result.check.reference = what_.reference;
        time_variants(&result, variants);
        for (const Variant &variant : variants) {
            check(&result.check, variant);
        }
        program_->write(&result, name);
    }

  private:
    /* Of half of the last place: FP32, which 16 bits are computed in, adds little, and
     * the reference of FP64 is rounded, too. */
    static double slack()
    {
        return sizeof(T) == 2 ? 1.001 : sizeof(T) == 8 ? 4 : 1;
    }

    T *result_data() const
    {
        return what_.is_in_place ? b_.data() : separate_.data();
    }

    template <int LOADS> void run(int call) const
    {
        size_t packs = layout_.packs<T>();
        size_t offset = (size_t) call % layout_.turns * layout_.stride;

        vector_map<LOADS><<<vector_blocks(packs, LOADS), VECTOR_THREADS>>>(
            a_.data() + offset, b_.data() + offset, result_data() + offset, packs,
            what_.operation);
    }

    /* Fresh data, one call of each turn, and all of the result. */
    void check(Check *check, const Variant &variant)
    {
        std::vector<T> values(layout_.total());

        if (what_.is_in_place) {
            b_.upload(host_b_.data());
        } else {
            separate_.poison();
        }
        for (size_t i = 0; i < layout_.turns; i++) {
            variant.body((int) i);
        }
        GPU_LAUNCHED();
        GPU_TRY(cudaMemcpy(values.data(), result_data(), values.size() * sizeof(T),
                           cudaMemcpyDeviceToHost));
        for (size_t i = 0; i < layout_.turns; i++) {
            const T *a = host_a_.data() + i * layout_.stride;
            const T *b = host_b_.data() + i * layout_.stride;

            check_all(check, values.data() + i * layout_.stride, layout_.count,
                      [=](size_t k) {
                          return what_.operation((double) number(a[k]),
                                                 (double) number(b[k]));
                      });
        }
    }

    Program *program_;
    Elementwise<Operation> what_;
    VectorLayout layout_;
    std::vector<T> host_a_;
    std::vector<T> host_b_;
    Array<T> a_;
    Array<T> b_;
    Array<T> separate_;
};

/* Large vectors, and vectors of the grid of PCG, as NAME and NAME-grid; or what is
 * asked for. */
template <typename Operation>
void measure_elementwise(Program *program, const Elementwise<Operation> &what)
{
    const std::string name = what.workload;
    const Asked &asked = program->asked();

    if (!asked.is_there()) {
        ElementwiseProgram<float, Operation>(program, what,
                                             {VECTOR_LARGE, VECTOR_LARGE, 1})
            .measure(name);
        ElementwiseProgram<float, Operation>(program, what, vector_layout(VECTOR_GRID))
            .measure(name + "-grid");
        return;
    }
    const VectorLayout layout =
        vector_layout((size_t) asked.nx * (size_t) asked.ny * (size_t) asked.nz);

    with_format(asked, [&](auto zero) {
        ElementwiseProgram<decltype(zero), Operation>(program, what, layout)
            .measure(name + asked.suffix());
    });
}

}  // namespace gpu
