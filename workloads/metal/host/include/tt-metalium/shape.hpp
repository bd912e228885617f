// The extents of a tensor.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <numeric>
#include <vector>

namespace tt::tt_metal
{

class Shape
{
  public:
    Shape() = default;
    Shape(std::initializer_list<std::uint32_t> extents) : extents_(extents)
    {
    }
    explicit Shape(std::vector<std::uint32_t> extents) : extents_(std::move(extents))
    {
    }

    // Negative numbers count from the end.
    std::uint32_t operator[](std::int32_t dim) const
    {
        return extents_.at(dim < 0 ? extents_.size() + static_cast<std::size_t>(dim)
                                   : static_cast<std::size_t>(dim));
    }
    std::uint32_t &operator[](std::int32_t dim)
    {
        return extents_.at(dim < 0 ? extents_.size() + static_cast<std::size_t>(dim)
                                   : static_cast<std::size_t>(dim));
    }
    std::size_t rank() const
    {
        return extents_.size();
    }
    std::size_t size() const
    {
        return extents_.size();
    }
    std::uint64_t volume() const
    {
        return std::accumulate(extents_.begin(), extents_.end(), std::uint64_t{1},
                               std::multiplies<>());
    }
    auto begin() const
    {
        return extents_.begin();
    }
    auto end() const
    {
        return extents_.end();
    }
    bool operator==(const Shape &other) const = default;

  private:
    std::vector<std::uint32_t> extents_;
};

}  // namespace tt::tt_metal
