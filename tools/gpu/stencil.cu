/* Box and star stencils in two and three dimensions, with and without fusion, on CUDA
 * cores and on tensor cores: all cases, or the one that options choose. */
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "tools/gpu/device.cuh"
#include "tools/gpu/program.cuh"
#include "tools/gpu/stencil/case.hpp"
#include "tools/gpu/stencil/field.cuh"
#include "tools/gpu/stencil/peak.cuh"
#include "tools/gpu/stencil/weights.hpp"
#include "tools/gpu/timer.cuh"

namespace
{

constexpr int WARMUPS = 3;
constexpr int REPEATS = 15;
constexpr int TRIALS = 3; /* of each plan */
/* Domains that are compared whole, of every kernel: the smaller is smaller than a tile,
 * and neither is a multiple of one. */
constexpr int SMALL_2D[] = {36, 916};
constexpr int SMALL_3D[] = {12, 76};

/* FLOP a cycle and multiprocessor of compute capability 9.0. */
struct Peak {
    const char *counter;
    const char *name;
    double flops;
};

Peak peak_of(const gpu::StencilCase &self)
{
    if (self.unit == gpu::StencilUnit::cuda) {
        return self.is_double ? Peak{"fp64_flops", "CUDA cores, FP64", 128}
                              : Peak{"fp32_flops", "CUDA cores, FP32", 256};
    }
    if (self.unit == gpu::StencilUnit::sparse_tf32_m16n8k8) {
        return Peak{"sparse_tf32_flops", "sparse tensor cores, TF32", 4096};
    }
    return self.is_double ? Peak{"tensor_fp64_flops", "tensor cores, FP64", 256}
                          : Peak{"tensor_tf32_flops", "tensor cores, TF32", 2048};
}

/* Weights as the case's type has them. */
std::vector<double> weights_of(const gpu::StencilCase &self, uint64_t seed)
{
    std::vector<double> weights =
        gpu::stencil_weights(self.is_box, self.dimension, self.radius, seed);

    for (double &weight : weights) {
        weight = self.is_double ? weight : (double) (float) weight;
    }
    return weights;
}

/* A case with its domain on the GPU. */
template <typename T> class Domain
{
  public:
    Domain(const gpu::StencilCase &self, uint64_t seed)
        : self_(self), seed_(seed), in_((size_t) gpu::stencil_case_cells(self)),
          out_(in_.count()), weights_(weights_of(self, seed)),
          applied_(self.unit == gpu::StencilUnit::cuda
                       ? weights_
                       : gpu::stencil_weights_fused(
                             weights_, self.dimension, self.radius, self.fusion))
    {
        gpu::stencil_field_fill(in_.data(), in_.count(), seed);
    }

    /* Gives the FLOP executed; 0: there is no such plan. */
    double enqueue(const gpu::StencilPlan &plan)
    {
        return gpu::stencil_enqueue(
            self_, {in_.data(), out_.data(), applied_.data(), self_.size}, plan);
    }

    /* The fastest of all; false: there is none. */
    bool choose(gpu::StencilPlan *best)
    {
        double least = INFINITY;

        for (const gpu::StencilPlan &plan : gpu::stencil_plans(self_)) {
            if (enqueue(plan) == 0) {
                continue;
            }
            GPU_LAUNCHED();
            double seconds =
                gpu::time_on_device(0, TRIALS, [&](int) { enqueue(plan); }).median();

            if (seconds < least) {
                least = seconds;
                *best = plan;
            }
        }
        return std::isfinite(least);
    }

    /* Runs once more, over an output that nobody wrote. */
    void check(const gpu::StencilPlan &plan, gpu::Check *check)
    {
        std::vector<gpu::StencilWindow> windows = gpu::stencil_windows(self_, seed_);
        std::vector<std::vector<double>> expected;
        double largest = 0;

        for (const gpu::StencilWindow &window : windows) {
            expected.push_back(gpu::stencil_reference(self_, weights_, seed_, window));
            for (double value : expected.back()) {
                largest = std::fmax(largest, std::fabs(value));
            }
        }
        check->tolerance = gpu::stencil_case_tolerance(self_) * largest;
        out_.poison();
        enqueue(plan);
        GPU_LAUNCHED();
        if (gpu::stencil_field_unwritten(out_.data(), out_.count()) != 0) {
            check->compare(NAN, 0);
        }
        for (size_t i = 0; i < windows.size(); i++) {
            std::vector<double> values =
                gpu::stencil_field_window(out_.data(), self_.size, windows[i]);

            for (size_t k = 0; k < values.size(); k++) {
                check->compare(values[k], expected[i][k]);
            }
        }
    }

  private:
    gpu::StencilCase self_;
    uint64_t seed_;
    gpu::Array<T> in_;
    gpu::Array<T> out_;
    std::vector<double> weights_; /* of a step */
    std::vector<double> applied_; /* of what the kernel applies */
};

/* Domains of other sizes, whole, with all kernels that the case has. What is wrong
 * makes the check of the large one fail. */
template <typename T>
void check_small(const gpu::StencilCase &self,
                 int strip,
                 uint64_t seed,
                 gpu::Check *check)
{
    for (int size : self.dimension == 2 ? SMALL_2D : SMALL_3D) {
        gpu::StencilCase small = self;

        small.size = size;
        Domain<T> domain(small, seed + 1);
        gpu::StencilPlan plan;

        for (plan.strip = strip; domain.enqueue(plan) != 0; plan.kernel++) {
            gpu::Check part;

            domain.check(plan, &part);
            if (!part.is_pass()) {
                std::fprintf(stderr, "%s: size %d, kernel %d is wrong: %g of %g\n",
                             gpu::stencil_case_name(self).c_str(), size, plan.kernel,
                             part.max_abs_error, part.tolerance);
                check->compare(NAN, 0);
            }
        }
    }
}

std::string text_of(const gpu::StencilPlan &plan)
{
    return "kernel " + std::to_string(plan.kernel) +
           (plan.strip > 0 ? ", strips of " + std::to_string(plan.strip)
                           : ", strips that all run at a time") +
           (plan.blocks > 0 ? ", at most " + std::to_string(plan.blocks) +
                                  " blocks a multiprocessor"
                            : "");
}

void describe(const gpu::StencilCase &self, gpu::Result *result)
{
    gpu::Json &parameters = result->parameters;

    parameters.set("shape", self.is_box ? "box" : "star");
    parameters.set("dim", self.dimension);
    parameters.set("radius", self.radius);
    parameters.set("fusion", self.fusion);
    parameters.set("dtype", self.is_double ? "double" : "float");
    parameters.set("unit", gpu::stencil_case_unit(self));
    parameters.set("mma", gpu::stencil_case_mma(self));
    parameters.set("size", self.size);
    result->workload = "stencil";
    result->iterations = (uint64_t) self.fusion;
    result->flops = gpu::stencil_case_flops(self);
    result->dram_bytes = gpu::stencil_case_bytes(self);
    result->cells = gpu::stencil_case_cells(self) * self.fusion;
    result->method =
        self.unit == gpu::StencilUnit::cuda
            ? "one pass between CUDA events, median; the steps of a pass follow each "
              "other on chip; periodic domain, random weights"
            : "one pass between CUDA events, median; a pass applies the stencil "
              "convolved with itself as banded matrices; periodic domain, random "
              "weights";
    result->check.reference =
        "each step in double precision: windows of this domain, and two small domains "
        "whole; every point is written";
}

/* Rates, and what bounds them by the measured copy and the unit's peak. */
void add_rates(const gpu::StencilCase &self, gpu::Program *program, gpu::Result *result)
{
    const Peak peak = peak_of(self);
    const double seconds = result->timing.median();
    const double copy = program->copy_bytes_per_second();
    const double limit =
        peak.flops * program->device().multiprocessors * program->device().clock_hz;
    const double by_memory = result->dram_bytes / copy;
    const double by_unit = result->unit_flops / limit;
    const double bound = std::fmax(by_memory, by_unit);

    result->flops_counter = peak.counter;
    result->roofs.push_back({peak.name, "FLOP per second", limit,
                             result->unit_flops / seconds,
                             "FLOP a cycle of compute capability 9.0, multiprocessors, "
                             "clock_hz"});
    result->metrics.set("points", gpu::stencil_case_points(self));
    result->metrics.set("boundary", "periodic");
    result->metrics.set("gstencils_per_second", 1e-9 * result->cells / seconds);
    result->metrics.set("executed_flops", result->unit_flops);
    result->metrics.set("useful_share", result->flops / result->unit_flops);
    result->metrics.set("share_of_peak", by_unit / seconds);
    result->metrics.set("measured_peak_flops_per_second", gpu::stencil_peak(self));
    result->metrics.set("share_of_measured_peak",
                        result->unit_flops / seconds / gpu::stencil_peak(self));
    result->metrics.set("model_bound", by_memory >= by_unit ? "memory" : "compute");
    result->metrics.set("model_gstencils_per_second", 1e-9 * result->cells / bound);
    result->metrics.set("share_of_model", bound / seconds);
}

/* False: there is no such kernel. */
template <typename T> bool measure(const gpu::StencilCase &self, gpu::Program *program)
{
    gpu::Result result;
    gpu::StencilPlan plan;

    describe(self, &result);
    {
        Domain<T> domain(self, program->seed());

        if (!domain.choose(&plan)) {
            return false;
        }
        result.unit_flops = domain.enqueue(plan);
        result.timing =
            gpu::time_on_device(WARMUPS, REPEATS, [&](int) { domain.enqueue(plan); });
        domain.check(plan, &result.check);
    }
    result.metrics.set("variant", text_of(plan));
    check_small<T>(self, plan.strip, program->seed(), &result.check);
    add_rates(self, program, &result);
    program->write(&result, gpu::stencil_case_name(self));
    std::printf("    %8.1f GStencils/s, %5.1f %% of peak, %5.1f %% of what the "
                "instruction reaches, %4.1f %% useful; %s\n",
                1e-9 * result.cells / result.timing.median(),
                100 * result.roofs[0].achieved / result.roofs[0].value,
                100 * result.roofs[0].achieved / gpu::stencil_peak(self),
                100 * result.flops / result.unit_flops, text_of(plan).c_str());
    return true;
}

}  // namespace

int main(int argc, char **argv)
{
    std::vector<std::string> words(argv + 1, argv + argc);
    std::vector<char *> rest = {argv[0]};
    gpu::StencilCase chosen;
    std::string wrong;
    std::vector<gpu::StencilCase> cases = gpu::stencil_cases();

    if (gpu::stencil_case_parse(&words, &chosen, &wrong)) {
        cases = {chosen};
    }
    if (!wrong.empty()) {
        std::fprintf(stderr, "%s: %s\n", argv[0], wrong.c_str());
        return 1;
    }
    for (std::string &word : words) {
        rest.push_back(word.data());
    }
    gpu::Program program((int) rest.size(), rest.data());

    for (const gpu::StencilCase &self : cases) {
        if (!(self.is_double ? measure<double>(self, &program)
                             : measure<float>(self, &program))) {
            std::fprintf(
                stderr,
                "%s: there is no kernel for %s; radii are 1, 3 and 7, more than "
                "one step only of radius 1\n",
                argv[0], gpu::stencil_case_name(self).c_str());
            return 1;
        }
    }
    return program.exit_code();
}
