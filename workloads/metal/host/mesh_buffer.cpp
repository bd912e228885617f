// A buffer on all chips of a mesh: the same data, or a shard for each.
#include <gridloom/failure.hpp>
#include <tt-metalium/mesh_buffer.hpp>
#include <tt-metalium/mesh_device.hpp>

namespace tt::tt_metal::distributed
{

using gridloom::refuse;

std::uint32_t ShardedBufferConfig::compute_datum_size_bytes() const
{
    const std::size_t elements =
        global_buffer_shape.height() * global_buffer_shape.width();

    if (elements == 0 || global_size % elements != 0) {
        refuse("{} bytes are no matrix of {} elements", global_size,
               global_buffer_shape);
    }
    return static_cast<std::uint32_t>(global_size / elements);
}

std::pair<bool, bool> ShardedBufferConfig::replicated_dims() const
{
    return {shard_shape.height() == 0, shard_shape.width() == 0};
}

Shape2D ShardedBufferConfig::physical_shard_shape() const
{
    const auto [is_high, is_wide] = replicated_dims();
    const Shape2D shape(is_high ? global_buffer_shape.height() : shard_shape.height(),
                        is_wide ? global_buffer_shape.width() : shard_shape.width());

    if (shape.height() == 0 || shape.width() == 0 ||
        global_buffer_shape.height() % shape.height() != 0 ||
        global_buffer_shape.width() % shape.width() != 0) {
        refuse("a buffer of {} elements is not made of shards of {}",
               global_buffer_shape, shape);
    }
    return shape;
}

namespace
{

DeviceAddr local_size(const MeshBufferConfig &config)
{
    if (const auto *replicated = std::get_if<ReplicatedBufferConfig>(&config)) {
        return replicated->size;
    }
    const auto &sharded = std::get<ShardedBufferConfig>(config);
    const Shape2D shape = sharded.physical_shard_shape();
    return DeviceAddr{sharded.compute_datum_size_bytes()} * shape.height() *
           shape.width();
}

}  // namespace

MeshBuffer::MeshBuffer(const MeshBufferConfig &config,
                       const DeviceLocalBufferConfig &local,
                       MeshDevice *device,
                       std::optional<DeviceAddr> address)
    : config_(config), local_(local), device_(device)
{
    const DeviceAddr size = local_size(config);

    buffer_ = address ? Buffer::create(device, *address, size, local.page_size,
                                       local.buffer_type, local.sharding_args,
                                       local.bottom_up)
                      : Buffer::create(device, size, local.page_size, local.buffer_type,
                                       local.sharding_args, local.bottom_up);
}

std::shared_ptr<MeshBuffer> MeshBuffer::create(const MeshBufferConfig &config,
                                               const DeviceLocalBufferConfig &local,
                                               MeshDevice *device,
                                               std::optional<DeviceAddr> address)
{
    return std::shared_ptr<MeshBuffer>(new MeshBuffer(config, local, device, address));
}

MeshDevice *MeshBuffer::device() const
{
    return device_;
}

DeviceAddr MeshBuffer::address() const
{
    return buffer_->address();
}

DeviceAddr MeshBuffer::size() const
{
    const auto *sharded = std::get_if<ShardedBufferConfig>(&config_);

    return sharded ? sharded->global_size : buffer_->size();
}

DeviceAddr MeshBuffer::device_local_size() const
{
    return buffer_->size();
}

std::uint32_t MeshBuffer::page_size() const
{
    return static_cast<std::uint32_t>(local_.page_size);
}

std::uint32_t MeshBuffer::num_pages() const
{
    return buffer_->num_pages();
}

bool MeshBuffer::is_allocated() const
{
    return buffer_->is_allocated();
}

void MeshBuffer::deallocate()
{
    buffer_->deallocate();
}

MeshBufferLayout MeshBuffer::global_layout() const
{
    return std::holds_alternative<ShardedBufferConfig>(config_)
               ? MeshBufferLayout::SHARDED
               : MeshBufferLayout::REPLICATED;
}

const MeshBufferConfig &MeshBuffer::global_config() const
{
    return config_;
}

const ShardedBufferConfig &MeshBuffer::global_shard_spec() const
{
    if (global_layout() != MeshBufferLayout::SHARDED) {
        refuse("a replicated buffer has no shards");
    }
    return std::get<ShardedBufferConfig>(config_);
}

const DeviceLocalBufferConfig &MeshBuffer::device_local_config() const
{
    return local_;
}

std::uint32_t MeshBuffer::datum_size_bytes() const
{
    return global_shard_spec().compute_datum_size_bytes();
}

Shape2D MeshBuffer::physical_shard_shape() const
{
    return global_shard_spec().physical_shard_shape();
}

std::pair<bool, bool> MeshBuffer::replicated_dims() const
{
    return global_shard_spec().replicated_dims();
}

Buffer *MeshBuffer::get_device_buffer(const MeshCoordinate &place) const
{
    device_->chip_at(place);
    return buffer_.get();
}

Buffer *MeshBuffer::get_reference_buffer() const
{
    return buffer_.get();
}

Buffer *MeshBuffer::get_backing_buffer() const
{
    return buffer_.get();
}

}  // namespace tt::tt_metal::distributed
