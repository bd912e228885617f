// Places of chips in a mesh of them.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace tt::tt_metal::distributed
{

// Numbers of chips along each dimension.
class MeshShape
{
  public:
    explicit MeshShape(std::uint32_t size) : sizes_{size}
    {
    }
    MeshShape(std::uint32_t rows, std::uint32_t columns) : sizes_{rows, columns}
    {
    }
    MeshShape(std::uint32_t a, std::uint32_t b, std::uint32_t c) : sizes_{a, b, c}
    {
    }
    explicit MeshShape(std::initializer_list<std::uint32_t> sizes) : sizes_(sizes)
    {
    }
    explicit MeshShape(std::vector<std::uint32_t> sizes) : sizes_(std::move(sizes))
    {
    }
    std::size_t dims() const
    {
        return sizes_.size();
    }
    std::uint32_t operator[](std::ptrdiff_t dim) const;
    std::size_t mesh_size() const;
    std::size_t get_stride(std::size_t dim) const;
    bool is_line_topology() const;
    bool operator==(const MeshShape &) const = default;

  private:
    std::vector<std::uint32_t> sizes_;
};

class MeshCoordinate
{
  public:
    explicit MeshCoordinate(std::uint32_t place) : places_{place}
    {
    }
    MeshCoordinate(std::uint32_t row, std::uint32_t column) : places_{row, column}
    {
    }
    MeshCoordinate(std::uint32_t a, std::uint32_t b, std::uint32_t c) : places_{a, b, c}
    {
    }
    explicit MeshCoordinate(std::span<const std::uint32_t> places)
        : places_(places.begin(), places.end())
    {
    }
    static MeshCoordinate zero_coordinate(std::size_t dims);
    // From its number in row-major order.
    static MeshCoordinate of_index(std::size_t index, const MeshShape &shape);

    std::size_t dims() const
    {
        return places_.size();
    }
    std::span<const std::uint32_t> coords() const
    {
        return places_;
    }
    std::uint32_t operator[](std::ptrdiff_t dim) const;
    std::size_t to_linear_index(const MeshShape &shape) const;
    auto operator<=>(const MeshCoordinate &) const = default;

  private:
    std::vector<std::uint32_t> places_;
};

// All coordinates between two, both included.
class MeshCoordinateRange
{
  public:
    // Row-major.
    class Iterator
    {
      public:
        using iterator_category = std::forward_iterator_tag;
        using value_type = MeshCoordinate;
        using difference_type = std::ptrdiff_t;
        using pointer = const MeshCoordinate *;
        using reference = const MeshCoordinate &;

        Iterator(const MeshCoordinateRange *range, std::size_t index);
        Iterator &operator++();
        const MeshCoordinate &operator*() const
        {
            return place_;
        }
        bool operator==(const Iterator &other) const
        {
            return index_ == other.index_;
        }

      private:
        const MeshCoordinateRange *range_;
        std::size_t index_;
        MeshCoordinate place_;
    };

    explicit MeshCoordinateRange(const MeshShape &shape);
    explicit MeshCoordinateRange(const MeshCoordinate &place)
        : MeshCoordinateRange(place, place)
    {
    }
    MeshCoordinateRange(const MeshCoordinate &first, const MeshCoordinate &last);

    std::size_t dims() const
    {
        return first_.dims();
    }
    const MeshCoordinate &start_coord() const
    {
        return first_;
    }
    const MeshCoordinate &end_coord() const
    {
        return last_;
    }
    MeshShape shape() const;
    bool contains(const MeshCoordinate &place) const;
    bool contains(const MeshCoordinateRange &range) const;
    bool intersects(const MeshCoordinateRange &range) const;
    Iterator begin() const;
    Iterator end() const;
    auto operator<=>(const MeshCoordinateRange &) const = default;

  private:
    MeshCoordinate first_;
    MeshCoordinate last_;
};

std::string format_as(const MeshShape &shape);
std::string format_as(const MeshCoordinate &place);
std::string format_as(const MeshCoordinateRange &range);
std::ostream &operator<<(std::ostream &stream, const MeshShape &shape);
std::ostream &operator<<(std::ostream &stream, const MeshCoordinate &place);
std::ostream &operator<<(std::ostream &stream, const MeshCoordinateRange &range);

}  // namespace tt::tt_metal::distributed

template <> struct std::hash<tt::tt_metal::distributed::MeshCoordinate> {
    std::size_t operator()(const tt::tt_metal::distributed::MeshCoordinate &place) const
    {
        std::size_t sum = 0;
        for (const std::uint32_t part : place.coords()) {
            sum = sum * 1000003 + part;
        }
        return sum;
    }
};
template <> struct std::hash<tt::tt_metal::distributed::MeshCoordinateRange> {
    std::size_t
    operator()(const tt::tt_metal::distributed::MeshCoordinateRange &range) const
    {
        const std::hash<tt::tt_metal::distributed::MeshCoordinate> of;
        return of(range.start_coord()) * 31 + of(range.end_coord());
    }
};
