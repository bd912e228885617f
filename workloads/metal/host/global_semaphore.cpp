// A semaphore that lives longer than a program, at one address on several cores.
#include <tt-metalium/device.hpp>
#include <tt-metalium/global_semaphore.hpp>

#include "transfer.hpp"

namespace tt::tt_metal
{

GlobalSemaphore::GlobalSemaphore(IDevice *device,
                                 const CoreRangeSet &cores,
                                 std::uint32_t value,
                                 BufferType type)
    : buffer_(
          Buffer::create(device,
                         cores.num_cores() * sizeof value,
                         sizeof value,
                         type,
                         BufferShardingArgs(ShardSpecBuffer(cores,
                                                            {1, 1},
                                                            ShardOrientation::ROW_MAJOR,
                                                            {1, 1},
                                                            {cores.num_cores(), 1}),
                                            TensorMemoryLayout::HEIGHT_SHARDED)))
{
    reset_semaphore_value(value);
}

IDevice *GlobalSemaphore::device() const
{
    return buffer_->device();
}

DeviceAddr GlobalSemaphore::address() const
{
    return buffer_->address();
}

void GlobalSemaphore::reset_semaphore_value(std::uint32_t value) const
{
    const std::vector<std::uint32_t> values(buffer_->num_pages(), value);

    for (const int chip : device()->chips()) {
        gridloom::write_buffer(chip, *buffer_, std::as_bytes(std::span(values)));
    }
}

}  // namespace tt::tt_metal
