// A height and a width.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace tt::tt_metal
{

class Shape2D
{
  public:
    constexpr Shape2D(std::size_t height, std::size_t width)
        : height_(height), width_(width)
    {
    }
    constexpr Shape2D(const std::pair<std::size_t, std::size_t> &size)
        : Shape2D(size.first, size.second)
    {
    }
    constexpr Shape2D(const std::array<std::size_t, 2> &size)
        : Shape2D(size[0], size[1])
    {
    }
    constexpr Shape2D(const std::array<std::uint32_t, 2> &size)
        : Shape2D(size[0], size[1])
    {
    }
    constexpr std::size_t height() const
    {
        return height_;
    }
    constexpr std::size_t width() const
    {
        return width_;
    }
    constexpr Shape2D operator*(std::size_t factor) const
    {
        return {height_ * factor, width_ * factor};
    }
    bool operator==(const Shape2D &) const = default;

  private:
    std::size_t height_;
    std::size_t width_;
};

inline std::pair<std::size_t, std::size_t> format_as(const Shape2D &shape)
{
    return {shape.height(), shape.width()};
}

}  // namespace tt::tt_metal
