// A part of a device's cores.
#pragma once

#include <array>
#include <span>
#include <tt-metalium/core_coord.hpp>
#include <tt-metalium/hal_types.hpp>
#include <tt-metalium/sub_device_types.hpp>
#include <vector>

namespace tt::tt_metal
{

class SubDevice
{
  public:
    template <std::size_t n>
    explicit SubDevice(const std::array<CoreRangeSet, n> &cores) : cores_(cores[0])
    {
    }
    explicit SubDevice(std::span<const CoreRangeSet> cores) : cores_(cores[0])
    {
    }
    const CoreRangeSet &
    cores(HalProgrammableCoreType = HalProgrammableCoreType::TENSIX) const
    {
        return cores_;
    }
    std::uint32_t
    num_cores(HalProgrammableCoreType = HalProgrammableCoreType::TENSIX) const
    {
        return cores_.num_cores();
    }

  private:
    CoreRangeSet cores_;
};

}  // namespace tt::tt_metal
