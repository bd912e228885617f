// The simulated machine, as the simulator describes it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gridloom
{

struct Machine {
    int chips;
    std::uint32_t columns;
    std::uint32_t rows;
    std::uint64_t clock_hz;
    std::string arch;
    std::uint32_t dram_banks;
    std::uint64_t dram_bank_bytes;
    std::uint64_t dram_first;
    std::uint64_t l1_first;
    std::uint64_t l1_end;
    std::uint32_t l1_alignment;
    std::uint32_t dram_alignment;
    std::vector<std::uint32_t> dram_places;  // column, row of each bank

    std::uint32_t core_count() const
    {
        return columns * rows;
    }
};

// Asks the simulator when it is called first.
const Machine &machine();

// The core that has each bank of L1, by its place in row-major order.
std::vector<std::uint32_t> l1_bank_cores(std::uint32_t core_count);

}  // namespace gridloom
