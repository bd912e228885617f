// A buffer on all chips of a mesh: the same data, or a shard for each.
#pragma once

#include <memory>
#include <optional>
#include <tt-metalium/buffer.hpp>
#include <tt-metalium/mesh_coord.hpp>
#include <tt-metalium/shape2d.hpp>
#include <utility>
#include <variant>

namespace tt::tt_metal::distributed
{

class MeshDevice;

struct DeviceLocalBufferConfig {
    DeviceAddr page_size = 0;
    BufferType buffer_type = BufferType::DRAM;
    BufferShardingArgs sharding_args = std::nullopt;
    std::optional<bool> bottom_up = std::nullopt;
    std::optional<SubDeviceId> sub_device_id = std::nullopt;
};

struct ReplicatedBufferConfig {
    DeviceAddr size = 0;
};

// A matrix of elements, cut into shards: one for each chip, row-major. A shard with
// height or width 0 has all of it, and chips along that dimension have the same data.
struct ShardedBufferConfig {
    DeviceAddr global_size = 0;
    Shape2D global_buffer_shape = {0, 0};
    Shape2D shard_shape = {0, 0};
    ShardOrientation shard_orientation = ShardOrientation::ROW_MAJOR;

    std::uint32_t compute_datum_size_bytes() const;
    std::pair<bool, bool> replicated_dims() const;
    Shape2D physical_shard_shape() const;
};

enum class MeshBufferLayout : std::uint8_t {
    REPLICATED,
    SHARDED
};
using MeshBufferConfig = std::variant<ReplicatedBufferConfig, ShardedBufferConfig>;

class MeshBuffer
{
  public:
    static std::shared_ptr<MeshBuffer>
    create(const MeshBufferConfig &config,
           const DeviceLocalBufferConfig &local,
           MeshDevice *device,
           std::optional<DeviceAddr> address = std::nullopt);

    MeshDevice *device() const;
    DeviceAddr address() const;
    // Of the whole buffer: once if it is replicated.
    DeviceAddr size() const;
    DeviceAddr device_local_size() const;
    std::uint32_t page_size() const;
    std::uint32_t num_pages() const;
    bool is_allocated() const;
    void deallocate();
    MeshBufferLayout global_layout() const;
    const MeshBufferConfig &global_config() const;
    const ShardedBufferConfig &global_shard_spec() const;
    const DeviceLocalBufferConfig &device_local_config() const;
    std::uint32_t datum_size_bytes() const;
    Shape2D physical_shard_shape() const;
    std::pair<bool, bool> replicated_dims() const;
    Buffer *get_device_buffer(const MeshCoordinate &place) const;
    Buffer *get_reference_buffer() const;
    Buffer *get_backing_buffer() const;

  private:
    MeshBuffer(const MeshBufferConfig &config,
               const DeviceLocalBufferConfig &local,
               MeshDevice *device,
               std::optional<DeviceAddr> address);

    MeshBufferConfig config_;
    DeviceLocalBufferConfig local_;
    MeshDevice *device_;
    std::shared_ptr<Buffer> buffer_;
};

}  // namespace tt::tt_metal::distributed
