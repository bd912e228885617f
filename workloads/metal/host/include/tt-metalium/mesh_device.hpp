// A mesh of chips that programs use as one device.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tt-metalium/device.hpp>
#include <tt-metalium/mesh_command_queue.hpp>
#include <tt-metalium/mesh_coord.hpp>
#include <tt-metalium/mesh_trace_id.hpp>
#include <vector>

namespace tt::tt_metal::distributed
{

class MeshDeviceConfig
{
  public:
    explicit MeshDeviceConfig(const MeshShape &shape,
                              std::optional<MeshCoordinate> offset = std::nullopt,
                              std::vector<int> physical_device_ids = {});
    const MeshShape &mesh_shape() const
    {
        return shape_;
    }
    const std::optional<MeshCoordinate> &offset() const
    {
        return offset_;
    }
    const std::vector<int> &physical_device_ids() const
    {
        return chips_;
    }

  private:
    MeshShape shape_;
    std::optional<MeshCoordinate> offset_;
    std::vector<int> chips_;
};

class MeshDevice : public IDevice, public std::enable_shared_from_this<MeshDevice>
{
  public:
    static std::shared_ptr<MeshDevice>
    create(const MeshDeviceConfig &config,
           std::size_t l1_small_size = DEFAULT_L1_SMALL_SIZE,
           std::size_t trace_region_size = DEFAULT_TRACE_REGION_SIZE,
           std::size_t num_command_queues = 1,
           const DispatchCoreConfig &dispatch = DispatchCoreConfig{},
           std::span<const std::uint32_t> l1_bank_remap = {},
           std::size_t worker_l1_size = DEFAULT_WORKER_L1_SIZE);
    static std::shared_ptr<MeshDevice>
    create_unit_mesh(int device_id,
                     std::size_t l1_small_size = DEFAULT_L1_SMALL_SIZE,
                     std::size_t trace_region_size = DEFAULT_TRACE_REGION_SIZE,
                     std::size_t num_command_queues = 1,
                     const DispatchCoreConfig &dispatch = DispatchCoreConfig{},
                     std::span<const std::uint32_t> l1_bank_remap = {},
                     std::size_t worker_l1_size = DEFAULT_WORKER_L1_SIZE);
    static std::map<int, std::shared_ptr<MeshDevice>>
    create_unit_meshes(const std::vector<int> &device_ids,
                       std::size_t l1_small_size = DEFAULT_L1_SMALL_SIZE,
                       std::size_t trace_region_size = DEFAULT_TRACE_REGION_SIZE,
                       std::size_t num_command_queues = 1,
                       const DispatchCoreConfig &dispatch = DispatchCoreConfig{},
                       std::span<const std::uint32_t> l1_bank_remap = {},
                       std::size_t worker_l1_size = DEFAULT_WORKER_L1_SIZE);

    ChipId id() const override;
    const std::vector<int> &chips() const override;
    bool is_initialized() const override;
    bool close() override;
    std::uint8_t num_hw_cqs() const override;
    CommandQueue &command_queue(std::size_t cq_id = 0) override;
    const std::unique_ptr<Allocator> &allocator() const override;

    const MeshShape &shape() const;
    std::size_t num_devices() const;
    std::size_t num_rows() const;
    std::size_t num_cols() const;
    std::vector<int> get_device_ids() const;
    int chip_at(const MeshCoordinate &place) const;
    std::vector<IDevice *> get_devices() const;
    IDevice *get_device(const MeshCoordinate &place) const;
    IDevice *get_device(std::size_t row, std::size_t column) const;
    void reshape(const MeshShape &shape);
    std::shared_ptr<MeshDevice>
    create_submesh(const MeshShape &shape,
                   const std::optional<MeshCoordinate> &offset = std::nullopt);
    std::vector<std::shared_ptr<MeshDevice>> create_submeshes(const MeshShape &shape);
    MeshCommandQueue &
    mesh_command_queue(std::optional<std::uint8_t> cq_id = std::nullopt) const;
    void quiesce_devices();

    MeshTraceId begin_mesh_trace(MeshCommandQueue &queue);
    MeshTraceId begin_mesh_trace(std::uint8_t cq_id);
    void begin_mesh_trace(MeshCommandQueue &queue, const MeshTraceId &trace);
    void begin_mesh_trace(std::uint8_t cq_id, const MeshTraceId &trace);
    void end_mesh_trace(MeshCommandQueue &queue, const MeshTraceId &trace);
    void end_mesh_trace(std::uint8_t cq_id, const MeshTraceId &trace);
    void
    replay_mesh_trace(MeshCommandQueue &queue, const MeshTraceId &trace, bool blocking);
    void replay_mesh_trace(std::uint8_t cq_id, const MeshTraceId &trace, bool blocking);
    void release_mesh_trace(const MeshTraceId &trace);

  private:
    // One of another device's chips shares its memory.
    MeshDevice(const MeshShape &shape,
               std::vector<int> chips,
               std::size_t queue_count,
               const MeshDevice *parent);
    static std::shared_ptr<MeshDevice> keep(MeshDevice *device);

    MeshShape shape_;
    std::vector<int> chips_;
    const MeshDevice *parent_;
    std::unique_ptr<Allocator> allocator_;
    std::vector<std::unique_ptr<MeshCommandQueue>> queues_;
    mutable std::map<int, MeshDevice *> parts_;  // of one chip each
    std::map<MeshTraceId, std::vector<std::string>> traces_;
    std::uint32_t next_trace_ = 0;
    bool is_open_ = true;
};

std::ostream &operator<<(std::ostream &stream, const MeshDevice &device);

}  // namespace tt::tt_metal::distributed
