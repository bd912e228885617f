/* Measures solvers of one problem, and checks them against double precision. */
#pragma once

#include <cstdio>
#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "tools/gpu/energy.hpp"
#include "tools/gpu/halves.cuh"
#include "tools/gpu/pcg/reference.hpp"
#include "tools/gpu/pcg/solver.cuh"
#include "tools/gpu/program.cuh"
#include "tools/gpu/timer.cuh"

namespace gpu
{

struct PcgProblem {
    Grid grid;
    int iterations;
};

/* Of table 3 of arXiv:2603.23343, and one that a simulator runs in seconds. */
constexpr PcgProblem PCG_TABLE3 = {{512, 112, 64}, 100};
constexpr PcgProblem PCG_SMALL = {{128, 32, 16}, 10};
constexpr PcgProblem PCG_DEMO = {{512, 112, 64}, 3}; /* of tools/run */
constexpr int PCG_WARMUPS = 3;
constexpr int PCG_REPEATS = 30;
constexpr int PCG_COMPONENT_REPEATS = 5;

/* Of norms against double precision, of the first norm: as on a wafer, for FP32.
 * Vectors of 16 bits are rounded in another order than those of the reference. */
template <typename T>
constexpr double PCG_TOLERANCE = sizeof(T) == 2   ? 2e-2
                                 : sizeof(T) == 4 ? 1e-4
                                                  : 1e-10;

/* Makes a solver, whose vectors are in memory only while it is measured. */
template <typename T> using PcgMaker = std::function<std::unique_ptr<PcgSolver<T>>()>;

/* All iterations as one graph. */
class PcgGraph
{
  public:
    template <typename T> explicit PcgGraph(PcgSolver<T> *solver)
    {
        cudaGraph_t graph;

        GPU_TRY(
            cudaStreamBeginCapture(solver->stream(), cudaStreamCaptureModeThreadLocal));
        solver->solve(pcg_run_stage);
        GPU_TRY(cudaStreamEndCapture(solver->stream(), &graph));
        GPU_TRY(cudaGraphInstantiate(&executable_, graph, 0));
        GPU_TRY(cudaGraphDestroy(graph));
    }
    ~PcgGraph()
    {
        cudaGraphExecDestroy(executable_);
    }
    PcgGraph(const PcgGraph &) = delete;
    PcgGraph &operator=(const PcgGraph &) = delete;

    void launch(cudaStream_t stream)
    {
        GPU_TRY(cudaGraphLaunch(executable_, stream));
    }

  private:
    cudaGraphExec_t executable_ = nullptr;
};

template <typename T> class PcgMeasurement
{
  public:
    PcgMeasurement(Program *program, const PcgProblem &problem)
        : program_(program), problem_(problem),
          host_b_(random_grid<T>(problem.grid, program->seed())), b_(host_b_),
          exact_(pcg_reference(problem.grid, host_b_, problem.iterations))
    {
    }

    const Array<T> &b() const
    {
        return b_;
    }

    /* The fastest of several solvers, as CHIP-NAME.json. */
    void measure(const std::vector<PcgMaker<T>> &makers,
                 const std::string &name,
                 const std::string &matrix)
    {
        Json variants = Json::object();
        Result result;
        size_t best = 0;

        set_up(&result, matrix);
        for (size_t i = 0; i < makers.size(); i++) {
            std::unique_ptr<PcgSolver<T>> solver = makers[i]();
            Timing timing = time_solver(solver.get());

            compare(&result.check, *solver);
            variants.set(solver->name(), timing.median());
            std::fprintf(stderr, "  %-52s %10.3f us\n", solver->name().c_str(),
                         1e6 * timing.median() / problem_.iterations);
            if (i == 0 || timing.median() < result.timing.median()) {
                best = i;
                result.timing = timing;
            }
        }
        std::unique_ptr<PcgSolver<T>> solver = makers[best]();

        result.metrics.set("variant", solver->name());
        result.metrics.set("variants", variants);
        finish(&result, solver.get());
        program_->write(&result, name);
    }

  private:
    void set_up(Result *result, const std::string &matrix) const
    {
        result->workload = "pcg";
        problem_.grid.describe(&result->parameters);
        result->parameters.set("dtype", Format<T>::NAME);
        result->parameters.set("iterations", problem_.iterations);
        result->parameters.set("tolerance", 0.0);
        result->parameters.set("matrix", matrix);
        result->iterations = problem_.iterations;
        result->flops_counter = Format<T>::COUNTER;
        result->cells = (double) problem_.grid.cells() * problem_.iterations;
        result->check.tolerance = PCG_TOLERANCE<T>;
        result->check.reference =
            sizeof(T) == 2 ? "PCG in double precision, its vectors rounded to the "
                             "format: each norm of the residual, and the norm of "
                             "b - A x, over the first norm; of all variants"
                           : "PCG in double precision: each norm of the residual, "
                             "and the norm of b - A x, "
                             "over the first norm; of all variants";
    }

    /* Without waiting for the host where that is possible. */
    Timing time_solver(PcgSolver<T> *solver)
    {
        auto reset = [=]() { solver->reset(); };

        if (!solver->is_asynchronous()) {
            return time_on_host(
                PCG_WARMUPS, PCG_REPEATS, [=](int) { solver->solve(pcg_run_stage); },
                reset);
        }
        PcgGraph graph(solver);

        return time_on_device(
            PCG_WARMUPS, PCG_REPEATS, [&](int) { graph.launch(solver->stream()); },
            solver->stream(), reset);
    }

    /* What the last solve left behind. */
    void compare(Check *check, const PcgSolver<T> &solver) const
    {
        std::vector<double> norms = solver.norms();
        double first = exact_.norms[0];

        for (size_t i = 0; i < norms.size(); i++) {
            check->compare(norms[i] / first, exact_.norms[i] / first);
        }
        check->compare(pcg_true_norm(problem_.grid, host_b_, solver.solution()) / first,
                       exact_.true_norm / first);
    }

    static Json numbers(const std::vector<double> &values)
    {
        Json array = Json::array();

        for (double value : values) {
            array.add(value);
        }
        return array;
    }

    /* Everything that is found out of the fastest alone. */
    void finish(Result *result, PcgSolver<T> *solver)
    {
        auto reset = [=]() { solver->reset(); };
        auto solve = [=](int) { solver->solve(pcg_run_stage); };
        double cells = (double) problem_.grid.cells();

        result->flops = solver->flops() * cells * problem_.iterations;
        result->dram_bytes = solver->bytes() * problem_.iterations;
        result->method =
            std::to_string(problem_.iterations) +
            (solver->is_asynchronous()
                 ? " iterations as one CUDA graph between events, median; components "
                   "by events around each kernel in a stream, which cost time: they "
                   "may be more than the whole"
                 : " iterations by the host's clock, median; components by events "
                   "around each operation, which cost time: they may be more than "
                   "the whole; dot products with the way back to the host");
        set_cache(result, *solver);
        result->metrics.set(
            "seconds_host_clock",
            time_on_host(PCG_WARMUPS, PCG_REPEATS, solve, reset).median());
        if (solver->is_asynchronous()) {
            result->metrics.set("seconds_graph", result->timing.median());
            result->metrics.set(
                "seconds_stream",
                time_on_device(PCG_WARMUPS, PCG_REPEATS, solve, solver->stream(), reset)
                    .median());
        }
        set_components(result, solver);
        solver->reset();
        solve(0);
        result->metrics.set("residual_history", numbers(solver->norms()));
        result->metrics.set("residual_history_double", numbers(exact_.norms));
        result->metrics.set("true_residual_norm",
                            pcg_true_norm(problem_.grid, host_b_, solver->solution()));
        result->metrics.set("bytes_per_iteration", solver->bytes());
        Energy energy = energy_of(
            0.5,
            [&]() {
                solver->reset();
                solver->solve(pcg_run_stage);
            },
            []() { GPU_TRY(cudaDeviceSynchronize()); });

        result->energy_joules = energy.joules;
        result->clock_seen_hz = energy.clock_hz;
    }

    /* Vectors are used again and again, and many of their bytes come from the cache. */
    void set_cache(Result *result, const PcgSolver<T> &solver) const
    {
        double l2_bytes = (double) program_->device().l2_bytes;

        result->metrics.set("working_set_bytes", solver.working_set_bytes());
        result->metrics.set("l2_bytes", l2_bytes);
        result->metrics.set(
            "note",
            solver.working_set_bytes() <= l2_bytes
                ? "vectors and matrix fit into L2: dram_bytes is what kernels "
                  "move, and share_of_copy is L2's"
                : "single vectors fit into L2, not all of them with the matrix: "
                  "dram_bytes is what kernels move, part of it from L2");
    }

    /* Seconds of each component in all iterations, by events around each of its parts:
     * in a stream that does not stop, or, as arXiv:2603.23343 does, waiting for each.
     */
    std::map<std::string, double> time_components(PcgSolver<T> *solver, bool is_waiting)
    {
        std::map<std::string, std::vector<double>> seconds;
        std::map<std::string, double> medians;
        std::deque<Stopwatch> watches;

        for (int repeat = 0; repeat <= PCG_COMPONENT_REPEATS; repeat++) {
            std::map<std::string, double> once;
            std::vector<std::string> names;

            solver->reset();
            solver->solve([&](const char *name, const std::function<void()> &part) {
                if (names.size() == watches.size()) {
                    watches.emplace_back(solver->stream());
                }
                Stopwatch *watch = &watches[names.size()];

                names.push_back(name);
                watch->start();
                part();
                watch->stop();
                if (is_waiting) {
                    watch->seconds();
                }
            });
            for (size_t i = 0; i < names.size(); i++) {
                once[names[i]] += watches[i].seconds();
            }
            for (const auto &part : once) {
                if (repeat > 0) { /* the first makes the events */
                    seconds[part.first].push_back(part.second);
                }
            }
        }
        for (auto &part : seconds) {
            std::sort(part.second.begin(), part.second.end());
            medians[part.first] = part.second[part.second.size() / 2];
        }
        return medians;
    }

    /* And what is left of the total. */
    static Json components_object(const std::map<std::string, double> &parts,
                                  double total)
    {
        Json components = Json::object();
        double sum = 0;

        for (const auto &part : parts) {
            components.set(part.first + "_seconds", part.second);
            sum += part.second;
        }
        components.set("sum_seconds", sum);
        components.set("other_seconds", std::max(0.0, total - sum));
        return components;
    }

    void set_components(Result *result, PcgSolver<T> *solver)
    {
        std::map<std::string, double> parts = time_components(solver, false);
        double total = result->timing.median();

        for (const auto &part : parts) {
            result->zones.set(part.first, part.second);
        }
        result->metrics.set("components", components_object(parts, total));
        result->metrics.set("components_waiting",
                            components_object(time_components(solver, true), total));
    }

    Program *program_;
    PcgProblem problem_;
    std::vector<T> host_b_;
    Array<T> b_;
    PcgReference exact_;
};

}  // namespace gpu
