// Small programs, one a word of the command line: each does what one of tt-metal's
// examples does, and judges its result.
#include <tt-metalium/bfloat16.hpp>
#include <tt-metalium/distributed.hpp>
#include <tt-metalium/experimental/metal2_host_api/program.hpp>
#include <tt-metalium/experimental/realtime_profiler.hpp>
#include <tt-metalium/host_api.hpp>
#include <tt-metalium/tensor_accessor_args.hpp>
#include <tt-metalium/tilize_utils.hpp>
#include <tt-metalium/tt_metal.hpp>
#include <tt-metalium/work_split.hpp>

using namespace tt;
using namespace tt::tt_metal;

namespace
{

using Mesh = std::shared_ptr<distributed::MeshDevice>;
using MeshTiles = std::shared_ptr<distributed::MeshBuffer>;
using Numbers = std::vector<bfloat16>;
using Words = std::vector<std::uint32_t>;

constexpr std::uint32_t tile_bytes = 2048;
constexpr std::uint32_t tile_numbers = 1024;
constexpr CoreCoord first_core = {0, 0};

MeshTiles pages(const Mesh &mesh,
                std::uint32_t count,
                std::uint32_t bytes = tile_bytes,
                BufferType type = BufferType::DRAM)
{
    return distributed::MeshBuffer::create(
        distributed::ReplicatedBufferConfig{.size = count * bytes},
        {.page_size = bytes, .buffer_type = type}, mesh.get());
}

Words accessors(Words words, std::initializer_list<MeshTiles> tensors)
{
    for (const MeshTiles &tensor : tensors) {
        TensorAccessorArgs(*tensor).append_to(words);
    }
    return words;
}

void add_buffer(Program &program,
                const CoreRangeSet &cores,
                std::uint32_t index,
                std::uint32_t tiles,
                DataFormat format = DataFormat::Float16_b)
{
    CreateCircularBuffer(program, cores,
                         CircularBufferConfig(tiles * tile_bytes, {{index, format}})
                             .set_page_size(index, tile_bytes));
}

void launch(const Mesh &mesh, Program program)
{
    distributed::MeshWorkload workload;

    workload.add_program(distributed::MeshCoordinateRange(mesh->shape()),
                         std::move(program));
    distributed::EnqueueMeshWorkload(mesh->mesh_command_queue(), workload, false);
}

Numbers numbers(std::uint32_t tiles, std::uint32_t step)
{
    Numbers all(tiles * tile_numbers);

    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i] = bfloat16(static_cast<float>(i * step % 16) - 4.0F);
    }
    return all;
}

template <typename T> std::vector<T> read(const Mesh &mesh, const MeshTiles &from)
{
    std::vector<T> all;

    distributed::EnqueueReadMeshBuffer(mesh->mesh_command_queue(), all, from, true);
    return all;
}

void write(const Mesh &mesh, const MeshTiles &to, auto data)
{
    distributed::EnqueueWriteMeshBuffer(mesh->mesh_command_queue(), to, data, false);
}

// The largest difference of results and what `right` says they are.
template <typename Right> float error(const Numbers &results, Right right)
{
    float most = results.empty() ? 1.0F : 0.0F;

    for (std::size_t i = 0; i < results.size(); ++i) {
        most = std::max(most, std::abs(static_cast<float>(results[i]) - right(i)));
    }
    return most;
}

std::map<std::string, std::string> operation(const std::string &name)
{
    return {{"OPERATION", name}, {"OPERATION_INIT", name + "_init"}};
}

bool copy(const Mesh &mesh)
{
    const MeshTiles from = pages(mesh, 5);
    const MeshTiles to = pages(mesh, 5);
    const MeshTiles between = pages(mesh, 1, tile_bytes, BufferType::L1);
    const Words sent = create_random_vector_of_bfloat16(5 * tile_bytes, 100, 7);
    Program program = CreateProgram();
    const KernelHandle kernel =
        CreateKernel(program, "kernels/page_copy.cpp", first_core,
                     DataMovementConfig{.processor = DataMovementProcessor::RISCV_0,
                                        .noc = NOC::RISCV_0_default,
                                        .compile_args = accessors({}, {from, to})});

    write(mesh, from, sent);
    SetRuntimeArgs(program, kernel, first_core,
                   {between->address(), from->address(), to->address(), 5});
    launch(mesh, std::move(program));
    return read<std::uint32_t>(mesh, to) == sent;
}

bool greet(const Mesh &mesh)
{
    Program program = CreateProgram();

    add_buffer(program, CoreRange({1, 2}, {1, 2}), 0, 1);
    for (const auto processor :
         {DataMovementProcessor::RISCV_0, DataMovementProcessor::RISCV_1}) {
        const KernelHandle mover =
            CreateKernel(program, "kernels/greeting.cpp", CoreCoord(1, 2),
                         DataMovementConfig{.processor = processor,
                                            .noc = static_cast<NOC>(processor)});
        SetCommonRuntimeArgs(program, mover, {5});
    }
    const KernelHandle compute =
        CreateKernel(program, "kernels/greeting.cpp", CoreCoord(1, 2), ComputeConfig{});
    SetRuntimeArgs(program, compute, CoreCoord(1, 2), {9});
    launch(mesh, std::move(program));
    distributed::Finish(mesh->mesh_command_queue());
    return true;
}

// Two integers in pages of four bytes, added by a data mover.
bool words(const Mesh &mesh)
{
    const MeshTiles in = pages(mesh, 2, 4);
    const MeshTiles out = pages(mesh, 1, 4);
    Program program = CreateProgram();

    CreateCircularBuffer(program, first_core,
                         CircularBufferConfig(64, {{CBIndex::c_0, DataFormat::UInt32}})
                             .set_page_size(CBIndex::c_0, 4));
    const KernelHandle kernel = CreateKernelFromString(
        program,
        "void kernel_main() {\n"
        "    constexpr auto in_args = TensorAccessorArgs<0>();\n"
        "    constexpr auto out_args = "
        "TensorAccessorArgs<in_args.next_compile_time_args_offset()>();\n"
        "    const auto in = TensorAccessor(in_args, get_arg_val<uint32_t>(0));\n"
        "    const auto out = TensorAccessor(out_args, get_arg_val<uint32_t>(1));\n"
        "    const uint32_t a = get_write_ptr(0), b = a + 32;\n"
        "    noc_async_read(in.get_noc_addr(0), a, 4);\n"
        "    noc_async_read(in.get_noc_addr(1), b, 4);\n"
        "    noc_async_read_barrier();\n"
        "    auto sum = reinterpret_cast<volatile tt_l1_ptr uint32_t *>(a);\n"
        "    *sum = ckernel::load_blocking(sum) + ckernel::load_blocking(sum + 8);\n"
        "    noc_async_write(a, out.get_noc_addr(0), 4);\n"
        "    noc_async_write_barrier();\n"
        "}\n",
        first_core, DataMovementConfig{.compile_args = accessors({}, {in, out})});

    write(mesh, in, Words{30, 12});
    SetRuntimeArgs(program, kernel, first_core, {in->address(), out->address()});
    launch(mesh, std::move(program));
    return read<std::uint32_t>(mesh, out) == Words{42};
}

// The API from before meshes: a device, buffers and programs of its own.
bool old(const Mesh &mesh)
{
    Device *device = CreateDevice(0);
    CommandQueue &queue = device->command_queue();
    const InterleavedBufferConfig tile{.device = device,
                                       .size = tile_bytes,
                                       .page_size = tile_bytes,
                                       .buffer_type = BufferType::DRAM};
    const auto a = CreateBuffer(tile);
    const auto b = CreateBuffer(tile);
    const auto c = CreateBuffer(tile);
    Program program = CreateProgram();
    Words result;

    for (const std::uint32_t index : {0U, 1U, 16U}) {
        add_buffer(program, CoreRange(first_core, first_core), index, 1);
    }
    const KernelHandle reader =
        CreateKernel(program, "kernels/old_reader.cpp", first_core,
                     DataMovementConfig{.processor = DataMovementProcessor::RISCV_1,
                                        .noc = NOC::RISCV_1_default});
    Words accessor;
    TensorAccessorArgs(*c).append_to(accessor);
    const KernelHandle writer =
        CreateKernel(program, "kernels/tile_writer.cpp", first_core,
                     DataMovementConfig{.compile_args = accessor});
    auto defines = operation("add_tiles");
    defines["PEEK"] = "1";
    const KernelHandle compute = CreateKernel(program, "kernels/pair.cpp", first_core,
                                              ComputeConfig{.defines = defines});
    const CoreCoord bank = b->noc_coordinates();
    SetRuntimeArgs(program, reader, first_core,
                   {a->address(), b->address(), static_cast<std::uint32_t>(bank.x),
                    static_cast<std::uint32_t>(bank.y)});
    SetRuntimeArgs(program, writer, first_core, {c->address(), 0, 1});
    SetRuntimeArgs(program, compute, first_core, {1});
    EnqueueWriteBuffer(queue, a, create_constant_vector_of_bfloat16(tile_bytes, 14.0F),
                       false);
    detail::WriteToBuffer(b, create_constant_vector_of_bfloat16(tile_bytes, 8.0F));
    EnqueueProgram(queue, program, true);
    EnqueueReadBuffer(queue, c, result, true);
    (void) mesh;
    return result == create_constant_vector_of_bfloat16(tile_bytes, 22.0F) &&
           CloseDevice(device);
}

// A program for `tiles` pairs, on as many cores as the grid gives.
Program pairs(const std::array<MeshTiles, 3> &tensors,
              const CoreCoord &grid,
              std::uint32_t tiles,
              const std::string &name)
{
    const auto [count, all, more, fewer, most, least] =
        split_work_to_cores(grid, tiles);
    const auto cores = corerange_to_cores(all, count);
    Program program = CreateProgram();
    std::vector<Words> reader_words;
    std::uint32_t first = 0;

    for (const std::uint32_t index : {0U, 1U, 16U}) {
        add_buffer(program, all, index, 2);
    }
    ReaderDataMovementConfig reader_config(accessors({}, {tensors[0], tensors[1]}));
    reader_config.named_compile_args = {{"a", 0}, {"b", 1}};
    const KernelHandle reader =
        CreateKernel(program, "kernels/pair_reader.cpp", all, reader_config);
    const KernelHandle writer =
        CreateKernel(program, "kernels/tile_writer.cpp", all,
                     WriterDataMovementConfig(accessors({}, {tensors[2]})));
    const KernelHandle compute = CreateKernel(
        program, "kernels/pair.cpp", all, ComputeConfig{.defines = operation(name)});
    for (const CoreCoord &core : cores) {
        const std::uint32_t share = more.contains(core) ? most : least;
        reader_words.push_back({first, share});
        SetRuntimeArgs(program, writer, core, {tensors[2]->address(), first, share});
        SetRuntimeArgs(program, compute, core, {share});
        first += share;
    }
    SetRuntimeArgs(program, reader, cores, reader_words);
    SetCommonRuntimeArgs(program, reader,
                         Words{tensors[0]->address(), tensors[1]->address()});
    return program;
}

bool combine(const Mesh &mesh,
             const CoreCoord &grid,
             const std::string &name,
             float sign)
{
    constexpr std::uint32_t tiles = 7;
    const std::array<MeshTiles, 3> tensors{pages(mesh, tiles), pages(mesh, tiles),
                                           pages(mesh, tiles)};
    const Numbers a = numbers(tiles, 3);
    const Numbers b = numbers(tiles, 5);

    write(mesh, tensors[0], a);
    write(mesh, tensors[1], b);
    launch(mesh, pairs(tensors, grid, tiles, name));
    return error(read<bfloat16>(mesh, tensors[2]), [&](std::size_t i) {
               return static_cast<float>(a[i]) + sign * static_cast<float>(b[i]);
           }) == 0;
}

bool pair_on_a_core(const Mesh &mesh)
{
    return combine(mesh, {1, 1}, "sub_tiles", -1);
}

bool pair_on_a_grid(const Mesh &mesh)
{
    return combine(mesh, {2, 2}, "add_tiles", 1);
}

// A tile goes from a core to the next, or to three at once.
bool hand_over(const Mesh &mesh, bool is_multicast)
{
    const std::uint32_t receivers = is_multicast ? 3 : 1;
    const CoreRange all(first_core, {receivers, 0});
    const CoreRange others({1, 0}, {receivers, 0});
    const MeshTiles in = pages(mesh, 1);
    const MeshTiles out = pages(mesh, receivers);
    const CoreCoord sender_place = mesh->worker_core_from_logical_core(first_core);
    const CoreCoord first = mesh->worker_core_from_logical_core({1, 0});
    const CoreCoord last = mesh->worker_core_from_logical_core({receivers, 0});
    std::vector<std::uint16_t> sent(tile_numbers);
    Program program = CreateProgram();

    std::iota(sent.begin(), sent.end(), std::uint16_t{3});
    write(mesh, in, sent);
    add_buffer(program, all, 0, 1, DataFormat::UInt16);
    CreateSemaphore(program, all, 0);
    CreateSemaphore(program, all, 0);
    const KernelHandle sender = CreateKernel(
        program, "kernels/tile_sender.cpp", first_core,
        ReaderDataMovementConfig(
            accessors({}, {in}),
            is_multicast ? std::map<std::string, std::string>{{"MULTICAST", "1"}}
                         : std::map<std::string, std::string>{}));
    const KernelHandle receiver =
        CreateKernel(program, "kernels/tile_receiver.cpp", others,
                     WriterDataMovementConfig(accessors({}, {out})));
    SetRuntimeArgs(program, sender, first_core,
                   {in->address(), first.x, first.y, last.x, receivers});
    for (std::uint32_t i = 0; i < receivers; ++i) {
        SetRuntimeArgs(program, receiver, CoreCoord(i + 1, 0),
                       {out->address(), i, sender_place.x, sender_place.y});
    }
    launch(mesh, std::move(program));
    const auto got = read<std::uint16_t>(mesh, out);
    for (std::size_t i = 0; i < got.size(); ++i) {
        if (got[i] != sent[i % tile_numbers]) {
            return false;
        }
    }
    return got.size() == receivers * tile_numbers;
}

bool transfer(const Mesh &mesh)
{
    return hand_over(mesh, false);
}

bool multicast(const Mesh &mesh)
{
    return hand_over(mesh, true);
}

// Products of matrices whose numbers are small, so that all sums are exact.
struct Factors {
    std::uint32_t rows;
    std::uint32_t inner;
    std::uint32_t columns;  // all in tiles
    Numbers a;
    Numbers b;
    MeshTiles in_a;
    MeshTiles in_b;
    MeshTiles out;

    Factors(const Mesh &mesh, std::uint32_t m, std::uint32_t k, std::uint32_t n)
        : rows(m), inner(k), columns(n), a(m * k * tile_numbers),
          b(k * n * tile_numbers), in_a(pages(mesh, m * k)), in_b(pages(mesh, k * n)),
          out(pages(mesh, m * n))
    {
        for (std::size_t i = 0; i < a.size(); ++i) {
            a[i] = bfloat16(i % 7 == 0 ? 1.0F : 0.0F);
        }
        for (std::size_t i = 0; i < b.size(); ++i) {
            b[i] = bfloat16(static_cast<float>(i % 3));
        }
        write(mesh, in_a, tilize_nfaces(a, 32 * m, 32 * k));
        write(mesh, in_b, tilize_nfaces(b, 32 * k, 32 * n));
    }

    bool is_product(const Mesh &mesh) const
    {
        const Numbers c =
            untilize_nfaces(read<bfloat16>(mesh, out), 32 * rows, 32 * columns);

        return error(c, [&](std::size_t i) {
                   const std::size_t row = i / (32 * columns);
                   const std::size_t column = i % (32 * columns);
                   float sum = 0;
                   for (std::size_t k = 0; k < 32 * inner; ++k) {
                       sum += static_cast<float>(a[row * 32 * inner + k]) *
                              static_cast<float>(b[k * 32 * columns + column]);
                   }
                   return sum;
               }) == 0;
    }
};

bool multiply(const Mesh &mesh, const CoreCoord &grid)
{
    const Factors factors(mesh, 2, 2, 3);
    const auto [count, all, more, fewer, most, least] = split_work_to_cores(grid, 6);
    Program program = CreateProgram();
    std::uint32_t first = 0;

    for (const std::uint32_t index : {0U, 1U, 16U}) {
        add_buffer(program, all, index, 2);
    }
    const KernelHandle reader = CreateKernel(
        program, "kernels/product_reader.cpp", all,
        ReaderDataMovementConfig(accessors({}, {factors.in_a, factors.in_b})));
    const KernelHandle writer =
        CreateKernel(program, "kernels/tile_writer.cpp", all,
                     WriterDataMovementConfig(accessors({}, {factors.out})));
    const KernelHandle compute =
        CreateKernel(program, "kernels/product.cpp", all, ComputeConfig{});
    for (const auto &[group, share] :
         {std::pair{more, most}, std::pair{fewer, least}}) {
        for (const CoreRange &range : group.ranges()) {
            for (const CoreCoord &core : range) {
                SetRuntimeArgs(program, reader, core,
                               {factors.in_a->address(), factors.in_b->address(), first,
                                share, factors.inner, factors.columns});
                SetRuntimeArgs(program, writer, core,
                               {factors.out->address(), first, share});
                SetRuntimeArgs(program, compute, core, {share, factors.inner});
                first += share;
            }
        }
    }
    launch(mesh, std::move(program));
    return first == 6 && factors.is_product(mesh);
}

bool product(const Mesh &mesh)
{
    return multiply(mesh, {1, 1});
}

bool product_on_a_grid(const Mesh &mesh)
{
    return multiply(mesh, {2, 2});
}

bool blocks(const Mesh &mesh)
{
    constexpr std::uint32_t side = 2;
    const Factors factors(mesh, side, 4, side);
    const CoreRangeSet core(CoreRange(first_core, first_core));
    const Words shape{side, 2, 2};
    Program program = CreateProgram();

    add_buffer(program, core, 0, 8);
    add_buffer(program, core, 1, 8);
    CreateCircularBuffer(
        program, core,
        CircularBufferConfig(4 * tile_bytes,
                             {{16, DataFormat::Float16_b}, {24, DataFormat::Float16_b}})
            .set_page_size(16, tile_bytes)
            .set_page_size(24, tile_bytes));
    const KernelHandle reader = CreateKernel(
        program, "kernels/block_reader.cpp", core,
        ReaderDataMovementConfig(accessors(shape, {factors.in_a, factors.in_b})));
    const KernelHandle writer =
        CreateKernel(program, "kernels/tile_writer.cpp", core,
                     WriterDataMovementConfig(accessors({}, {factors.out})));
    CreateKernel(program, "kernels/blocks.cpp", core,
                 ComputeConfig{.compile_args = shape});
    SetRuntimeArgs(program, reader, core,
                   {factors.in_a->address(), factors.in_b->address()});
    SetRuntimeArgs(program, writer, core, {factors.out->address(), 0, side * side});
    launch(mesh, std::move(program));
    return factors.is_product(mesh);
}

bool exponential(const Mesh &mesh)
{
    const MeshTiles in = pages(mesh, 2);
    const MeshTiles out = pages(mesh, 2);
    const Numbers sent = numbers(2, 1);
    Program program = CreateProgram();

    for (const std::uint32_t index : {0U, 16U}) {
        add_buffer(program, CoreRange(first_core, first_core), index, 2);
    }
    const KernelHandle reader =
        CreateKernel(program, "kernels/doubled_reader.cpp", first_core,
                     ReaderDataMovementConfig(accessors({}, {in})));
    const KernelHandle writer =
        CreateKernel(program, "kernels/tile_writer.cpp", first_core,
                     WriterDataMovementConfig(accessors({}, {out})));
    CreateKernel(program, "kernels/exponential.cpp", first_core,
                 ComputeConfig{.compile_args = {2}});
    SetRuntimeArgs(program, reader, first_core, {in->address(), 2});
    SetRuntimeArgs(program, writer, first_core, {out->address(), 0, 2});
    write(mesh, in, sent);
    launch(mesh, std::move(program));
    const Numbers results = read<bfloat16>(mesh, out);
    for (std::size_t i = 0; i < results.size(); ++i) {
        const float right = std::exp(static_cast<float>(sent[i]));
        if (std::abs(static_cast<float>(results[i]) - right) > 0.01F * right) {
            return false;
        }
    }
    return results.size() == sent.size();
}

// 52 cycles a turn on all five RISC-Vs; a program as data.
bool count(const Mesh &mesh)
{
    using namespace experimental;
    constexpr std::uint64_t turns = 400;
    std::uint64_t cycles = 0;
    const auto handle = RegisterProgramRealtimeProfilerCallback([&](const auto &batch) {
        for (const auto &record : batch.records) {
            cycles = record.end_timestamp - record.start_timestamp;
        }
    });
    const auto kernel = [&](const char *name, auto config) {
        return KernelSpec{
            .unique_id = KernelSpecName{name},
            .source = std::string("kernels/nops.cpp"),
            .compiler_options = {.defines = {{"TURNS", std::to_string(turns)}}},
            .hw_config = config};
    };

    launch(mesh,
           MakeProgramFromSpec(
               *mesh,
               ProgramSpec{
                   .name = "nops",
                   .kernels =
                       {kernel("b", DataMovementHardwareConfig{DataMovementGen1Config{
                                        .processor = DataMovementProcessor::RISCV_0,
                                        .noc = NOC::NOC_0}}),
                        kernel("nc", DataMovementHardwareConfig{DataMovementGen1Config{
                                         .processor = DataMovementProcessor::RISCV_1,
                                         .noc = NOC::NOC_1}}),
                        kernel("t", ComputeHardwareConfig{ComputeGen1Config{}})},
                   .work_units = {WorkUnitSpec{.name = "all",
                                               .kernels = {KernelSpecName{"b"},
                                                           KernelSpecName{"nc"},
                                                           KernelSpecName{"t"}},
                                               .target_nodes = NodeCoord{0, 0}}}}));
    UnregisterProgramRealtimeProfilerCallback(handle);
    fmt::print("{} turns of 52 cycles take {}\n", turns, cycles);
    return cycles >= 52 * turns && cycles < 52 * turns * 101 / 100;
}

// Tiles that the host has put where circular buffers are; nobody waits for them.
bool shards(const Mesh &mesh)
{
    const CoreRange cores(first_core, {1, 1});
    const auto shard = [&] {
        return distributed::MeshBuffer::create(
            distributed::ReplicatedBufferConfig{.size = 8 * tile_bytes},
            {.page_size = tile_bytes,
             .buffer_type = BufferType::L1,
             .sharding_args = BufferShardingArgs(
                 ShardSpecBuffer(cores, {32, 64}, ShardOrientation::ROW_MAJOR, {32, 32},
                                 {4, 2}),
                 TensorMemoryLayout::HEIGHT_SHARDED)},
            mesh.get());
    };
    const std::array<MeshTiles, 3> tensors{shard(), shard(), shard()};
    const Numbers a = numbers(8, 3);
    const Numbers b = numbers(8, 7);
    Program program = CreateProgram();

    for (std::size_t i = 0; i < 3; ++i) {
        const std::uint32_t index = i < 2 ? static_cast<std::uint32_t>(i) : 16;
        CreateCircularBuffer(
            program, cores,
            CircularBufferConfig(2 * tile_bytes, {{index, DataFormat::Float16_b}})
                .set_page_size(index, tile_bytes)
                .set_globally_allocated_address(*tensors[i]->get_backing_buffer()));
    }
    auto defines = operation("add_tiles");
    defines["IN_PLACE"] = "1";
    const KernelHandle compute = CreateKernel(program, "kernels/pair.cpp", cores,
                                              ComputeConfig{.defines = defines});
    SetRuntimeArgs(program, compute, cores, {2});
    write(mesh, tensors[0], a);
    write(mesh, tensors[1], b);
    launch(mesh, std::move(program));
    return error(read<bfloat16>(mesh, tensors[2]), [&](std::size_t i) {
               return static_cast<float>(a[i]) + static_cast<float>(b[i]);
           }) == 0;
}

// Two dies, each with half of the tiles and a program of its own, launched by a trace.
bool dies(const Mesh &)
{
    constexpr std::uint32_t tiles = 6;
    const Mesh mesh = distributed::MeshDevice::create(
        distributed::MeshDeviceConfig(distributed::MeshShape(1, 2)), 0, 1 << 20, 2);
    const auto half = [&] {
        return distributed::MeshBuffer::create(
            distributed::ShardedBufferConfig{.global_size = 2 * tiles * tile_bytes,
                                             .global_buffer_shape = {32, 64 * tiles},
                                             .shard_shape = {32, 32 * tiles}},
            {.page_size = tile_bytes, .buffer_type = BufferType::DRAM}, mesh.get());
    };
    const std::array<MeshTiles, 3> tensors{half(), half(), half()};
    const Numbers a = numbers(2 * tiles, 3);
    const Numbers b = numbers(2 * tiles, 5);
    auto &queue = mesh->mesh_command_queue(0);
    auto &other = mesh->mesh_command_queue(1);
    distributed::MeshWorkload workload;
    Numbers results;

    for (std::uint32_t die = 0; die < 2; ++die) {
        const distributed::MeshCoordinate place(0, die);
        workload.add_program(
            distributed::MeshCoordinateRange(place, place),
            pairs(tensors, {1, 1}, tiles, die == 0 ? "add_tiles" : "mul_tiles"));
    }
    const auto trace = distributed::BeginTraceCapture(mesh.get(), 0);
    distributed::EnqueueMeshWorkload(queue, workload, false);
    mesh->end_mesh_trace(queue, trace);
    distributed::EnqueueWriteMeshBuffer(other, tensors[0], a);
    distributed::EnqueueWriteMeshBuffer(other, tensors[1], b);
    queue.enqueue_wait_for_event(other.enqueue_record_event());
    mesh->replay_mesh_trace(queue, trace, false);
    distributed::EventSynchronize(queue.enqueue_record_event_to_host());
    distributed::EnqueueReadMeshBuffer(other, results, tensors[2], true);
    mesh->release_mesh_trace(trace);
    return mesh->close() && error(results, [&](std::size_t i) {
                                const float x = static_cast<float>(a[i]);
                                const float y = static_cast<float>(b[i]);
                                return i / (32 * tiles) % 2 == 0 ? x + y : x * y;
                            }) == 0;
}

// A kernel that is steered by a number of a tile.
bool steered(const Mesh &mesh)
{
    const std::array<MeshTiles, 3> tensors{pages(mesh, 1), pages(mesh, 1),
                                           pages(mesh, 1)};
    const CoreRange core(first_core, first_core);
    Program program = CreateProgram();

    for (const std::uint32_t index : {0U, 1U, 16U}) {
        add_buffer(program, core, index, 2);
    }
    ReaderDataMovementConfig config(accessors({}, {tensors[0], tensors[1]}));
    config.named_compile_args = {{"a", 0}, {"b", 1}};
    const KernelHandle reader =
        CreateKernel(program, "kernels/pair_reader.cpp", core, config);
    CreateKernel(program, "kernels/steered.cpp", core, WriterDataMovementConfig());
    const KernelHandle compute =
        CreateKernel(program, "kernels/pair.cpp", core,
                     ComputeConfig{.defines = operation("add_tiles")});
    SetRuntimeArgs(program, reader, core, {0, 1});
    SetCommonRuntimeArgs(program, reader,
                         {tensors[0]->address(), tensors[1]->address()});
    SetRuntimeArgs(program, compute, core, {1});
    write(mesh, tensors[0], numbers(1, 1));
    write(mesh, tensors[1], numbers(1, 1));
    launch(mesh, std::move(program));
    distributed::Finish(mesh->mesh_command_queue());
    return true;
}

}  // namespace

int main(int argc, char **argv)
{
    const std::map<std::string, bool (*)(const Mesh &)> rows{
        {"copy", copy},           {"greet", greet},
        {"words", words},         {"old", old},
        {"pair", pair_on_a_core}, {"grid", pair_on_a_grid},
        {"transfer", transfer},   {"multicast", multicast},
        {"product", product},     {"product_on_a_grid", product_on_a_grid},
        {"blocks", blocks},       {"exponential", exponential},
        {"count", count},         {"shards", shards},
        {"dies", dies},           {"steered", steered}};
    bool is_right = argc > 1;

    for (int i = 1; i < argc; ++i) {
        const bool is_own = std::string(argv[i]) == "dies";
        const Mesh mesh =
            is_own ? nullptr : distributed::MeshDevice::create_unit_mesh(0);
        const bool is_passed = rows.at(argv[i])(mesh);
        fmt::print("{} {}\n", argv[i], is_passed ? "passed" : "FAILED");
        is_right = is_right && is_passed && (!mesh || mesh->close());
    }
    return is_right ? 0 : 1;
}
