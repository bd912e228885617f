/* Measures result[i] = operation(a[i], b[i]) on vectors of FP32. */
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "tools/gpu/device.cuh"
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
    double tolerance;
    const char *reference;
};

template <typename Operation> class ElementwiseProgram
{
  public:
    ElementwiseProgram(Program *program, const Elementwise<Operation> &what)
        : program_(program), what_(what),
          host_a_(random_vector<float>(VECTOR_LARGE, program->seed())),
          host_b_(random_vector<float>(VECTOR_LARGE, program->seed() + 1)), a_(host_a_),
          b_(host_b_), separate_(what.is_in_place ? 1 : VECTOR_LARGE)
    {
    }

    /* Vectors of `count` numbers, one of `turns` in each call. */
    void measure(size_t count, size_t turns, const std::string &name)
    {
        Result result;
        std::vector<Variant> variants = {
            {"1 load", [=](int i) { run<1>(count, turns, i); }},
            {"2 loads", [=](int i) { run<2>(count, turns, i); }},
            {"4 loads", [=](int i) { run<4>(count, turns, i); }},
        };

        result.workload = what_.workload;
        result.parameters.set("elements", (uint64_t) count);
        result.parameters.set("tiles", (uint64_t) (count / VECTOR_TILE));
        result.parameters.set("dtype", "fp32");
        result.flops = what_.flops * (double) count;
        result.flops_counter = "fp32_flops";
        result.dram_bytes = 3.0 * sizeof(float) * (double) count;
        result.method = turns > 1
                            ? "one launch between CUDA events, median; calls take "
                              "turns among vectors, which come from DRAM"
                            : "one launch between CUDA events, median";
        result.check.tolerance = what_.tolerance;
        result.check.reference = what_.reference;
        time_variants(&result, variants);
        for (const Variant &variant : variants) {
            check(&result.check, variant, count * turns, turns);
        }
        program_->write(&result, name);
    }

  private:
    float *result_data() const
    {
        return what_.is_in_place ? b_.data() : separate_.data();
    }

    template <int LOADS> void run(size_t count, size_t turns, int call) const
    {
        size_t packs = count / Pack<float>::COUNT;
        size_t offset = (size_t) call % turns * count;

        vector_map<LOADS><<<vector_blocks(packs, LOADS), VECTOR_THREADS>>>(
            a_.data() + offset, b_.data() + offset, result_data() + offset, packs,
            what_.operation);
    }

    /* Fresh data, one call of each turn, and all of the result. */
    void check(Check *check, const Variant &variant, size_t count, size_t turns)
    {
        std::vector<float> values(count);

        if (what_.is_in_place) {
            b_.upload(host_b_.data());
        } else {
            separate_.poison();
        }
        for (size_t i = 0; i < turns; i++) {
            variant.body((int) i);
        }
        GPU_LAUNCHED();
        GPU_TRY(cudaMemcpy(values.data(), result_data(), count * sizeof(float),
                           cudaMemcpyDeviceToHost));
        check_all(check, values.data(), count, [&](size_t i) {
            return what_.operation((double) host_a_[i], (double) host_b_[i]);
        });
    }

    Program *program_;
    Elementwise<Operation> what_;
    std::vector<float> host_a_;
    std::vector<float> host_b_;
    Array<float> a_;
    Array<float> b_;
    Array<float> separate_;
};

/* Large vectors, and vectors of the grid of PCG, as NAME and NAME-grid. */
template <typename Operation>
void measure_elementwise(Program *program, const Elementwise<Operation> &what)
{
    ElementwiseProgram<Operation> vectors(program, what);
    std::string name = what.workload;

    vectors.measure(VECTOR_LARGE, 1, name);
    vectors.measure(VECTOR_GRID, VECTOR_TURNS, name + "-grid");
}

}  // namespace gpu
