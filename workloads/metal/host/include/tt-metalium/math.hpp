// Division that rounds up or down.
#pragma once

#include <type_traits>

namespace tt
{

template <typename A, typename B> constexpr std::common_type_t<A, B> div_up(A a, B b)
{
    return a / b + (a % b != 0 ? 1 : 0);
}
template <typename A, typename B>
constexpr std::common_type_t<A, B> round_down(A a, B b)
{
    return a - a % b;
}
template <typename A, typename B> constexpr std::common_type_t<A, B> round_up(A a, B b)
{
    return round_down(a + b - 1, b);
}

}  // namespace tt
