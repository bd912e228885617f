// A view of values that lie one after another.
#pragma once

#include <initializer_list>
#include <span>
#include <vector>

namespace ttsl
{

template <typename T> class Span : public std::span<T>
{
  public:
    using std::span<T>::span;
    constexpr Span(std::span<T> values) : std::span<T>(values)
    {
    }
};

template <typename T> Span<T> make_span(std::vector<T> &values)
{
    return Span<T>(values);
}
template <typename T> Span<const T> make_const_span(const std::vector<T> &values)
{
    return Span<const T>(values);
}

}  // namespace ttsl

namespace tt::stl
{
using ttsl::make_const_span;
using ttsl::make_span;
using ttsl::Span;
}  // namespace tt::stl
