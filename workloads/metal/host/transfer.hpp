// Data from the host to a chip, and back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tt-metalium/buffer.hpp>
#include <vector>

namespace gridloom
{

// All pages of a buffer, in their order.
void write_buffer(int chip,
                  const tt::tt_metal::Buffer &buffer,
                  std::span<const std::byte> data);
std::vector<std::byte> read_buffer(int chip, const tt::tt_metal::Buffer &buffer);

// Bytes of one bank of DRAM, or of L1 of one core.
struct Region {
    int chip;
    bool is_dram;
    std::uint32_t place;
    std::uint64_t address;
    std::uint64_t bytes;
};
void write_region(const Region &region, std::span<const std::byte> data);
std::vector<std::byte> read_region(const Region &region);

}  // namespace gridloom
