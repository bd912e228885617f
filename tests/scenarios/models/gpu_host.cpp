/* Prints, as one JSON object, what the host's side of tools/gpu computes on small
 * grids, for test_gpu_measure.py. usage: gpu_host FOLDER, where a result is written. */
#include <cstdio>

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
    result.workload = "stencil7";
    GRID.describe(&result.parameters);
    result.timing.warmups = 2;
    result.timing.seconds = {1e-3, 2e-3, 4e-3, 5e-3};
    result.iterations = 10;
    result.flops = 7e9;
    result.flops_counter = "fp32_flops";
    result.dram_bytes = 6e9;
    result.cells = 1e9;
    result.check.tolerance = 0.5;
    result.check.reference = "a \"quoted\" text\n";
    result.check.compare(value, 1);
    return gpu::result_write(result, run, "stencil7-large");
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
    object.set("fails", !write_result(argv[1], 2) && !write_result(argv[1], NAN));
    object.set("passes", write_result(argv[1], 1.25));
    std::printf("JSON %s\n", object.text().c_str());
    return 0;
}
