// A place in a grid.
#pragma once

#include <compare>
#include <cstddef>
#include <functional>
#include <gridloom/format.hpp>
#include <string>

namespace tt::umd
{

struct xy_pair {
    std::size_t x = 0;
    std::size_t y = 0;

    constexpr xy_pair() = default;
    constexpr xy_pair(std::size_t column, std::size_t row) : x(column), y(row)
    {
    }
    // By column, then by row.
    constexpr auto operator<=>(const xy_pair &) const = default;

    std::string str() const
    {
        return fmt::format("(x={},y={})", x, y);
    }
};

inline std::string format_as(const xy_pair &place)
{
    return place.str();
}
inline std::ostream &operator<<(std::ostream &stream, const xy_pair &place)
{
    return stream << place.str();
}

}  // namespace tt::umd

using tt_xy_pair = tt::umd::xy_pair;

template <> struct std::hash<tt_xy_pair> {
    std::size_t operator()(const tt_xy_pair &place) const
    {
        return place.x * 1000003 + place.y;
    }
};
