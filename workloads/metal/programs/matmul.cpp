// C = A B on a grid of cores. Each core computes a block of C. A and C lie in blocks in
// the cores' L1, B in DRAM; blocks of A are sent along rows of cores, those of B along
// columns. C is of BF16. Words: m k n dtype fidelity rows cols.
#include <tt-metalium/bfloat16.hpp>
#include <tt-metalium/bfloat4.hpp>
#include <tt-metalium/bfloat8.hpp>
#include <tt-metalium/distributed.hpp>
#include <tt-metalium/host_api.hpp>
#include <tt-metalium/tensor_accessor_args.hpp>
#include <tt-metalium/tilize_utils.hpp>

#include "kernels/matmul_layout.hpp"
#include "numbers.hpp"

using namespace tt;
using namespace tt::tt_metal;

namespace
{

using Buffer = std::shared_ptr<distributed::MeshBuffer>;

// Packers cannot add to numbers that share exponents.
constexpr DataFormat FORMAT_OF_C = DataFormat::Float16_b;

struct Setting {
    std::uint32_t m, k, n;  // elements
    DataFormat format;      // of A and B
    MathFidelity fidelity;
    CoreCoord grid;

    std::uint32_t rows() const
    {
        return m / 32 / grid.y;
    }  // tiles of a core
    std::uint32_t columns() const
    {
        return n / 32 / grid.x;
    }  // tiles of a core
    std::uint32_t shard() const
    {
        return k / 32 / grid.x;
    }  // columns of A's
};

void check_sizes(const Setting &set)
{
    TT_FATAL(set.m > 0 && set.k > 0 && set.n > 0 && set.m % (32 * set.grid.y) == 0 &&
                 set.n % (32 * set.grid.x) == 0 && set.k % (32 * set.grid.x) == 0,
             "{} x {} x {} does not divide into tiles on {} x {} cores", set.m, set.k,
             set.n, set.grid.x, set.grid.y);
}

// The most tiles along K that a step may have: A's and B's blocks are in L1 twice.
std::uint32_t depth_of(const Setting &set)
{
    constexpr std::uint64_t l1_bytes = 1393472;
    const std::uint64_t bytes = tile_size(set.format);
    const std::uint64_t kept =
        set.rows() * (set.shard() * bytes + set.columns() * tile_size(FORMAT_OF_C));
    std::uint32_t depth = set.shard();

    while (depth > 1 &&
           (set.shard() % depth != 0 ||
            kept + 2 * depth * (set.rows() + set.columns()) * bytes > l1_bytes)) {
        --depth;
    }
    return depth;
}

// Rows and columns of the largest part of a block that fits into half of Dst. It has
// one row, as tt-metal's products have whose result stays in blocks in L1.
std::pair<std::uint32_t, std::uint32_t> subblock_of(const Setting &set)
{
    std::uint32_t wide = 8;

    while (set.columns() % wide != 0) {
        --wide;
    }
    return {1, wide};
}

Buffer in_l1(const Setting &set,
             distributed::MeshDevice &mesh,
             std::uint32_t rows,
             std::uint32_t columns,
             DataFormat format)
{
    const std::uint32_t bytes = tile_size(format);
    const auto high = static_cast<std::uint32_t>(set.grid.y);
    const auto wide = static_cast<std::uint32_t>(set.grid.x);
    const ShardSpecBuffer shards(CoreRange({0, 0}, {set.grid.x - 1, set.grid.y - 1}),
                                 {32 * rows, 32 * columns}, ShardOrientation::ROW_MAJOR,
                                 {32, 32}, {rows * high, columns * wide});

    return distributed::MeshBuffer::create(
        distributed::ReplicatedBufferConfig{.size = DeviceAddr(rows) * columns * high *
                                                    wide * bytes},
        {.page_size = bytes,
         .buffer_type = BufferType::L1,
         .sharding_args =
             BufferShardingArgs(shards, TensorMemoryLayout::BLOCK_SHARDED)},
        &mesh);
}

Buffer in_dram(const Setting &set, distributed::MeshDevice &mesh)
{
    const std::uint32_t bytes = tile_size(set.format);

    return distributed::MeshBuffer::create(
        distributed::ReplicatedBufferConfig{.size = DeviceAddr(set.k) / 32 *
                                                    (set.n / 32) * bytes},
        {.page_size = bytes, .buffer_type = BufferType::DRAM}, &mesh);
}

void add_buffer(Program &program,
                const Setting &set,
                std::uint32_t index,
                std::uint32_t tiles,
                const distributed::MeshBuffer *where = nullptr)
{
    const DataFormat format = where == nullptr ? set.format : FORMAT_OF_C;
    const std::uint32_t bytes = tile_size(format);
    CircularBufferConfig config(tiles * bytes,
                                {{static_cast<std::uint8_t>(index), format}});

    config.set_page_size(index, bytes);
    if (where != nullptr) {
        config.set_globally_allocated_address(*where->get_backing_buffer());
    }
    CreateCircularBuffer(program, CoreRange({0, 0}, {set.grid.x - 1, set.grid.y - 1}),
                         config);
}

std::vector<std::uint32_t> compile_args_of(const Setting &set)
{
    const std::uint32_t depth = depth_of(set);
    const auto [high, wide] = subblock_of(set);

    fmt::print("blocks {} x {} tiles, steps of {} along K, {} x {} tiles in Dst\n",
               set.rows(), set.columns(), depth, high, wide);
    return {set.rows(),
            set.columns(),
            depth,
            set.k / 32 / depth,
            set.shard() / depth,
            high,
            wide,
            static_cast<std::uint32_t>(set.grid.x),
            static_cast<std::uint32_t>(set.grid.y)};
}

Program build(const Setting &set,
              distributed::MeshDevice &mesh,
              const Buffer &a,
              const Buffer &b,
              const Buffer &c)
{
    const CoreRange cores({0, 0}, {set.grid.x - 1, set.grid.y - 1});
    const std::vector<std::uint32_t> args = compile_args_of(set);
    std::vector<std::uint32_t> args_of_b = args;
    const std::uint32_t depth = args[matmul::DEPTH];
    const CoreCoord first = mesh.worker_core_from_logical_core({0, 0});
    Program program = CreateProgram();

    add_buffer(program, set, matmul::CB_IN0, 2 * set.rows() * depth);
    add_buffer(program, set, matmul::CB_IN1, 2 * depth * set.columns());
    add_buffer(program, set, matmul::CB_OUT, set.rows() * set.columns(), c.get());
    for (std::uint32_t i = 0; i < matmul::SEMAPHORES; ++i) {
        CreateSemaphore(program, cores, 0);
    }
    TensorAccessorArgs(*b).append_to(args_of_b);
    // NoC 0 is for B: its answers leave the columns of DRAM at once.
    const KernelHandle in0 =
        CreateKernel(program, "kernels/matmul_in0.cpp", cores,
                     DataMovementConfig{.processor = DataMovementProcessor::RISCV_1,
                                        .noc = NOC::NOC_1,
                                        .compile_args = args});
    const KernelHandle in1 =
        CreateKernel(program, "kernels/matmul_in1.cpp", cores,
                     DataMovementConfig{.processor = DataMovementProcessor::RISCV_0,
                                        .noc = NOC::NOC_0,
                                        .compile_args = args_of_b});
    CreateKernel(program, "kernels/matmul_compute.cpp", cores,
                 ComputeConfig{.math_fidelity = set.fidelity, .compile_args = args});
    for (const CoreCoord &core : cores) {
        const CoreCoord place = mesh.worker_core_from_logical_core(core);

        SetRuntimeArgs(program, in0, core,
                       {static_cast<std::uint32_t>(a->address()),
                        static_cast<std::uint32_t>(first.x),
                        static_cast<std::uint32_t>(core.x),
                        static_cast<std::uint32_t>(place.y)});
        SetRuntimeArgs(program, in1, core,
                       {static_cast<std::uint32_t>(b->address()),
                        static_cast<std::uint32_t>(place.x),
                        static_cast<std::uint32_t>(first.y),
                        static_cast<std::uint32_t>(core.x) * set.columns()});
    }
    return program;
}

// A matrix of rows as the chip has it.
std::vector<std::uint32_t> tiles_of(const std::vector<float> &matrix,
                                    std::uint32_t rows,
                                    std::uint32_t columns,
                                    DataFormat format)
{
    const std::vector<float> tiled = tilize_nfaces(matrix, rows, columns);

    if (format == DataFormat::Bfp8_b) {
        return pack_fp32_vec_as_bfp8_tiles(tiled, false, false);
    }
    if (format == DataFormat::Bfp4_b) {
        return pack_fp32_vec_as_bfp4_tiles(tiled, false, false);
    }
    return packed(tiled, format);
}

// Row `row` of the product, in double precision.
std::vector<double> reference_row(const Setting &set,
                                  const std::vector<float> &a,
                                  const std::vector<float> &b,
                                  std::size_t row)
{
    std::vector<double> sums(set.n);

    for (std::size_t k = 0; k < set.k; ++k) {
        const double factor = a[row * set.k + k];

        for (std::size_t j = 0; j < set.n; ++j) {
            sums[j] += factor * b[k * set.n + j];
        }
    }
    return sums;
}

// Compares 16 rows or more, spread over all, with double precision.
bool check(const Setting &set,
           const std::vector<float> &a,
           const std::vector<float> &b,
           const std::vector<float> &c)
{
    const bool is_exact =
        set.format == DataFormat::Float16_b && set.fidelity != MathFidelity::LoFi;
    const double least = is_exact ? 0.999 : 0.97;
    double count = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0, worst = 0;

    for (std::size_t i = 0; i < 16; ++i) {
        const std::size_t row = i * set.m / 16 + i * 7 % 32;
        const std::vector<double> sums = reference_row(set, a, b, row);

        for (std::size_t j = 0; j < set.n; ++j) {
            const double value = c[row * set.n + j];

            count += 1;
            x += sums[j];
            y += value;
            xx += sums[j] * sums[j];
            yy += value * value;
            xy += sums[j] * value;
            worst = std::max(worst, std::fabs(value - sums[j]));
        }
    }
    const double correlation =
        (count * xy - x * y) / std::sqrt((count * xx - x * x) * (count * yy - y * y));
    fmt::print("PCC {:.6f}, largest error {:.4f} of a deviation of {:.4f}\n",
               correlation, worst, std::sqrt(xx / count));
    return correlation > least;
}

bool run(const Setting &set, distributed::MeshDevice &mesh)
{
    distributed::MeshCommandQueue &queue = mesh.mesh_command_queue();
    const std::vector<float> a =
        random_numbers(std::size_t(set.m) * set.k, 1, DataFormat::Float16_b);
    const std::vector<float> b =
        random_numbers(std::size_t(set.k) * set.n, 2, DataFormat::Float16_b);
    const Buffer in0 = in_l1(set, mesh, set.rows(), set.shard(), set.format);
    const Buffer in1 = in_dram(set, mesh);
    const Buffer out = in_l1(set, mesh, set.rows(), set.columns(), FORMAT_OF_C);
    distributed::MeshWorkload workload;
    std::vector<std::uint32_t> result;
    auto words = tiles_of(a, set.m, set.k, set.format);

    distributed::EnqueueWriteMeshBuffer(queue, in0, words, false);
    words = tiles_of(b, set.k, set.n, set.format);
    distributed::EnqueueWriteMeshBuffer(queue, in1, words, false);
    workload.add_program(distributed::MeshCoordinateRange(mesh.shape()),
                         build(set, mesh, in0, in1, out));
    distributed::EnqueueMeshWorkload(queue, workload, false);
    distributed::EnqueueReadMeshBuffer(queue, result, out, true);
    return check(set, a, b,
                 untilize_nfaces(unpacked(result, FORMAT_OF_C), set.m, set.n));
}

template <typename T>
T chosen(const std::map<std::string, T> &values, const std::string &name)
{
    const auto found = values.find(name);

    TT_FATAL(found != values.end(), "there is no {}", name);
    return found->second;
}

}  // namespace

int main(int argc, char **argv)
{
    const Words words(argc, argv,
                      {{"m", "512"},
                       {"k", "512"},
                       {"n", "512"},
                       {"dtype", "bf16"},
                       {"fidelity", "hifi4"},
                       {"rows", "8"},
                       {"cols", "8"}});
    const Setting set{.m = words.number("m"),
                      .k = words.number("k"),
                      .n = words.number("n"),
                      .format = chosen<DataFormat>({{"bf16", DataFormat::Float16_b},
                                                    {"bfp8", DataFormat::Bfp8_b},
                                                    {"bfp4", DataFormat::Bfp4_b}},
                                                   words["dtype"]),
                      .fidelity = chosen<MathFidelity>({{"lofi", MathFidelity::LoFi},
                                                        {"hifi2", MathFidelity::HiFi2},
                                                        {"hifi3", MathFidelity::HiFi3},
                                                        {"hifi4", MathFidelity::HiFi4}},
                                                       words["fidelity"]),
                      .grid = {words.number("cols"), words.number("rows")}};

    check_sizes(set);
    auto mesh = distributed::MeshDevice::create_unit_mesh(0);
    const bool is_right = run(set, *mesh);
    fmt::print("{}\n", is_right ? "Test Passed" : "Test FAILED");
    mesh->close();
    return is_right ? 0 : 1;
}
