// A type of its own around a value.
#pragma once

#include <compare>
#include <ostream>
#include <string>
#include <utility>

namespace ttsl
{

template <typename T, typename Tag> class StrongType
{
  public:
    constexpr StrongType() = default;
    constexpr explicit StrongType(T value) : value_(std::move(value))
    {
    }
    constexpr const T &operator*() const
    {
        return value_;
    }
    constexpr const T *operator->() const
    {
        return &value_;
    }
    constexpr const T &get() const
    {
        return value_;
    }
    auto operator<=>(const StrongType &) const = default;

    friend std::ostream &operator<<(std::ostream &stream, const StrongType &value)
    {
        return stream << value.value_;
    }

  private:
    T value_{};
};

}  // namespace ttsl

namespace tt::stl
{
using ttsl::StrongType;
}  // namespace tt::stl

template <typename T, typename Tag> struct std::hash<ttsl::StrongType<T, Tag>> {
    std::size_t operator()(const ttsl::StrongType<T, Tag> &value) const
    {
        return std::hash<T>()(*value);
    }
};
