// Addresses of a memory that are free, the same in all of its banks.
#include "memory.hpp"

#include <algorithm>

namespace gridloom
{

namespace
{

std::uint64_t up(std::uint64_t value, std::uint64_t alignment)
{
    return (value + alignment - 1) / alignment * alignment;
}

}  // namespace

Memory::Memory(std::uint64_t first, std::uint64_t end, std::uint64_t alignment)
    : first_(up(first, alignment)), end_(end / alignment * alignment),
      alignment_(alignment)
{
}

std::optional<std::uint64_t> Memory::allocate(std::uint64_t bytes, bool bottom_up)
{
    const std::uint64_t size = up(std::max<std::uint64_t>(bytes, 1), alignment_);
    std::uint64_t best = UINT64_MAX;
    std::uint64_t address = 0;
    std::uint64_t start = first_;
    const auto consider = [&](std::uint64_t end) {
        const std::uint64_t gap = end - start;
        if (gap >= size && (gap < best || (gap == best && !bottom_up))) {
            best = gap;
            address = bottom_up ? start : end - size;
        }
    };

    for (const auto &[used, end] : used_) {
        consider(used);
        start = end;
    }
    consider(end_);
    if (best == UINT64_MAX) {
        return std::nullopt;
    }
    used_[address] = address + size;
    return address;
}

bool Memory::contains(std::uint64_t address, std::uint64_t bytes) const
{
    return address <= end_ && bytes <= end_ - address;
}

void Memory::release(std::uint64_t address)
{
    used_.erase(address);
}

void Memory::release_all()
{
    used_.clear();
}

std::uint64_t Memory::lowest() const
{
    return used_.empty() ? end_ : used_.begin()->first;
}

std::uint64_t Memory::free_bytes() const
{
    std::uint64_t bytes = end_ - first_;

    for (const auto &[used, end] : used_) {
        bytes -= end - used;
    }
    return bytes;
}

}  // namespace gridloom
