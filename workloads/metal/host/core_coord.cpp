// Cores: one, a rectangle of them, and a set of rectangles.
#include <algorithm>
#include <gridloom/failure.hpp>
#include <tt-metalium/core_coord.hpp>

namespace tt::tt_metal
{

CoreRange::CoreIterator &CoreRange::CoreIterator::operator++()
{
    if (place_.x == last_x_) {
        place_.x = first_x_;
        ++place_.y;
    } else {
        ++place_.x;
    }
    return *this;
}

CoreRange::CoreIterator CoreRange::CoreIterator::operator++(int)
{
    CoreIterator before = *this;

    ++*this;
    return before;
}

CoreRange::CoreRange(const CoreCoord &first, const CoreCoord &last)
    : start_coord(first), end_coord(last)
{
    if (last.x < first.x || last.y < first.y) {
        gridloom::refuse("a range of cores ends at {}, before its start {}", last,
                         first);
    }
}

bool CoreRange::contains(const CoreCoord &core) const
{
    return core.x >= start_coord.x && core.x <= end_coord.x &&
           core.y >= start_coord.y && core.y <= end_coord.y;
}

bool CoreRange::contains(const CoreRange &other) const
{
    return contains(other.start_coord) && contains(other.end_coord);
}

bool CoreRange::contains(const CoreRangeSet &other) const
{
    return std::ranges::all_of(other.ranges(),
                               [&](const CoreRange &range) { return contains(range); });
}

std::optional<CoreRange> CoreRange::intersection(const CoreRange &other) const
{
    const CoreCoord first(std::max(start_coord.x, other.start_coord.x),
                          std::max(start_coord.y, other.start_coord.y));
    const CoreCoord last(std::min(end_coord.x, other.end_coord.x),
                         std::min(end_coord.y, other.end_coord.y));

    if (first.x > last.x || first.y > last.y) {
        return std::nullopt;
    }
    return CoreRange(first, last);
}

bool CoreRange::intersects(const CoreRange &other) const
{
    return intersection(other).has_value();
}

std::optional<CoreRange> CoreRange::merge(const CoreRange &other) const
{
    const CoreRange both({std::min(start_coord.x, other.start_coord.x),
                          std::min(start_coord.y, other.start_coord.y)},
                         {std::max(end_coord.x, other.end_coord.x),
                          std::max(end_coord.y, other.end_coord.y)});
    const auto shared = intersection(other);
    const std::size_t covered = size() + other.size() - (shared ? shared->size() : 0);

    return both.size() == covered ? std::optional(both) : std::nullopt;
}

std::size_t CoreRange::size() const
{
    return grid_size().x * grid_size().y;
}

CoreCoord CoreRange::grid_size() const
{
    return {end_coord.x - start_coord.x + 1, end_coord.y - start_coord.y + 1};
}

std::string CoreRange::str() const
{
    return fmt::format("[{} - {}]", start_coord, end_coord);
}

CoreRange::CoreIterator CoreRange::begin() const
{
    return {start_coord, *this};
}

CoreRange::CoreIterator CoreRange::end() const
{
    return {{start_coord.x, end_coord.y + 1}, *this};
}

namespace
{

std::vector<CoreRange> without_overlap(std::vector<CoreRange> ranges)
{
    for (auto one = ranges.begin(); one != ranges.end(); ++one) {
        for (auto other = ranges.begin(); other != one; ++other) {
            if (one->intersects(*other)) {
                gridloom::refuse("core ranges {} and {} overlap", *other, *one);
            }
        }
    }
    return ranges;
}

// What is left of a rectangle without another one that overlaps it: up to four.
std::vector<CoreRange> remains(const CoreRange &range, const CoreRange &hole)
{
    const auto &[first, last] = std::tie(range.start_coord, range.end_coord);
    const CoreRange cut = range.intersection(hole).value();
    std::vector<CoreRange> parts;

    if (first.y < cut.start_coord.y) {
        parts.emplace_back(first, CoreCoord(last.x, cut.start_coord.y - 1));
    }
    if (first.x < cut.start_coord.x) {
        parts.emplace_back(CoreCoord(first.x, cut.start_coord.y),
                           CoreCoord(cut.start_coord.x - 1, cut.end_coord.y));
    }
    if (cut.end_coord.x < last.x) {
        parts.emplace_back(CoreCoord(cut.end_coord.x + 1, cut.start_coord.y),
                           CoreCoord(last.x, cut.end_coord.y));
    }
    if (cut.end_coord.y < last.y) {
        parts.emplace_back(CoreCoord(first.x, cut.end_coord.y + 1), last);
    }
    return parts;
}

std::vector<CoreRange> as_ranges(std::span<const CoreCoord> cores)
{
    return {cores.begin(), cores.end()};
}

}  // namespace

CoreRangeSet::CoreRangeSet(std::vector<CoreRange> ranges)
    : ranges_(without_overlap(std::move(ranges)))
{
}

CoreRangeSet::CoreRangeSet(const std::set<CoreRange> &ranges)
    : CoreRangeSet(std::vector<CoreRange>(ranges.begin(), ranges.end()))
{
}

CoreRangeSet::CoreRangeSet(std::initializer_list<CoreRange> ranges)
    : CoreRangeSet(std::vector<CoreRange>(ranges))
{
}

CoreRangeSet::CoreRangeSet(std::span<const CoreRange> ranges)
    : CoreRangeSet(std::vector<CoreRange>(ranges.begin(), ranges.end()))
{
}

CoreRangeSet::CoreRangeSet(std::span<const CoreCoord> cores)
    : CoreRangeSet(CoreRangeSet(as_ranges(cores)).merge_ranges())
{
}

CoreRangeSet::CoreRangeSet(const std::vector<CoreCoord> &cores)
    : CoreRangeSet(std::span<const CoreCoord>(cores))
{
}

bool CoreRangeSet::empty() const
{
    return ranges_.empty();
}

std::size_t CoreRangeSet::size() const
{
    return ranges_.size();
}

std::uint32_t CoreRangeSet::num_cores() const
{
    std::size_t count = 0;

    for (const CoreRange &range : ranges_) {
        count += range.size();
    }
    return static_cast<std::uint32_t>(count);
}

const std::vector<CoreRange> &CoreRangeSet::ranges() const
{
    return ranges_;
}

bool CoreRangeSet::contains(const CoreCoord &core) const
{
    return intersects(CoreRange(core));
}

bool CoreRangeSet::contains(const CoreRange &range) const
{
    return std::ranges::all_of(range, [&](CoreCoord core) { return contains(core); });
}

bool CoreRangeSet::contains(const CoreRangeSet &other) const
{
    return std::ranges::all_of(other.ranges_,
                               [&](const CoreRange &range) { return contains(range); });
}

bool CoreRangeSet::intersects(const CoreCoord &core) const
{
    return intersects(CoreRange(core));
}

bool CoreRangeSet::intersects(const CoreRange &range) const
{
    return std::ranges::any_of(
        ranges_, [&](const CoreRange &own) { return own.intersects(range); });
}

bool CoreRangeSet::intersects(const CoreRangeSet &other) const
{
    return std::ranges::any_of(
        other.ranges_, [&](const CoreRange &range) { return intersects(range); });
}

CoreRangeSet CoreRangeSet::intersection(const CoreRangeSet &other) const
{
    std::vector<CoreRange> shared;

    for (const CoreRange &one : ranges_) {
        for (const CoreRange &two : other.ranges_) {
            if (const auto both = one.intersection(two)) {
                shared.push_back(*both);
            }
        }
    }
    return shared;
}

CoreRangeSet CoreRangeSet::subtract(const CoreRangeSet &other) const
{
    std::vector<CoreRange> left = ranges_;

    for (const CoreRange &hole : other.ranges_) {
        std::vector<CoreRange> next;
        for (const CoreRange &range : left) {
            if (range.intersects(hole)) {
                const auto parts = remains(range, hole);
                next.insert(next.end(), parts.begin(), parts.end());
            } else {
                next.push_back(range);
            }
        }
        left = next;
    }
    return left;
}

CoreRangeSet CoreRangeSet::merge_ranges() const
{
    return CoreRangeSet().unite(ranges_);
}

// Adds rectangle after rectangle, without what is there, and joins those that fit.
CoreRangeSet CoreRangeSet::unite(const std::vector<CoreRange> &others) const
{
    std::vector<CoreRange> all = ranges_;

    for (const CoreRange &other : others) {
        for (const CoreRange &part :
             CoreRangeSet(other).subtract(CoreRangeSet(all)).ranges_) {
            all.push_back(part);
        }
    }
    for (bool has_changed = true; has_changed;) {
        has_changed = false;
        for (std::size_t one = 0; one < all.size() && !has_changed; ++one) {
            for (std::size_t two = one + 1; two < all.size() && !has_changed; ++two) {
                if (const auto both = all[one].merge(all[two])) {
                    all[one] = *both;
                    all.erase(all.begin() + static_cast<std::ptrdiff_t>(two));
                    has_changed = true;
                }
            }
        }
    }
    return all;
}

CoreRange CoreRangeSet::bounding_box() const
{
    if (ranges_.empty()) {
        gridloom::refuse("a set of no cores has no bounding box");
    }
    CoreCoord first = ranges_.front().start_coord;
    CoreCoord last = ranges_.front().end_coord;
    for (const CoreRange &range : ranges_) {
        first = {std::min(first.x, range.start_coord.x),
                 std::min(first.y, range.start_coord.y)};
        last = {std::max(last.x, range.end_coord.x),
                std::max(last.y, range.end_coord.y)};
    }
    return {first, last};
}

std::string CoreRangeSet::str() const
{
    return fmt::format("{{{}}}", fmt::join(ranges_, ", "));
}

std::vector<CoreCoord> grid_to_cores(std::uint32_t core_count,
                                     std::uint32_t columns,
                                     std::uint32_t rows,
                                     bool row_wise)
{
    if (core_count > columns * rows) {
        gridloom::refuse("{} cores are asked of a grid of {} x {}", core_count, columns,
                         rows);
    }
    std::vector<CoreCoord> cores;
    for (std::uint32_t i = 0; i < core_count; ++i) {
        cores.push_back(row_wise ? CoreCoord(i % columns, i / columns)
                                 : CoreCoord(i / rows, i % rows));
    }
    return cores;
}

std::vector<CoreCoord> grid_to_cores(CoreCoord first, CoreCoord last, bool row_wise)
{
    const CoreRange range(first, last);
    std::vector<CoreCoord> cores(range.begin(), range.end());

    if (!row_wise) {
        std::ranges::sort(cores);
    }
    return cores;
}

std::vector<CoreCoord> corerange_to_cores(const CoreRangeSet &cores,
                                          std::optional<std::uint32_t> max_cores,
                                          bool row_wise)
{
    std::vector<CoreCoord> all;

    for (const CoreRange &range : cores.ranges()) {
        for (const CoreCoord core :
             grid_to_cores(range.start_coord, range.end_coord, row_wise)) {
            if (max_cores && all.size() == *max_cores) {
                return all;
            }
            all.push_back(core);
        }
    }
    return all;
}

CoreRangeSet select_from_corerangeset(const CoreRangeSet &cores,
                                      std::uint32_t first,
                                      std::uint32_t last,
                                      bool row_wise)
{
    const auto all = corerange_to_cores(cores, last + 1, row_wise);

    if (first > last || last >= all.size()) {
        gridloom::refuse("cores {} to {} are selected from {}", first, last,
                         cores.num_cores());
    }
    return CoreRangeSet(std::span(all).subspan(first, last - first + 1));
}

std::string format_as(const CoreRange &range)
{
    return range.str();
}

std::string format_as(const CoreRangeSet &ranges)
{
    return ranges.str();
}

std::ostream &operator<<(std::ostream &stream, const CoreRange &range)
{
    return stream << range.str();
}

std::ostream &operator<<(std::ostream &stream, const CoreRangeSet &ranges)
{
    return stream << ranges.str();
}

}  // namespace tt::tt_metal
