// Which cores send commands; it changes nothing here.
#pragma once

#include <cstdint>

namespace tt::tt_metal
{

enum class DispatchCoreType : std::uint32_t {
    WORKER,
    ETH,
    COUNT
};
enum class DispatchCoreAxis : std::uint32_t {
    ROW,
    COL,
    COUNT
};

class DispatchCoreConfig
{
  public:
    DispatchCoreConfig() = default;
    DispatchCoreConfig(DispatchCoreType type) : type_(type)
    {
    }
    DispatchCoreConfig(DispatchCoreType type, DispatchCoreAxis) : type_(type)
    {
    }
    DispatchCoreType get_dispatch_core_type() const
    {
        return type_;
    }

  private:
    DispatchCoreType type_ = DispatchCoreType::WORKER;
};

}  // namespace tt::tt_metal
