// Numbers rounded up to a power of two.
#pragma once

#include <type_traits>

namespace tt
{

template <typename A, typename B>
constexpr std::common_type_t<A, B> align(A value, B alignment)
{
    using T = std::common_type_t<A, B>;
    const T mask = static_cast<T>(alignment) - 1;

    return (static_cast<T>(value) + mask) & ~mask;
}

}  // namespace tt
