// Work shared out among cores.
#include <algorithm>
#include <gridloom/failure.hpp>
#include <tt-metalium/work_split.hpp>

namespace tt::tt_metal
{

namespace
{

// A core whose x runs along the order of cores, be that a row or a column.
CoreCoord turned(CoreCoord core, bool row_wise)
{
    return row_wise ? core : CoreCoord(core.y, core.x);
}

class Ranges
{
  public:
    explicit Ranges(bool row_wise) : row_wise_(row_wise)
    {
    }

    void add(CoreCoord first, CoreCoord last)
    {
        ranges_.emplace_back(turned(first, row_wise_), turned(last, row_wise_));
    }

    std::vector<CoreRange> take()
    {
        return std::move(ranges_);
    }

  private:
    bool row_wise_;
    std::vector<CoreRange> ranges_;
};

// Sets from the number of cores that get one unit more.
template <typename Choose>
WorkSplit split(std::uint32_t units,
                std::uint32_t most_cores,
                const CoreRangeSet &none,
                Choose choose)
{
    const std::uint32_t cores = std::min(units, most_cores);

    if (cores == 0) {
        return {0, none, none, none, 0, 0};
    }
    const std::uint32_t more = units % cores;
    const std::uint32_t least = units / cores;
    if (more == 0) {
        return {cores, choose(0, cores), choose(0, cores), none, least, 0};
    }
    return {cores,           choose(0, cores),
            choose(0, more), choose(more, cores - more),
            least + 1,       least};
}

}  // namespace

CoreRangeSet num_cores_to_corerangeset(CoreCoord first,
                                       std::uint32_t core_count,
                                       CoreCoord grid,
                                       bool row_wise)
{
    const CoreCoord size = turned(grid, row_wise);
    CoreCoord place = turned(first, row_wise);
    std::size_t left = core_count;
    Ranges ranges(row_wise);

    if (place.x >= size.x || place.y >= size.y ||
        left > (size.y - place.y) * size.x - place.x) {
        if (left == 0) {
            return {};
        }
        gridloom::refuse("{} cores from {} on are asked of a grid of {} x {}",
                         core_count, first, grid.x, grid.y);
    }
    if (place.x > 0 && left > 0) {
        const std::size_t count = std::min(left, size.x - place.x);
        ranges.add(place, {place.x + count - 1, place.y});
        left -= count;
        place = {0, place.y + 1};
    }
    if (left >= size.x) {
        const std::size_t lines = left / size.x;
        ranges.add(place, {size.x - 1, place.y + lines - 1});
        left -= lines * size.x;
        place.y += lines;
    }
    if (left > 0) {
        ranges.add(place, {left - 1, place.y});
    }
    return ranges.take();
}

CoreRangeSet
num_cores_to_corerangeset(std::uint32_t core_count, CoreCoord grid, bool row_wise)
{
    return num_cores_to_corerangeset({0, 0}, core_count, grid, row_wise);
}

CoreRangeSet num_cores_to_corerangeset_in_subcoregrids(CoreCoord first,
                                                       std::uint32_t core_count,
                                                       const CoreRangeSet &cores,
                                                       bool row_wise)
{
    const auto all = corerange_to_cores(cores, std::nullopt, row_wise);
    const auto start = std::ranges::find(all, first);

    if (core_count > static_cast<std::size_t>(all.end() - start)) {
        gridloom::refuse("{} cores from {} on are asked of {}", core_count, first,
                         cores);
    }
    return CoreRangeSet(std::span<const CoreCoord>(start, start + core_count));
}

WorkSplit split_work_to_cores(CoreCoord grid, std::uint32_t units, bool row_wise)
{
    const auto most = static_cast<std::uint32_t>(grid.x * grid.y);

    return split(units, most, {}, [&](std::uint32_t first, std::uint32_t count) {
        const CoreCoord start = row_wise ? CoreCoord(first % grid.x, first / grid.x)
                                         : CoreCoord(first / grid.y, first % grid.y);
        return num_cores_to_corerangeset(start, count, grid, row_wise);
    });
}

WorkSplit
split_work_to_cores(const CoreRangeSet &cores, std::uint32_t units, bool row_wise)
{
    return split(
        units, cores.num_cores(), {}, [&](std::uint32_t first, std::uint32_t count) {
            return select_from_corerangeset(cores, first, first + count - 1, row_wise);
        });
}

int find_max_block_size(std::uint32_t value, std::uint32_t limit)
{
    std::uint32_t divisor = std::max(1U, limit);

    while (value % divisor != 0) {
        --divisor;
    }
    return static_cast<int>(divisor);
}

}  // namespace tt::tt_metal
