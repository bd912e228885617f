// The names of choices, as they are printed.
#include <tt-metalium/base_types.hpp>
#include <tt-metalium/buffer_types.hpp>

std::string_view format_as(MathFidelity fidelity)
{
    switch (fidelity) {
    case MathFidelity::LoFi:
        return "LoFi";
    case MathFidelity::HiFi2:
        return "HiFi2";
    case MathFidelity::HiFi3:
        return "HiFi3";
    case MathFidelity::HiFi4:
        return "HiFi4";
    case MathFidelity::Invalid:
        break;
    }
    return "Invalid";
}

namespace tt::tt_metal
{

std::string_view format_as(BufferType type)
{
    switch (type) {
    case BufferType::DRAM:
        return "DRAM";
    case BufferType::L1:
        return "L1";
    case BufferType::SYSTEM_MEMORY:
        return "SYSTEM_MEMORY";
    case BufferType::L1_SMALL:
        return "L1_SMALL";
    case BufferType::TRACE:
        break;
    }
    return "TRACE";
}

std::string_view format_as(ShardOrientation orientation)
{
    return orientation == ShardOrientation::ROW_MAJOR ? "ROW_MAJOR" : "COL_MAJOR";
}

std::string_view format_as(TensorMemoryLayout layout)
{
    switch (layout) {
    case TensorMemoryLayout::INTERLEAVED:
        return "INTERLEAVED";
    case TensorMemoryLayout::HEIGHT_SHARDED:
        return "HEIGHT_SHARDED";
    case TensorMemoryLayout::WIDTH_SHARDED:
        return "WIDTH_SHARDED";
    case TensorMemoryLayout::BLOCK_SHARDED:
        return "BLOCK_SHARDED";
    case TensorMemoryLayout::ND_SHARDED:
        break;
    }
    return "ND_SHARDED";
}

std::ostream &operator<<(std::ostream &stream, BufferType type)
{
    return stream << format_as(type);
}

std::ostream &operator<<(std::ostream &stream, TensorMemoryLayout layout)
{
    return stream << format_as(layout);
}

}  // namespace tt::tt_metal
