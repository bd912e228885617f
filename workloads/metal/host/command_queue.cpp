// Devices, buffers and queues of the older API, which has one chip at a time.
#include <tt-metalium/distributed.hpp>
#include <tt-metalium/tt_metal.hpp>

#include "machine.hpp"
#include "profile.hpp"
#include "transfer.hpp"

namespace tt::tt_metal
{

using distributed::MeshCommandQueue;
using distributed::MeshDevice;
using distributed::MeshTraceId;

namespace
{

// All queues and devices are those of meshes.
MeshCommandQueue &mesh(CommandQueue &queue)
{
    return dynamic_cast<MeshCommandQueue &>(queue);
}

MeshDevice &mesh(IDevice *device)
{
    return dynamic_cast<MeshDevice &>(*device);
}

}  // namespace

std::size_t GetNumAvailableDevices()
{
    return static_cast<std::size_t>(gridloom::machine().chips);
}

std::size_t GetNumPCIeDevices()
{
    return 1;
}

ChipId GetPCIeDeviceID(ChipId)
{
    return 0;
}

IDevice *CreateDevice(ChipId device_id,
                      std::uint8_t num_hw_cqs,
                      std::size_t l1_small_size,
                      std::size_t trace_region_size,
                      const DispatchCoreConfig &dispatch,
                      const std::vector<std::uint32_t> &l1_bank_remap,
                      std::size_t worker_l1_size)
{
    return MeshDevice::create_unit_mesh(device_id, l1_small_size, trace_region_size,
                                        num_hw_cqs, dispatch, l1_bank_remap,
                                        worker_l1_size)
        .get();
}

bool CloseDevice(IDevice *device)
{
    return device->close();
}

std::shared_ptr<Buffer> CreateBuffer(const InterleavedBufferConfig &config)
{
    return Buffer::create(config.device, config.size, config.page_size,
                          config.buffer_type);
}

std::shared_ptr<Buffer> CreateBuffer(const InterleavedBufferConfig &config,
                                     DeviceAddr address)
{
    return Buffer::create(config.device, address, config.size, config.page_size,
                          config.buffer_type);
}

std::shared_ptr<Buffer> CreateBuffer(const ShardedBufferConfig &config)
{
    return Buffer::create(
        config.device, config.size, config.page_size, config.buffer_type,
        BufferShardingArgs(config.shard_parameters, config.buffer_layout));
}

std::shared_ptr<Buffer> CreateBuffer(const ShardedBufferConfig &config,
                                     DeviceAddr address)
{
    return Buffer::create(
        config.device, address, config.size, config.page_size, config.buffer_type,
        BufferShardingArgs(config.shard_parameters, config.buffer_layout));
}

void DeallocateBuffer(Buffer &buffer)
{
    buffer.deallocate();
}

void AssignGlobalBufferToProgram(const std::shared_ptr<Buffer> &, Program &)
{
}

void EnqueueWriteBuffer(CommandQueue &, Buffer &buffer, const void *data, bool)
{
    for (const int chip : buffer.device()->chips()) {
        gridloom::write_buffer(chip, buffer,
                               {static_cast<const std::byte *>(data), buffer.size()});
    }
}

void EnqueueReadBuffer(CommandQueue &, Buffer &buffer, void *data, bool)
{
    const auto all = gridloom::read_buffer(buffer.device()->id(), buffer);

    std::memcpy(data, all.data(), all.size());
}

void EnqueueProgram(CommandQueue &queue, Program &program, bool blocking)
{
    for (const int chip : queue.owner()->chips()) {
        mesh(queue).launch(program, chip);
    }
    if (blocking) {
        Finish(queue);
    }
}

void Finish(CommandQueue &queue, std::span<const SubDeviceId> parts)
{
    mesh(queue).finish(parts);
}

void Synchronize(IDevice *device,
                 std::optional<std::uint8_t> cq_id,
                 std::span<const SubDeviceId> parts)
{
    mesh(device).mesh_command_queue(cq_id).finish(parts);
}

void EnqueueRecordEvent(CommandQueue &queue,
                        const std::shared_ptr<Event> &event,
                        std::span<const SubDeviceId> parts)
{
    event->event_id = mesh(queue).enqueue_record_event(parts).id();
}

void EnqueueWaitForEvent(CommandQueue &, const std::shared_ptr<Event> &)
{
}

void EventSynchronize(const std::shared_ptr<Event> &)
{
}

bool EventQuery(const std::shared_ptr<Event> &)
{
    return true;
}

std::uint32_t BeginTraceCapture(IDevice *device, std::uint8_t cq_id)
{
    return *mesh(device).begin_mesh_trace(cq_id);
}

void EndTraceCapture(IDevice *device, std::uint8_t cq_id, std::uint32_t trace)
{
    mesh(device).end_mesh_trace(cq_id, MeshTraceId(trace));
}

void ReplayTrace(IDevice *device,
                 std::uint8_t cq_id,
                 std::uint32_t trace,
                 bool blocking)
{
    mesh(device).replay_mesh_trace(cq_id, MeshTraceId(trace), blocking);
}

void EnqueueTrace(CommandQueue &queue, std::uint32_t trace, bool blocking)
{
    mesh(queue.owner()).replay_mesh_trace(mesh(queue), MeshTraceId(trace), blocking);
}

void ReleaseTrace(IDevice *device, std::uint32_t trace)
{
    mesh(device).release_mesh_trace(MeshTraceId(trace));
}

void ReadMeshDeviceProfilerResults(distributed::MeshDevice &, ProfilerReadState)
{
    gridloom::write_profile();
}

namespace detail
{

namespace
{

std::uint32_t place_of(const IDevice &device, const CoreCoord &core)
{
    device.worker_core_from_logical_core(core);
    return static_cast<std::uint32_t>(core.y * gridloom::machine().columns + core.x);
}

bool write(const gridloom::Region &region, const std::vector<std::uint32_t> &data)
{
    gridloom::write_region(region, std::as_bytes(std::span(data)));
    return true;
}

bool read(const gridloom::Region &region, std::vector<std::uint32_t> &data)
{
    const auto bytes = gridloom::read_region(region);

    data.assign((bytes.size() + sizeof data[0] - 1) / sizeof data[0], 0);
    std::memcpy(data.data(), bytes.data(), bytes.size());
    return true;
}

}  // namespace

void WriteToBuffer(Buffer &buffer, std::span<const std::uint8_t> data)
{
    for (const int chip : buffer.device()->chips()) {
        gridloom::write_buffer(chip, buffer, std::as_bytes(data));
    }
}

void ReadFromBuffer(Buffer &buffer, std::uint8_t *data)
{
    const auto all = gridloom::read_buffer(buffer.device()->id(), buffer);

    std::memcpy(data, all.data(), all.size());
}

void LaunchProgram(IDevice *device, Program &program, bool, bool)
{
    EnqueueProgram(device->command_queue(), program, true);
}

void CompileProgram(IDevice *, Program &, bool)
{
}

bool WriteToDeviceL1(IDevice *device,
                     const CoreCoord &core,
                     std::uint32_t address,
                     std::vector<std::uint32_t> &data,
                     CoreType)
{
    return write({device->id(), false, place_of(*device, core), address,
                  data.size() * sizeof data[0]},
                 data);
}

bool ReadFromDeviceL1(IDevice *device,
                      const CoreCoord &core,
                      std::uint32_t address,
                      std::uint32_t bytes,
                      std::vector<std::uint32_t> &data,
                      CoreType)
{
    return read({device->id(), false, place_of(*device, core), address, bytes}, data);
}

bool WriteToDeviceDRAMChannel(IDevice *device,
                              int channel,
                              std::uint32_t address,
                              std::vector<std::uint32_t> &data)
{
    return write({device->id(), true, static_cast<std::uint32_t>(channel), address,
                  data.size() * sizeof data[0]},
                 data);
}

bool ReadFromDeviceDRAMChannel(IDevice *device,
                               int channel,
                               std::uint32_t address,
                               std::uint32_t bytes,
                               std::vector<std::uint32_t> &data)
{
    return read(
        {device->id(), true, static_cast<std::uint32_t>(channel), address, bytes},
        data);
}

std::map<ChipId, IDevice *> CreateDevices(const std::vector<ChipId> &device_ids,
                                          std::uint8_t num_hw_cqs)
{
    std::map<ChipId, IDevice *> devices;

    for (const ChipId id : device_ids) {
        devices[id] = CreateDevice(id, num_hw_cqs);
    }
    return devices;
}

void CloseDevices(const std::map<ChipId, IDevice *> &devices)
{
    for (const auto &[id, device] : devices) {
        device->close();
    }
}

void ReadDeviceProfilerResults(IDevice *, ProfilerReadState)
{
    gridloom::write_profile();
}

}  // namespace detail

}  // namespace tt::tt_metal
