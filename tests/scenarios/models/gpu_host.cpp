/* Prints, as one JSON object, what the host's side of tools/gpu computes on small
 * grids, for test_gpu_measure.py. usage: gpu_host FOLDER, where a result is written. */
#include <cstdio>

#include "tools/gpu/asked.hpp"
#include "tools/gpu/pcg/laplacian_matrix.hpp"
#include "tools/gpu/pcg/reference.hpp"
#include "tools/gpu/result.hpp"
#include "tools/gpu/wave25.hpp"

using gpu::Json;

static const gpu::Grid GRID = {6, 5, 7};

template <typename T> static Json numbers(const std::vector<T> &values)
{
    Json array = Json::array();

    for (T value : values) {
        array.add((double) value);
    }
    return array;
}

/* A x by rows and by slices. */
template <typename T>
static std::vector<double> product_of_rows(const gpu::LaplacianMatrix<T> &matrix,
                                           const std::vector<T> &x)
{
    std::vector<double> y(x.size());

    for (size_t row = 0; row < x.size(); row++) {
        for (int32_t i = matrix.offsets[row]; i < matrix.offsets[row + 1]; i++) {
            y[row] += (double) matrix.values[(size_t) i] *
                      (double) x[(size_t) matrix.columns[(size_t) i]];
        }
    }
    return y;
}

template <typename T>
static std::vector<double> product_of_slices(const gpu::LaplacianMatrix<T> &matrix,
                                             const std::vector<T> &x,
                                             size_t height)
{
    std::vector<double> y(x.size());

    for (size_t row = 0; row < x.size(); row++) {
        size_t i = (size_t) matrix.offsets[row / height] + row % height;

        for (; i < (size_t) matrix.offsets[row / height + 1]; i += height) {
            y[row] += matrix.columns[i] < 0
                          ? 0
                          : (double) matrix.values[i] *
                                (double) x[(size_t) matrix.columns[i]];
        }
    }
    return y;
}

static Json wave(int steps)
{
    std::vector<float> start[2];
    std::vector<double> levels[2];
    double *data[2];

    for (int i = 0; i < 2; i++) {
        start[i] = gpu::random_vector<float>(GRID.cells(), (uint64_t) (1 + i));
        levels[i].assign(start[i].begin(), start[i].end());
        data[i] = levels[i].data();
    }
    gpu::wave_steps(GRID, data, steps);
    return numbers(levels[steps % 2]);
}

static bool write_result(const char *folder, double value)
{
    gpu::Run run;
    gpu::Result result;

    run.folder = folder;
    run.device.name = "NVIDIA H200";
    run.device.chip = gpu::device_chip(run.device.name);
    run.device.clock_hz = 2e9;
    run.copy_bytes_per_second = 4e12;
    run.date = "2026-03-01T12:00:00Z";
    run.commit = "0123456789ab";
    result.workload = "stencil7";
    GRID.describe(&result.parameters);
    result.timing.warmups = 2;
    result.timing.seconds = {1e-3, 2e-3, 4e-3, 5e-3};
    result.iterations = 10;
    result.flops = 7e9;
    result.flops_counter = "fp32_flops";
    result.dram_bytes = 6e9;
    result.cells = 1e9;
    result.clock_seen_hz = 1.5e9;
    result.check.tolerance = 0.5;
    result.check.reference = "a \"quoted\" text\n";
    result.check.compare(value, 1);
    return gpu::result_write(result, run, "stencil7-large");
}

/* What a program makes of its words; empty where they are wrong. */
static std::string asked(const char *size, const char *dtype, const char *iterations)
{
    gpu::Asked asked;
    Json parameters = Json::object();

    if (!gpu::asked_read_size(&asked, size) || !gpu::asked_read_dtype(&asked, dtype) ||
        !gpu::asked_read_iterations(&asked, iterations)) {
        return "";
    }
    gpu::Grid grid = asked.grid(4);

    grid.describe(&parameters);
    return asked.suffix() + " " + std::to_string(grid.nx) + " " + parameters.text();
}

/* A grid with z fastest holds the same numbers. */
static bool is_same_when_turned()
{
    const gpu::Grid turned = {GRID.nz, GRID.nx, GRID.ny, true};
    std::vector<double> one = gpu::random_grid<double>(GRID, 1);
    std::vector<double> other = gpu::random_grid<double>(turned, 1);
    gpu::PcgReference a = gpu::pcg_reference(GRID, one, 8);
    gpu::PcgReference b = gpu::pcg_reference(turned, other, 8);

    return one[1] == other[(size_t) GRID.nz] &&
           std::fabs(a.true_norm - b.true_norm) < 1e-12 * a.norms[0] &&
           std::fabs(a.true_norm - a.norms[8]) < 1e-9 * a.norms[0];
}

static Json asked_all()
{
    Json all = Json::array();

    all.add(asked("512x112x64", "bf16", "3")).add(asked("755x994x1000", "fp32", "1"));
    for (const char *wrong : {"", "5x", "5x6", "0x1x1", "5x6x7x8", "-1x1x1", "axbxc",
                              "16777216x16777216x1", " 5x6x7", "99999999999x1x1"}) {
        all.add(asked(wrong, "fp32", "1"));
    }
    all.add(asked("4x4x4", "fp8", "1")).add(asked("4x4x4", "fp32", "0"));
    return all;
}

int main(int argc, char **argv)
{
    std::vector<float> x = gpu::random_grid<float>(GRID, 1);
    std::vector<double> direct;
    Json object = Json::object();
    Json chips = Json::object();

    if (argc != 2) {
        return 1;
    }
    for (size_t i = 0; i < x.size(); i++) {
        direct.push_back(gpu::laplacian7_at(GRID, x.data(), i));
    }
    for (const char *name :
         {"NVIDIA H200", "NVIDIA A100-SXM4-80GB", "NVIDIA A100-PCIE-40GB",
          "NVIDIA H100 PCIe", "Tesla V100", ""}) {
        chips.set(name, gpu::device_chip(name));
    }
    object.set("random", numbers(gpu::random_vector<double>(100, 3)));
    object.set("grid", numbers(x));
    object.set("direct", numbers(direct));
    object.set("rows", numbers(product_of_rows(gpu::laplacian_rows<float>(GRID), x)));
    object.set("slices",
               numbers(product_of_slices(gpu::laplacian_slices<float>(GRID, 4), x, 4)));
    object.set("nonzeros", (uint64_t) gpu::laplacian_rows<float>(GRID).nonzeros);
    object.set("norms", numbers(gpu::pcg_reference(GRID, x, 8).norms));
    object.set("wave", wave(3));
    object.set("chips", chips);
    object.set("asked", asked_all());
    object.set("turned", is_same_when_turned());
    object.set("fails", !write_result(argv[1], 2) && !write_result(argv[1], NAN));
    object.set("passes", write_result(argv[1], 1.25));
    std::printf("JSON %s\n", object.text().c_str());
    return 0;
}
