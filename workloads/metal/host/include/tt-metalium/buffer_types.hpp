// Where a buffer lies, and how its pages are spread.
#pragma once

#include <ostream>
#include <string_view>

namespace tt::tt_metal
{

enum class BufferType {
    DRAM,
    L1,
    SYSTEM_MEMORY,
    L1_SMALL,
    TRACE
};
enum class ShardOrientation {
    ROW_MAJOR = 0,
    COL_MAJOR
};
enum class TensorMemoryLayout {
    INTERLEAVED = 0,
    HEIGHT_SHARDED = 2,
    WIDTH_SHARDED = 3,
    BLOCK_SHARDED = 4,
    ND_SHARDED = 5
};

std::string_view format_as(BufferType type);
std::string_view format_as(ShardOrientation orientation);
std::string_view format_as(TensorMemoryLayout layout);
std::ostream &operator<<(std::ostream &stream, BufferType type);
std::ostream &operator<<(std::ostream &stream, TensorMemoryLayout layout);

}  // namespace tt::tt_metal
