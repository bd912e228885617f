// A frame for programs that try compute kernels: tiles go from DRAM through one core
// and back, and each number is compared with a reference.
#pragma once

#include <cmath>
#include <functional>
#include <string>
#include <tt-metalium/bfloat16.hpp>
#include <tt-metalium/distributed.hpp>
#include <tt-metalium/host_api.hpp>
#include <tt-metalium/tensor_accessor_args.hpp>
#include <vector>

constexpr uint32_t TILE = 1024;

struct Trial {
    std::string kernel;
    tt::DataFormat format = tt::DataFormat::Float16_b;
    uint32_t tiles_out = 1;
};

// All tiles of `in` lie in circular buffer 0 when the kernel begins; it packs into 16.
template <typename Number>
std::vector<Number> run(const Trial &trial, std::vector<Number> in)
{
    using namespace tt;
    using namespace tt::tt_metal;
    const uint32_t bytes = TILE * sizeof(Number);
    const uint32_t tiles_in = static_cast<uint32_t>(in.size() / TILE);
    auto mesh = distributed::MeshDevice::create_unit_mesh(0);
    distributed::MeshCommandQueue &queue = mesh->mesh_command_queue();
    const distributed::DeviceLocalBufferConfig local{.page_size = bytes,
                                                     .buffer_type = BufferType::DRAM};
    auto from = distributed::MeshBuffer::create(
        distributed::ReplicatedBufferConfig{.size = tiles_in * bytes}, local,
        mesh.get());
    auto to = distributed::MeshBuffer::create(
        distributed::ReplicatedBufferConfig{.size = trial.tiles_out * bytes}, local,
        mesh.get());
    Program program = CreateProgram();
    constexpr CoreCoord core = {0, 0};

    for (const auto index : {CBIndex::c_0, CBIndex::c_16}) {
        const uint32_t pages = index == CBIndex::c_0 ? tiles_in : trial.tiles_out;
        CreateCircularBuffer(
            program, core,
            CircularBufferConfig(pages * bytes, {{index, trial.format}})
                .set_page_size(index, bytes));
    }
    std::vector<uint32_t> reader_args;
    TensorAccessorArgs(*from).append_to(reader_args);
    std::vector<uint32_t> writer_args;
    TensorAccessorArgs(*to).append_to(writer_args);
    auto reader = CreateKernel(program, "kernels/doubled_reader.cpp", core,
                               ReaderDataMovementConfig(reader_args));
    auto writer = CreateKernel(program, "kernels/doubled_writer.cpp", core,
                               WriterDataMovementConfig(writer_args));
    CreateKernel(program, trial.kernel, core,
                 ComputeConfig{.fp32_dest_acc_en = sizeof(Number) == 4,
                               .compile_args = {tiles_in}});
    SetRuntimeArgs(program, reader, core, {from->address(), tiles_in});
    SetRuntimeArgs(program, writer, core, {to->address(), trial.tiles_out});
    distributed::EnqueueWriteMeshBuffer(queue, from, in, false);
    distributed::MeshWorkload workload;
    workload.add_program(distributed::MeshCoordinateRange(mesh->shape()),
                         std::move(program));
    distributed::EnqueueMeshWorkload(queue, workload, false);
    std::vector<Number> out;
    distributed::EnqueueReadMeshBuffer(queue, out, to, true);
    mesh->close();
    return out;
}

// What number `index` of a tile of the result must be.
using Reference = std::function<float(uint32_t index)>;

struct Row {
    const char *name;
    float tolerance;  // relative to the number, and absolute below 1
    Reference reference;
};

// Compares a tile of the result with each row; says which fail.
template <typename Number>
bool compare(const std::vector<Number> &out, const std::vector<Row> &rows)
{
    bool is_right = out.size() == rows.size() * TILE;

    for (size_t row = 0; row < rows.size() && is_right; ++row) {
        for (uint32_t i = 0; i < TILE; ++i) {
            const float got = static_cast<float>(out[row * TILE + i]);
            const float wanted = rows[row].reference(i);

            if (!(std::abs(got - wanted) <=
                  rows[row].tolerance * std::max(1.0F, std::abs(wanted)))) {
                fmt::print("{}: number {} is {}, not {}\n", rows[row].name, i, got,
                           wanted);
                is_right = false;
                break;
            }
        }
    }
    return is_right;
}
