// A semaphore that lives longer than a program, at one address on several cores.
#pragma once

#include <memory>
#include <tt-metalium/buffer.hpp>

namespace tt::tt_metal
{

class GlobalSemaphore
{
  public:
    GlobalSemaphore(IDevice *device,
                    const CoreRangeSet &cores,
                    std::uint32_t value,
                    BufferType type = BufferType::L1);
    IDevice *device() const;
    DeviceAddr address() const;
    void reset_semaphore_value(std::uint32_t value) const;

  private:
    std::shared_ptr<Buffer> buffer_;
};

}  // namespace tt::tt_metal
