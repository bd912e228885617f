// Doubles tiles on one core: from DRAM, through three kernels, and back.
#include <tt-metalium/bfloat16.hpp>
#include <tt-metalium/distributed.hpp>
#include <tt-metalium/host_api.hpp>
#include <tt-metalium/tensor_accessor_args.hpp>

using namespace tt;
using namespace tt::tt_metal;

int main(int argc, char **argv)
{
    constexpr uint32_t tiles = 4;
    constexpr uint32_t tile_bytes = 2 * 1024;
    const float factor = argc > 1 ? std::stof(argv[1]) : 2.0F;
    auto mesh = distributed::MeshDevice::create_unit_mesh(0);
    distributed::MeshCommandQueue &queue = mesh->mesh_command_queue();
    const distributed::DeviceLocalBufferConfig local{.page_size = tile_bytes,
                                                     .buffer_type = BufferType::DRAM};
    const distributed::ReplicatedBufferConfig whole{.size = tiles * tile_bytes};
    auto in = distributed::MeshBuffer::create(whole, local, mesh.get());
    auto out = distributed::MeshBuffer::create(whole, local, mesh.get());
    Program program = CreateProgram();
    constexpr CoreCoord core = {0, 0};

    for (const auto index : {CBIndex::c_0, CBIndex::c_16}) {
        CreateCircularBuffer(
            program, core,
            CircularBufferConfig(2 * tile_bytes, {{index, DataFormat::Float16_b}})
                .set_page_size(index, tile_bytes));
    }
    std::vector<uint32_t> reader_args;
    TensorAccessorArgs(*in).append_to(reader_args);
    std::vector<uint32_t> writer_args;
    TensorAccessorArgs(*out).append_to(writer_args);
    auto reader = CreateKernel(program, "kernels/doubled_reader.cpp", core,
                               ReaderDataMovementConfig(reader_args));
    auto writer = CreateKernel(program, "kernels/doubled_writer.cpp", core,
                               WriterDataMovementConfig(writer_args));
    CreateKernel(program, "kernels/doubled.cpp", core,
                 ComputeConfig{.compile_args = {tiles}});
    SetRuntimeArgs(program, reader, core, {in->address(), tiles});
    SetRuntimeArgs(program, writer, core, {out->address(), tiles});

    std::vector<bfloat16> numbers(tiles * 1024);
    for (size_t i = 0; i < numbers.size(); ++i) {
        numbers[i] = bfloat16(static_cast<float>(i % 100));
    }
    distributed::EnqueueWriteMeshBuffer(queue, in, numbers, false);
    distributed::MeshWorkload workload;
    workload.add_program(distributed::MeshCoordinateRange(mesh->shape()),
                         std::move(program));
    distributed::EnqueueMeshWorkload(queue, workload, false);
    std::vector<bfloat16> results;
    distributed::EnqueueReadMeshBuffer(queue, results, out, true);
    bool is_right = results.size() == numbers.size();
    for (size_t i = 0; is_right && i < results.size(); ++i) {
        is_right =
            static_cast<float>(results[i]) == factor * static_cast<float>(numbers[i]);
    }
    fmt::print("{}\n", is_right ? "Test Passed" : "Test FAILED");
    mesh->close();
    return is_right ? 0 : 1;
}
