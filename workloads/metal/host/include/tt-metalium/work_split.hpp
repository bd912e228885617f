// Work shared out among cores.
#pragma once

#include <cstdint>
#include <tt-metalium/core_coord.hpp>
#include <tuple>

namespace tt::tt_metal
{

// Cores in their order: along columns, or along rows. At most three rectangles.
CoreRangeSet num_cores_to_corerangeset(CoreCoord first,
                                       std::uint32_t core_count,
                                       CoreCoord grid,
                                       bool row_wise = false);
CoreRangeSet num_cores_to_corerangeset(std::uint32_t core_count,
                                       CoreCoord grid,
                                       bool row_wise = false);
CoreRangeSet num_cores_to_corerangeset_in_subcoregrids(CoreCoord first,
                                                       std::uint32_t core_count,
                                                       const CoreRangeSet &cores,
                                                       bool row_wise = false);

// Cores that work, all of them, those with one unit more, the others, units of each.
using WorkSplit = std::tuple<std::uint32_t,
                             CoreRangeSet,
                             CoreRangeSet,
                             CoreRangeSet,
                             std::uint32_t,
                             std::uint32_t>;
WorkSplit
split_work_to_cores(CoreCoord grid, std::uint32_t units, bool row_wise = false);
WorkSplit split_work_to_cores(const CoreRangeSet &cores,
                              std::uint32_t units,
                              bool row_wise = false);

// The largest divisor of a number up to a limit.
int find_max_block_size(std::uint32_t value, std::uint32_t limit = 8);

}  // namespace tt::tt_metal

namespace tt
{
using tt_metal::num_cores_to_corerangeset;
using tt_metal::split_work_to_cores;
}  // namespace tt
