// Where the pages of a buffer lie: in which bank, and how far inside it.
#pragma once

#include <cstdint>
#include <vector>

namespace gridloom
{

struct Placement {
    bool is_dram = true;
    std::uint64_t pages = 0;
    std::uint64_t page_bytes = 0;
    std::uint64_t stride = 0;  // bytes from page to page in a bank
    std::vector<std::uint32_t>
        places;  // of each bank: bank of DRAM, or y * columns + x
    // In pages; both empty where pages are dealt out one by one.
    std::vector<std::uint32_t> tensor;
    std::vector<std::uint32_t> shard;

    struct Spot {
        std::uint32_t bank;
        std::uint64_t page;
    };
    Spot spot(std::uint64_t page) const;
    std::uint64_t bytes_per_bank() const;
    bool is_sharded() const
    {
        return !tensor.empty();
    }
};

// Bytes that lie together, here and in the host's data.
struct Part {
    std::uint32_t place;
    std::uint64_t address;
    std::uint64_t bytes;
    std::uint64_t offset;
};
std::vector<Part> parts_of(const Placement &placement, std::uint64_t address);

}  // namespace gridloom
