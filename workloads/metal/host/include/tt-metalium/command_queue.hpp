// The queue of a device. What is enqueued is carried out at once, in order.
#pragma once

#include <cstdint>

namespace tt::tt_metal
{

class IDevice;

class CommandQueue
{
  public:
    CommandQueue(IDevice *device, std::uint32_t id) : owner_(device), id_(id)
    {
    }
    virtual ~CommandQueue() = default;
    CommandQueue(const CommandQueue &) = delete;
    CommandQueue &operator=(const CommandQueue &) = delete;

    std::uint32_t id() const
    {
        return id_;
    }
    IDevice *owner() const
    {
        return owner_;
    }

  private:
    IDevice *owner_;
    std::uint32_t id_;
};

}  // namespace tt::tt_metal
