// Uses the host API in one way a word of its command line; kernels are never run.
#include <fmt/core.h>
#include <tt-metalium/bfloat16.hpp>
#include <tt-metalium/distributed.hpp>
#include <tt-metalium/experimental/metal2_host_api/program.hpp>
#include <tt-metalium/host_api.hpp>
#include <tt-metalium/tensor_accessor_args.hpp>
#include <tt-metalium/tt_metal.hpp>

using namespace tt;
using namespace tt::tt_metal;

namespace
{

constexpr std::uint32_t tile_bytes = 2048;

using Mesh = std::shared_ptr<distributed::MeshDevice>;

std::shared_ptr<distributed::MeshBuffer> tiles(const Mesh &mesh, std::uint32_t count)
{
    return distributed::MeshBuffer::create(
        distributed::ReplicatedBufferConfig{.size = count * tile_bytes},
        distributed::DeviceLocalBufferConfig{.page_size = tile_bytes,
                                             .buffer_type = BufferType::DRAM},
        mesh.get());
}

void enqueue(const Mesh &mesh, Program program)
{
    distributed::MeshWorkload workload;

    workload.add_program(distributed::MeshCoordinateRange(mesh->shape()),
                         std::move(program));
    distributed::EnqueueMeshWorkload(mesh->mesh_command_queue(), workload, false);
}

// A whole program: buffers, circular buffers, semaphores, three kernels, arguments.
void run(const Mesh &mesh)
{
    auto &cq = mesh->mesh_command_queue();
    auto in = tiles(mesh, 3);
    auto out = tiles(mesh, 3);
    const CoreRange cores({0, 0}, {1, 0});
    std::vector<std::uint16_t> data(3 * tile_bytes / 2);
    std::vector<std::uint32_t> args{CBIndex::c_0};
    Program program = CreateProgram();

    for (std::size_t i = 0; i < data.size(); ++i) {
        data[i] = static_cast<std::uint16_t>(i);
    }
    EnqueueWriteMeshBuffer(cq, in, data, false);
    CreateCircularBuffer(
        program, cores,
        CircularBufferConfig(2 * tile_bytes, {{CBIndex::c_0, DataFormat::Float16_b}})
            .set_page_size(CBIndex::c_0, tile_bytes));
    CreateCircularBuffer(
        program, cores,
        CircularBufferConfig(tile_bytes, {{CBIndex::c_16, DataFormat::Float16_b},
                                          {CBIndex::c_24, DataFormat::Float32}})
            .set_page_size(CBIndex::c_16, tile_bytes)
            .set_page_size(CBIndex::c_24, tile_bytes / 2));
    CreateSemaphore(program, cores, 5);
    TensorAccessorArgs(*in).append_to(args);
    const auto reader = CreateKernel(program, "kernels/mover.cpp", cores,
                                     ReaderDataMovementConfig(args, {{"WAIT", "1"}}));
    const auto writer = CreateKernelFromString(
        program, "void kernel_main() {}", CoreCoord(0, 0),
        DataMovementConfig{.processor = DataMovementProcessor::RISCV_0,
                           .noc = NOC::RISCV_1_default,
                           .named_compile_args = {{"b", 2}, {"a", 1}}});
    CreateKernel(
        program, "kernels/compute.cpp", cores,
        ComputeConfig{.math_fidelity = MathFidelity::HiFi2,
                      .fp32_dest_acc_en = true,
                      .unpack_to_dest_mode = {UnpackToDestMode::Default,
                                              UnpackToDestMode::UnpackToDestFp32},
                      .math_approx_mode = true});
    SetRuntimeArgs(program, reader, cores, {in->address(), data.size()});
    SetRuntimeArgs(program, writer, CoreCoord(0, 0), {out->address()});
    SetCommonRuntimeArgs(program, reader, {9, 8});
    program.set_runtime_id(7);
    enqueue(mesh, std::move(program));
    fmt::print("launched\n");
    distributed::Finish(cq);
    std::vector<std::uint16_t> result;
    distributed::EnqueueReadMeshBuffer(cq, result, out, true);
    fmt::print("{} of {}\n", result[2], result.size());
}

// Pages of L1: dealt out to cores, and in shards.
void l1(const Mesh &mesh)
{
    auto &cq = mesh->mesh_command_queue();
    auto dealt = distributed::MeshBuffer::create(
        distributed::ReplicatedBufferConfig{.size = 8},
        {.page_size = 4, .buffer_type = BufferType::L1}, mesh.get());
    auto shards = distributed::MeshBuffer::create(
        distributed::ReplicatedBufferConfig{.size = 64},
        {.page_size = 16,
         .buffer_type = BufferType::L1,
         .sharding_args = BufferShardingArgs(
             ShardSpecBuffer(CoreRange({0, 0}, {0, 1}), {2, 2},
                             ShardOrientation::ROW_MAJOR, {1, 2}, {4, 1}),
             TensorMemoryLayout::HEIGHT_SHARDED)},
        mesh.get());
    std::vector<std::uint32_t> data(16);
    std::vector<std::uint32_t> back;

    for (std::uint32_t i = 0; i < 16; ++i) {
        data[i] = i;
    }
    distributed::EnqueueWriteMeshBuffer(cq, dealt, data);
    distributed::EnqueueWriteMeshBuffer(cq, shards, data);
    distributed::EnqueueReadMeshBuffer(cq, back, shards);
    fmt::print("{}\n", back);
}

// Two chips, each with one half of a matrix.
void two_chips()
{
    const auto mesh = distributed::MeshDevice::create(
        distributed::MeshDeviceConfig(distributed::MeshShape(1, 2)));
    auto &cq = mesh->mesh_command_queue();
    auto halves = distributed::MeshBuffer::create(
        distributed::ShardedBufferConfig{
            .global_size = 64, .global_buffer_shape = {2, 8}, .shard_shape = {2, 4}},
        {.page_size = 32, .buffer_type = BufferType::DRAM}, mesh.get());
    std::vector<std::uint32_t> data(16);
    std::vector<std::uint32_t> back;

    for (std::uint32_t i = 0; i < 16; ++i) {
        data[i] = i;
    }
    distributed::EnqueueWriteMeshBuffer(cq, halves, data);
    distributed::EnqueueReadMeshBuffer(cq, back, halves);
    fmt::print("{}\n", back == data);
}

// The API of programs from before meshes.
void old()
{
    IDevice *device = CreateDevice(0);
    CommandQueue &cq = device->command_queue();
    auto buffer =
        CreateBuffer(InterleavedBufferConfig{.device = device,
                                             .size = 64,
                                             .page_size = 32,
                                             .buffer_type = BufferType::DRAM});
    std::vector<std::uint32_t> data(16, 3);
    std::vector<std::uint32_t> back;
    Program program = CreateProgram();

    EnqueueWriteBuffer(cq, buffer, data, false);
    EnqueueReadBuffer(cq, buffer, back, true);
    EnqueueProgram(cq, program, false);
    Finish(cq);
    detail::WriteToDeviceL1(device, {1, 1}, 200000, data);
    detail::ReadFromDeviceL1(device, {1, 1}, 200000, 64, back);
    fmt::print("{}\n", back == data);
    CloseDevice(device);
}

// A program that is recorded once and replayed twice.
void trace(const Mesh &mesh)
{
    auto &cq = mesh->mesh_command_queue();
    distributed::MeshWorkload workload;

    workload.add_program(distributed::MeshCoordinateRange(mesh->shape()),
                         CreateProgram());
    const auto id = mesh->begin_mesh_trace(cq);
    distributed::EnqueueMeshWorkload(cq, workload, false);
    mesh->end_mesh_trace(cq, id);
    const distributed::MeshEvent event = cq.enqueue_record_event();
    cq.enqueue_wait_for_event(event);
    mesh->replay_mesh_trace(cq, id, false);
    mesh->replay_mesh_trace(cq, id, true);
    mesh->release_mesh_trace(id);
}

// A program as data, with named arguments.
void spec(const Mesh &mesh)
{
    using namespace experimental;
    const KernelSpecName name{"mover"};
    Program program = MakeProgramFromSpec(
        *mesh,
        ProgramSpec{
            .name = "specified",
            .kernels = {KernelSpec{
                .unique_id = name,
                .source = std::string("kernels/mover.cpp"),
                .compiler_options = {.defines = {{"WAIT", "2"}}},
                .compile_time_args = {{"size", 4}},
                .runtime_arg_schema = {.runtime_arg_names = {"from", "to"}},
                .hw_config =
                    DataMovementHardwareConfig{CreateReaderGen1DataMovementConfig()}}},
            .work_units = {WorkUnitSpec{
                .name = "all", .kernels = {name}, .target_nodes = NodeCoord{2, 3}}}});
    SetProgramRunArgs(
        program, {.kernel_run_args = {
                      {.kernel = name,
                       .runtime_arg_values = {{"to", {{NodeCoord{2, 3}, 6}}},
                                              {"from", {{NodeCoord{2, 3}, 5}}}}}}});
    enqueue(mesh, std::move(program));
}

// The profiler's file, and errors of the simulator.
void profile(const Mesh &mesh)
{
    enqueue(mesh, CreateProgram());
    ReadMeshDeviceProfilerResults(*mesh);
}

// What a program must not do.
void no_kernel(const Mesh &)
{
    Program program;
    CreateKernel(program, "kernels/nobody.cpp", CoreCoord(0, 0), ComputeConfig{});
}

void many_args(const Mesh &)
{
    Program program;
    const auto kernel = CreateKernel(program, "kernels/mover.cpp", CoreCoord(0, 0),
                                     DataMovementConfig{});
    SetRuntimeArgs(program, kernel, CoreCoord(0, 0), std::vector<std::uint32_t>(342));
}

void outside(const Mesh &mesh)
{
    distributed::MeshBuffer::create(distributed::ReplicatedBufferConfig{.size = 64},
                                    {.page_size = 64, .buffer_type = BufferType::L1},
                                    mesh.get(), 1499136 - 32);
}

void full(const Mesh &mesh)
{
    Program program;
    const auto top = distributed::MeshBuffer::create(
        distributed::ReplicatedBufferConfig{.size = 32},
        {.page_size = 32, .buffer_type = BufferType::L1}, mesh.get());
    const std::uint32_t bytes = 1499136 - 105664;

    CreateCircularBuffer(
        program, CoreCoord(0, 0),
        CircularBufferConfig(bytes, {{0, DataFormat::UInt32}}).set_page_size(0, bytes));
    enqueue(mesh, std::move(program));
}

void far_core(const Mesh &mesh)
{
    Program program;

    CreateSemaphore(program, CoreRange({0, 0}, {8, 0}), 0);
    enqueue(mesh, std::move(program));
}

}  // namespace

int main(int argc, char **argv)
{
    const std::map<std::string, void (*)(const Mesh &)> ways{{"run", run},
                                                             {"l1", l1},
                                                             {"trace", trace},
                                                             {"spec", spec},
                                                             {"profile", profile},
                                                             {"no_kernel", no_kernel},
                                                             {"many_args", many_args},
                                                             {"outside", outside},
                                                             {"full", full},
                                                             {"far_core", far_core}};
    const std::string way = argc > 1 ? argv[1] : "run";

    if (way == "two_chips") {
        two_chips();
    } else if (way == "old") {
        old();
    } else {
        const Mesh mesh = distributed::MeshDevice::create_unit_mesh(0);
        ways.at(way)(mesh);
        mesh->close();
    }
    return 0;
}
