// Buffers, programs and queues of meshes of chips.
#pragma once

#include <cassert>
#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <tt-metalium/host_api.hpp>
#include <tt-metalium/mesh_buffer.hpp>
#include <tt-metalium/mesh_command_queue.hpp>
#include <tt-metalium/mesh_coord.hpp>
#include <tt-metalium/mesh_device.hpp>
#include <tt-metalium/mesh_event.hpp>
#include <tt-metalium/mesh_workload.hpp>
#include <tt-metalium/system_mesh.hpp>
#include <tt_stl/assert.hpp>
#include <vector>

namespace tt::tt_metal::distributed
{

template <typename T>
void EnqueueWriteMeshBuffer(MeshCommandQueue &queue,
                            const std::shared_ptr<MeshBuffer> &buffer,
                            const std::vector<T> &source,
                            bool blocking = false)
{
    if (source.size() * sizeof(T) < buffer->size()) {
        gridloom::refuse("{} bytes are written to a buffer of {} bytes",
                         source.size() * sizeof(T), buffer->size());
    }
    queue.enqueue_write_mesh_buffer(buffer, source.data(), blocking);
}

template <typename T>
void EnqueueReadMeshBuffer(MeshCommandQueue &queue,
                           std::vector<T> &destination,
                           const std::shared_ptr<MeshBuffer> &buffer,
                           bool blocking = true)
{
    destination.resize(buffer->size() / sizeof(T));
    queue.enqueue_read_mesh_buffer(destination.data(), buffer, blocking);
}

template <typename T>
void WriteShard(MeshCommandQueue &queue,
                const std::shared_ptr<MeshBuffer> &buffer,
                std::vector<T> &source,
                const MeshCoordinate &place,
                bool blocking = false)
{
    if (source.size() * sizeof(T) < buffer->device_local_size()) {
        gridloom::refuse("{} bytes are written to a shard of {} bytes",
                         source.size() * sizeof(T), buffer->device_local_size());
    }
    queue.enqueue_write_shards(buffer, {{place, source.data()}}, blocking);
}

template <typename T>
void ReadShard(MeshCommandQueue &queue,
               std::vector<T> &destination,
               const std::shared_ptr<MeshBuffer> &buffer,
               const MeshCoordinate &place,
               bool blocking = true)
{
    destination.resize(buffer->device_local_size() / sizeof(T));
    queue.enqueue_read_shards({{place, destination.data()}}, buffer, blocking);
}

void EnqueueMeshWorkload(MeshCommandQueue &queue,
                         MeshWorkload &workload,
                         bool blocking);
void Finish(MeshCommandQueue &queue, std::span<const SubDeviceId> parts = {});
void EventSynchronize(const MeshEvent &event);
bool EventQuery(const MeshEvent &event);
void Synchronize(MeshDevice *device,
                 std::optional<std::uint8_t> cq_id = std::nullopt,
                 std::span<const SubDeviceId> parts = {});
MeshTraceId BeginTraceCapture(MeshDevice *device, std::uint8_t cq_id);
void EndTraceCapture(MeshDevice *device, std::uint8_t cq_id, const MeshTraceId &trace);
void ReplayTrace(MeshDevice *device,
                 std::uint8_t cq_id,
                 const MeshTraceId &trace,
                 bool blocking);
void ReleaseTrace(MeshDevice *device, const MeshTraceId &trace);

// The older way to build workloads.
inline MeshWorkload CreateMeshWorkload()
{
    return {};
}
inline void AddProgramToMeshWorkload(MeshWorkload &workload,
                                     Program &&program,
                                     const MeshCoordinateRange &chips)
{
    workload.add_program(chips, std::move(program));
}

}  // namespace tt::tt_metal::distributed
