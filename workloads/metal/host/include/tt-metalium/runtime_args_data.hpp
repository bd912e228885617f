// Runtime arguments of a kernel on one core, to be read and changed in place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <gridloom/failure.hpp>

namespace tt::tt_metal
{

struct RuntimeArgsData {
    std::uint32_t *rt_args_data = nullptr;
    std::size_t rt_args_count = 0;

    std::uint32_t *data() noexcept
    {
        return rt_args_data;
    }
    const std::uint32_t *data() const noexcept
    {
        return rt_args_data;
    }
    std::size_t size() const noexcept
    {
        return rt_args_count;
    }
    std::uint32_t &operator[](std::size_t index)
    {
        return at(index);
    }
    const std::uint32_t &operator[](std::size_t index) const
    {
        return const_cast<RuntimeArgsData *>(this)->at(index);
    }
    std::uint32_t &at(std::size_t index)
    {
        if (index >= rt_args_count) {
            gridloom::refuse("runtime argument {} is asked of {}", index,
                             rt_args_count);
        }
        return rt_args_data[index];
    }
};

}  // namespace tt::tt_metal
