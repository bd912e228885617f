// Memory of a device: pages in the banks of DRAM or in L1 of its cores.
#include <gridloom/failure.hpp>
#include <numeric>
#include <tt-metalium/buffer.hpp>
#include <tt-metalium/device.hpp>

#include "machine.hpp"
#include "memory.hpp"
#include "placement.hpp"

namespace tt::tt_metal
{

using gridloom::machine;
using gridloom::Placement;
using gridloom::refuse;

ShardSpecBuffer::ShardSpecBuffer(const CoreRangeSet &cores,
                                 const std::array<std::uint32_t, 2> &shard_shape,
                                 ShardOrientation orientation,
                                 const std::array<std::uint32_t, 2> &page,
                                 const std::array<std::uint32_t, 2> &tensor_in_pages)
    : ShardSpecBuffer(ShardSpec(cores, shard_shape, orientation), page, tensor_in_pages)
{
}

ShardSpecBuffer::ShardSpecBuffer(const ShardSpec &shard,
                                 const std::array<std::uint32_t, 2> &page,
                                 const std::array<std::uint32_t, 2> &tensor_in_pages)
    : tensor_shard_spec(shard), page_shape(page),
      tensor2d_shape_in_pages(tensor_in_pages)
{
}

CoreRangeSet ShardSpecBuffer::grid() const
{
    return tensor_shard_spec.grid;
}

std::array<std::uint32_t, 2> ShardSpecBuffer::shape() const
{
    return tensor_shard_spec.shape;
}

ShardOrientation ShardSpecBuffer::orientation() const
{
    return tensor_shard_spec.orientation;
}

std::array<std::uint32_t, 2> ShardSpecBuffer::shape_in_pages() const
{
    const auto &[rows, columns] = tensor_shard_spec.shape;

    if (page_shape[0] == 0 || page_shape[1] == 0 || rows % page_shape[0] != 0 ||
        columns % page_shape[1] != 0 || rows == 0 || columns == 0) {
        refuse("a shard of {} x {} is not made of pages of {} x {}", rows, columns,
               page_shape[0], page_shape[1]);
    }
    return {rows / page_shape[0], columns / page_shape[1]};
}

DeviceAddr ShardSpecBuffer::num_pages() const
{
    const auto &[rows, columns] = shape_in_pages();

    return DeviceAddr{rows} * columns;
}

namespace
{

// The number of a core or bank in requests.
std::uint32_t place_of(const CoreCoord &core, bool is_dram)
{
    const std::uint32_t columns = is_dram ? machine().dram_banks : machine().columns;
    const std::uint32_t rows = is_dram ? 1 : machine().rows;

    if (core.x >= columns || core.y >= rows) {
        refuse("a shard lies on core {}, outside of the grid of {} x {}", core, columns,
               rows);
    }
    return static_cast<std::uint32_t>(core.y * columns + core.x);
}

std::unique_ptr<Placement> place(const IDevice &device,
                                 DeviceAddr size,
                                 DeviceAddr page_size,
                                 BufferType type,
                                 const std::optional<ShardSpecBuffer> &shards)
{
    auto placement = std::make_unique<Placement>();
    const std::uint64_t alignment = device.allocator()->get_alignment(type);

    if (page_size == 0 ? size != 0 : size % page_size != 0) {
        refuse("a buffer of {} bytes is not made of pages of {} bytes", size,
               page_size);
    }
    placement->is_dram = type == BufferType::DRAM;
    placement->pages = page_size == 0 ? 0 : size / page_size;
    placement->page_bytes = page_size;
    placement->stride = (page_size + alignment - 1) / alignment * alignment;
    if (shards) {
        const bool row_wise = shards->orientation() == ShardOrientation::ROW_MAJOR;
        const auto &tensor = shards->tensor2d_shape_in_pages;
        const auto shard = shards->shape_in_pages();
        if (DeviceAddr{tensor[0]} * tensor[1] != placement->pages) {
            refuse("a tensor of {} x {} pages has a buffer of {} pages", tensor[0],
                   tensor[1], placement->pages);
        }
        placement->tensor = {tensor[0], tensor[1]};
        placement->shard = {shard[0], shard[1]};
        for (const CoreCoord &core :
             corerange_to_cores(shards->grid(), std::nullopt, row_wise)) {
            placement->places.push_back(place_of(core, placement->is_dram));
        }
    } else if (placement->is_dram) {
        placement->places.resize(machine().dram_banks);
        std::iota(placement->places.begin(), placement->places.end(), 0U);
    } else {
        placement->places = gridloom::l1_bank_cores(machine().core_count());
    }
    return placement;
}

}  // namespace

Buffer::Buffer(IDevice *device, const Choice &choice, std::optional<DeviceAddr> address)
    : device_(device), choice_(choice)
{
    if (!device || !device->is_initialized()) {
        refuse("a buffer is created on a device that is closed");
    }
    if (is_sharded(choice.sharding.buffer_layout()) && !choice.sharding.shard_spec()) {
        refuse("a buffer with layout {} has no shard spec",
               choice.sharding.buffer_layout());
    }
    gridloom::Memory &memory = device->allocator()->memory(choice.type);
    placement_ = place(*device, choice.size, choice.page_size, choice.type,
                       choice.sharding.shard_spec());
    const DeviceAddr bytes = placement_->bytes_per_bank();
    if (address) {
        if (!memory.contains(*address, bytes)) {
            refuse("a buffer of {} bytes a bank at {:#x} lies outside of {}, which "
                   "ends at "
                   "{:#x}",
                   bytes, *address, choice.type,
                   choice.type == BufferType::DRAM ? machine().dram_bank_bytes
                                                   : machine().l1_end);
        }
        address_ = *address;
        return;
    }
    const auto found = memory.allocate(bytes, bottom_up());
    if (!found) {
        refuse("out of memory: a {} buffer of {} bytes takes {} bytes in each of {} "
               "banks, "
               "which have {} bytes left",
               choice.type, choice.size, bytes, placement_->places.size(),
               memory.free_bytes());
    }
    address_ = *found;
    is_owner_ = true;
}

std::shared_ptr<Buffer> Buffer::create(IDevice *device,
                                       DeviceAddr size,
                                       DeviceAddr page_size,
                                       BufferType type,
                                       const BufferShardingArgs &sharding,
                                       std::optional<bool> bottom_up,
                                       std::optional<SubDeviceId>)
{
    return std::shared_ptr<Buffer>(
        new Buffer(device, {size, page_size, type, sharding, bottom_up}, std::nullopt));
}

std::shared_ptr<Buffer> Buffer::create(IDevice *device,
                                       DeviceAddr address,
                                       DeviceAddr size,
                                       DeviceAddr page_size,
                                       BufferType type,
                                       const BufferShardingArgs &sharding,
                                       std::optional<bool> bottom_up,
                                       std::optional<SubDeviceId>)
{
    return std::shared_ptr<Buffer>(
        new Buffer(device, {size, page_size, type, sharding, bottom_up}, address));
}

Buffer::~Buffer()
{
    deallocate();
}

void Buffer::deallocate()
{
    // A device that was closed has released all of its memory.
    if (is_owner_ && is_allocated_ && device_->is_initialized()) {
        device_->allocator()->memory(choice_.type).release(address_);
    }
    is_allocated_ = false;
}

IDevice *Buffer::device() const
{
    return device_;
}

std::uint32_t Buffer::address() const
{
    return static_cast<std::uint32_t>(address_);
}

DeviceAddr Buffer::size() const
{
    return choice_.size;
}

DeviceAddr Buffer::page_size() const
{
    return choice_.page_size;
}

DeviceAddr Buffer::aligned_page_size() const
{
    return placement_->stride;
}

DeviceAddr Buffer::aligned_size() const
{
    return placement_->stride * placement_->pages;
}

DeviceAddr Buffer::aligned_size_per_bank() const
{
    return placement_->bytes_per_bank();
}

std::uint32_t Buffer::num_pages() const
{
    return static_cast<std::uint32_t>(placement_->pages);
}

std::uint32_t Buffer::alignment() const
{
    return device_->allocator()->get_alignment(choice_.type);
}

BufferType Buffer::buffer_type() const
{
    return choice_.type;
}

TensorMemoryLayout Buffer::buffer_layout() const
{
    return choice_.sharding.buffer_layout();
}

bool Buffer::is_l1() const
{
    return !is_dram();
}

bool Buffer::is_dram() const
{
    return choice_.type == BufferType::DRAM;
}

bool Buffer::is_allocated() const
{
    return is_allocated_;
}

bool Buffer::bottom_up() const
{
    return choice_.bottom_up.value_or(is_dram());
}

bool Buffer::has_shard_spec() const
{
    return choice_.sharding.shard_spec().has_value();
}

ShardSpecBuffer Buffer::shard_spec() const
{
    if (!has_shard_spec()) {
        refuse("an interleaved buffer has no shard spec");
    }
    return *choice_.sharding.shard_spec();
}

std::optional<std::uint32_t> Buffer::num_cores() const
{
    return has_shard_spec() ? std::optional(shard_spec().grid().num_cores())
                            : std::nullopt;
}

DeviceAddr Buffer::page_address(DeviceAddr bank, DeviceAddr page) const
{
    if (bank_of(page) != bank) {
        refuse("page {} lies in bank {}, not in {}", page, bank_of(page), bank);
    }
    return address_ + placement_->spot(page).page * placement_->stride;
}

CoreCoord Buffer::noc_coordinates(std::uint32_t bank) const
{
    const std::vector<std::uint32_t> &places = machine().dram_places;

    if (is_dram()) {
        if (2 * bank + 1 >= places.size()) {
            refuse("DRAM bank {} is asked for, there are {}", bank, places.size() / 2);
        }
        return {places[2 * bank], places[2 * bank + 1]};
    }
    const std::uint32_t place = placement().places.at(bank);
    return device()->worker_core_from_logical_core(
        {place % machine().columns, place / machine().columns});
}

DeviceAddr Buffer::bank_of(DeviceAddr page) const
{
    return placement_->spot(page).bank;
}

const Placement &Buffer::placement() const
{
    return *placement_;
}

bool is_sharded(const TensorMemoryLayout &layout)
{
    return layout != TensorMemoryLayout::INTERLEAVED;
}

}  // namespace tt::tt_metal
