/* Measures copies of 4 GiB within the memory of the GPU. */
#include "tools/gpu/copying.cuh"
#include "tools/gpu/program.cuh"

namespace
{

constexpr size_t BYTES = (size_t) 4 << 30;
constexpr int WARMUPS = 5;
constexpr int REPEATS = 40;

}  // namespace

int main(int argc, char **argv)
{
    gpu::Program program(argc, argv);
    std::vector<gpu::Copying> ways = gpu::copy_all_ways(BYTES, WARMUPS, REPEATS);
    gpu::Json variants = gpu::Json::object();
    gpu::Result result;

    result.workload = "copy";
    result.parameters.set("bytes", (uint64_t) BYTES);
    result.timing = ways[0].timing;
    result.dram_bytes = 2.0 * (double) BYTES;
    result.check.tolerance = 0;
    result.check.reference = "what was copied, every byte, after each way of copying";
    for (const gpu::Copying &way : ways) {
        variants.set(way.name, gpu::copy_rate(way, BYTES));
        result.check.compare(way.is_exact ? 0 : 1, 0);
    }
    result.metrics.set("variant", ways[0].name);
    result.metrics.set("variants", variants);
    result.method =
        "the fastest of several copy kernels and cudaMemcpy, bytes read and "
        "bytes written, random data, CUDA events, median";
    program.set_copy_bytes_per_second(gpu::copy_rate(ways[0], BYTES));
    program.write(&result, "copy");
    return program.exit_code();
}
