// Memory of a device: pages in the banks of DRAM or in L1 of its cores.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <tt-metalium/buffer_types.hpp>
#include <tt-metalium/core_coord.hpp>
#include <tt-metalium/sub_device_types.hpp>
#include <tuple>
#include <vector>

namespace gridloom
{
struct Placement;
}  // namespace gridloom

namespace tt::tt_metal
{

class IDevice;
using DeviceAddr = std::uint64_t;

// A part of a tensor for each core: rows and columns of elements.
struct ShardSpec {
    CoreRangeSet grid;
    std::array<std::uint32_t, 2> shape;
    ShardOrientation orientation = ShardOrientation::ROW_MAJOR;

    ShardSpec(const CoreRangeSet &cores,
              const std::array<std::uint32_t, 2> &size,
              ShardOrientation order = ShardOrientation::ROW_MAJOR)
        : grid(cores), shape(size), orientation(order)
    {
    }
    std::uint32_t num_cores() const
    {
        return grid.num_cores();
    }
    std::uint32_t numel() const
    {
        return shape[0] * shape[1];
    }
};

// The same with the pages that it is made of.
struct ShardSpecBuffer {
    ShardSpec tensor_shard_spec;
    std::array<std::uint32_t, 2> page_shape;
    std::array<std::uint32_t, 2> tensor2d_shape_in_pages;

    ShardSpecBuffer(const CoreRangeSet &cores,
                    const std::array<std::uint32_t, 2> &shard_shape,
                    ShardOrientation orientation,
                    const std::array<std::uint32_t, 2> &page,
                    const std::array<std::uint32_t, 2> &tensor_in_pages);
    ShardSpecBuffer(const ShardSpec &shard,
                    const std::array<std::uint32_t, 2> &page,
                    const std::array<std::uint32_t, 2> &tensor_in_pages);

    CoreRangeSet grid() const;
    std::array<std::uint32_t, 2> shape() const;
    ShardOrientation orientation() const;
    std::array<std::uint32_t, 2> shape_in_pages() const;
    DeviceAddr num_pages() const;
};

class BufferShardingArgs
{
  public:
    BufferShardingArgs() = default;
    BufferShardingArgs(std::nullopt_t)
    {
    }
    BufferShardingArgs(std::optional<ShardSpecBuffer> spec, TensorMemoryLayout layout)
        : spec_(std::move(spec)), layout_(layout)
    {
    }
    const std::optional<ShardSpecBuffer> &shard_spec() const
    {
        return spec_;
    }
    TensorMemoryLayout buffer_layout() const
    {
        return layout_;
    }

  private:
    std::optional<ShardSpecBuffer> spec_;
    TensorMemoryLayout layout_ = TensorMemoryLayout::INTERLEAVED;
};

struct BufferConfig {
    IDevice *device;
    DeviceAddr size;
    DeviceAddr page_size;
    BufferType buffer_type;
    TensorMemoryLayout buffer_layout = TensorMemoryLayout::INTERLEAVED;
};
using InterleavedBufferConfig = BufferConfig;

struct ShardedBufferConfig {
    IDevice *device;
    DeviceAddr size;
    DeviceAddr page_size;
    BufferType buffer_type = BufferType::L1;
    TensorMemoryLayout buffer_layout = TensorMemoryLayout::HEIGHT_SHARDED;
    ShardSpecBuffer shard_parameters;
};

// Lies at the same address on all chips of its device.
class Buffer
{
  public:
    static std::shared_ptr<Buffer>
    create(IDevice *device,
           DeviceAddr size,
           DeviceAddr page_size,
           BufferType type,
           const BufferShardingArgs &sharding = std::nullopt,
           std::optional<bool> bottom_up = std::nullopt,
           std::optional<SubDeviceId> sub_device_id = std::nullopt);
    static std::shared_ptr<Buffer>
    create(IDevice *device,
           DeviceAddr address,
           DeviceAddr size,
           DeviceAddr page_size,
           BufferType type,
           const BufferShardingArgs &sharding = std::nullopt,
           std::optional<bool> bottom_up = std::nullopt,
           std::optional<SubDeviceId> sub_device_id = std::nullopt);
    ~Buffer();
    Buffer(const Buffer &) = delete;
    Buffer &operator=(const Buffer &) = delete;

    IDevice *device() const;
    std::uint32_t address() const;
    DeviceAddr size() const;
    DeviceAddr page_size() const;
    DeviceAddr aligned_page_size() const;
    DeviceAddr aligned_size() const;
    DeviceAddr aligned_size_per_bank() const;
    std::uint32_t num_pages() const;
    std::uint32_t alignment() const;
    BufferType buffer_type() const;
    TensorMemoryLayout buffer_layout() const;
    bool is_l1() const;
    bool is_dram() const;
    bool is_allocated() const;
    bool bottom_up() const;
    bool has_shard_spec() const;
    ShardSpecBuffer shard_spec() const;
    std::optional<std::uint32_t> num_cores() const;
    // The address of a page inside its bank, and the bank.
    DeviceAddr page_address(DeviceAddr bank, DeviceAddr page) const;
    DeviceAddr bank_of(DeviceAddr page) const;
    // Where on a NoC a bank is.
    CoreCoord noc_coordinates(std::uint32_t bank = 0) const;
    // Where each page lies.
    const gridloom::Placement &placement() const;
    void deallocate();

  private:
    struct Choice {
        DeviceAddr size;
        DeviceAddr page_size;
        BufferType type;
        BufferShardingArgs sharding;
        std::optional<bool> bottom_up;
    };
    Buffer(IDevice *device, const Choice &choice, std::optional<DeviceAddr> address);

    IDevice *device_;
    Choice choice_;
    DeviceAddr address_ = 0;
    bool is_owner_ = false;
    bool is_allocated_ = true;
    std::unique_ptr<gridloom::Placement> placement_;
};

bool is_sharded(const TensorMemoryLayout &layout);

}  // namespace tt::tt_metal
