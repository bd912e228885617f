// The queue of a mesh of chips. What is enqueued is carried out at once, in order.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <tt-metalium/command_queue.hpp>
#include <tt-metalium/mesh_buffer.hpp>
#include <tt-metalium/mesh_event.hpp>
#include <tt-metalium/mesh_workload.hpp>
#include <tt-metalium/sub_device_types.hpp>
#include <vector>

namespace tt::tt_metal::distributed
{

class MeshDevice;

class MeshCommandQueue : public CommandQueue
{
  public:
    MeshCommandQueue(MeshDevice *device, std::uint32_t id);

    // A part of a mesh buffer in the host's memory.
    struct ShardDataTransfer {
        MeshCoordinate shard_coord;
        void *host_data = nullptr;
    };

    MeshDevice *device() const
    {
        return device_;
    }
    void enqueue_write_mesh_buffer(const std::shared_ptr<MeshBuffer> &buffer,
                                   const void *data,
                                   bool blocking);
    void enqueue_read_mesh_buffer(void *data,
                                  const std::shared_ptr<MeshBuffer> &buffer,
                                  bool blocking);
    void enqueue_write_shards(const std::shared_ptr<MeshBuffer> &buffer,
                              const std::vector<ShardDataTransfer> &shards,
                              bool blocking);
    void enqueue_read_shards(const std::vector<ShardDataTransfer> &shards,
                             const std::shared_ptr<MeshBuffer> &buffer,
                             bool blocking);
    void enqueue_mesh_workload(MeshWorkload &workload, bool blocking);
    // `is_further`: another chip of the same workload was started before.
    void launch(const Program &program, int chip, bool is_further = false);
    MeshEvent enqueue_record_event(std::span<const SubDeviceId> parts = {});
    MeshEvent enqueue_record_event_to_host(std::span<const SubDeviceId> parts = {});
    void enqueue_wait_for_event(const MeshEvent &event);
    void finish(std::span<const SubDeviceId> parts = {});

    // Launches are kept and not carried out from here on, until they are taken.
    void begin_record();
    std::vector<std::string> take_record();

  private:
    void check_not_recording(const char *what) const;

    MeshDevice *device_;
    std::uint32_t next_event_ = 1;
    bool is_recording_ = false;
    std::vector<std::string> record_;
};

}  // namespace tt::tt_metal::distributed
