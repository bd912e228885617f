// A moment in a command queue.
#pragma once

#include <cstdint>

namespace tt::tt_metal
{

struct Event {
    std::uint32_t event_id = 0;
};

namespace distributed
{

class MeshDevice;

class MeshEvent
{
  public:
    MeshEvent(std::uint32_t id, MeshDevice *device) : id_(id), device_(device)
    {
    }
    std::uint32_t id() const
    {
        return id_;
    }
    MeshDevice *device() const
    {
        return device_;
    }

  private:
    std::uint32_t id_;
    MeshDevice *device_;
};

}  // namespace distributed

}  // namespace tt::tt_metal
