// Cores: one, a rectangle of them, and a set of rectangles.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tt_stl/span.hpp>
#include <umd/device/types/xy_pair.hpp>
#include <variant>
#include <vector>

namespace tt::tt_metal
{

using CoreCoord = tt_xy_pair;
class CoreRangeSet;

// All cores from the first to the last corner, both included.
class CoreRange
{
  public:
    CoreCoord start_coord;
    CoreCoord end_coord;

    // Row by row.
    class CoreIterator
    {
      public:
        using iterator_category = std::forward_iterator_tag;
        using value_type = CoreCoord;
        using difference_type = std::ptrdiff_t;
        using pointer = const CoreCoord *;
        using reference = const CoreCoord &;

        CoreIterator() = default;
        CoreIterator(const CoreCoord &place, const CoreRange &range)
            : place_(place), first_x_(range.start_coord.x), last_x_(range.end_coord.x)
        {
        }
        const CoreCoord &operator*() const
        {
            return place_;
        }
        const CoreCoord *operator->() const
        {
            return &place_;
        }
        CoreIterator &operator++();
        CoreIterator operator++(int);
        bool operator==(const CoreIterator &other) const
        {
            return place_ == other.place_;
        }

      private:
        CoreCoord place_;
        std::size_t first_x_ = 0;
        std::size_t last_x_ = 0;
    };

    CoreRange(const CoreCoord &core) : start_coord(core), end_coord(core)
    {
    }
    CoreRange(const CoreCoord &first, const CoreCoord &last);

    bool operator==(const CoreRange &) const = default;
    auto operator<=>(const CoreRange &) const = default;

    bool contains(const CoreCoord &core) const;
    bool contains(const CoreRange &other) const;
    bool contains(const CoreRangeSet &other) const;
    bool intersects(const CoreRange &other) const;
    std::optional<CoreRange> intersection(const CoreRange &other) const;
    // The rectangle of both, if they are one.
    std::optional<CoreRange> merge(const CoreRange &other) const;
    std::size_t size() const;
    CoreCoord grid_size() const;
    std::string str() const;
    CoreIterator begin() const;
    CoreIterator end() const;
};

// Rectangles that do not overlap.
class CoreRangeSet
{
  public:
    CoreRangeSet() = default;
    CoreRangeSet(const CoreRange &range) : ranges_{range}
    {
    }
    CoreRangeSet(const std::set<CoreRange> &ranges);
    CoreRangeSet(std::initializer_list<CoreRange> ranges);
    CoreRangeSet(std::vector<CoreRange> ranges);
    CoreRangeSet(std::span<const CoreRange> ranges);
    CoreRangeSet(std::span<const CoreCoord> cores);
    CoreRangeSet(const std::vector<CoreCoord> &cores);

    bool operator==(const CoreRangeSet &) const = default;

    bool empty() const;
    std::size_t size() const;
    std::uint32_t num_cores() const;
    const std::vector<CoreRange> &ranges() const;
    bool contains(const CoreCoord &core) const;
    bool contains(const CoreRange &range) const;
    bool contains(const CoreRangeSet &other) const;
    bool intersects(const CoreCoord &core) const;
    bool intersects(const CoreRange &range) const;
    bool intersects(const CoreRangeSet &other) const;
    CoreRangeSet intersection(const CoreRangeSet &other) const;
    CoreRangeSet subtract(const CoreRangeSet &other) const;
    CoreRangeSet merge_ranges() const;
    CoreRange bounding_box() const;
    std::string str() const;

    CoreRangeSet merge(const std::vector<CoreRange> &others) const
    {
        return merge<std::vector<CoreRange>>(others);
    }
    template <typename T> CoreRangeSet merge(const T &others) const
    {
        if constexpr (std::is_same_v<T, CoreRangeSet>) {
            return unite(others.ranges());
        } else {
            return unite(std::vector<CoreRange>(std::begin(others), std::end(others)));
        }
    }

  private:
    CoreRangeSet unite(const std::vector<CoreRange> &others) const;

    std::vector<CoreRange> ranges_;
};

using CoreSpecification = std::variant<CoreCoord, CoreRange, CoreRangeSet>;

std::vector<CoreCoord> grid_to_cores(std::uint32_t core_count,
                                     std::uint32_t columns,
                                     std::uint32_t rows,
                                     bool row_wise = false);
std::vector<CoreCoord>
grid_to_cores(CoreCoord first, CoreCoord last, bool row_wise = false);
std::vector<CoreCoord>
corerange_to_cores(const CoreRangeSet &cores,
                   std::optional<std::uint32_t> max_cores = std::nullopt,
                   bool row_wise = false);
// Those cores of a set that have these places in it, both ends included.
CoreRangeSet select_from_corerangeset(const CoreRangeSet &cores,
                                      std::uint32_t first,
                                      std::uint32_t last,
                                      bool row_wise = false);

std::string format_as(const CoreRange &range);
std::string format_as(const CoreRangeSet &ranges);
std::ostream &operator<<(std::ostream &stream, const CoreRange &range);
std::ostream &operator<<(std::ostream &stream, const CoreRangeSet &ranges);

}  // namespace tt::tt_metal

// Older programs find them without a namespace.
using CoreCoord = tt::tt_metal::CoreCoord;
using CoreRange = tt::tt_metal::CoreRange;
using CoreRangeSet = tt::tt_metal::CoreRangeSet;
using tt::tt_metal::corerange_to_cores;
using tt::tt_metal::grid_to_cores;

template <> struct std::hash<tt::tt_metal::CoreRange> {
    std::size_t operator()(const tt::tt_metal::CoreRange &range) const
    {
        const std::hash<tt_xy_pair> of;
        return of(range.start_coord) * 31 + of(range.end_coord);
    }
};
template <> struct std::hash<tt::tt_metal::CoreRangeSet> {
    std::size_t operator()(const tt::tt_metal::CoreRangeSet &ranges) const
    {
        std::size_t sum = 0;
        for (const auto &range : ranges.ranges()) {
            sum = sum * 31 + std::hash<tt::tt_metal::CoreRange>()(range);
        }
        return sum;
    }
};
