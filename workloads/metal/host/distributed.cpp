// Buffers, programs and queues of meshes of chips.
#include <tt-metalium/distributed.hpp>

namespace tt::tt_metal::distributed
{

void EnqueueMeshWorkload(MeshCommandQueue &queue, MeshWorkload &workload, bool blocking)
{
    queue.enqueue_mesh_workload(workload, blocking);
}

void Finish(MeshCommandQueue &queue, std::span<const SubDeviceId> parts)
{
    queue.finish(parts);
}

void EventSynchronize(const MeshEvent &event)
{
    event.device()->mesh_command_queue().finish();
}

bool EventQuery(const MeshEvent &)
{
    return true;
}

void Synchronize(MeshDevice *device,
                 std::optional<std::uint8_t> cq_id,
                 std::span<const SubDeviceId> parts)
{
    device->mesh_command_queue(cq_id).finish(parts);
}

MeshTraceId BeginTraceCapture(MeshDevice *device, std::uint8_t cq_id)
{
    return device->begin_mesh_trace(cq_id);
}

void EndTraceCapture(MeshDevice *device, std::uint8_t cq_id, const MeshTraceId &trace)
{
    device->end_mesh_trace(cq_id, trace);
}

void ReplayTrace(MeshDevice *device,
                 std::uint8_t cq_id,
                 const MeshTraceId &trace,
                 bool blocking)
{
    device->replay_mesh_trace(cq_id, trace, blocking);
}

void ReleaseTrace(MeshDevice *device, const MeshTraceId &trace)
{
    device->release_mesh_trace(trace);
}

}  // namespace tt::tt_metal::distributed
