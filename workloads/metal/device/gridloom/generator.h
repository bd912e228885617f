// Addresses of the pages of a buffer that is spread over banks, page by page.
#pragma once

#include "gridloom/address.h"
#include "gridloom/descriptor.h"

constexpr uint32_t align_power_of_2(uint32_t bytes, uint32_t alignment)
{
    return (bytes + alignment - 1) & ~(alignment - 1);
}

constexpr uint32_t align(uint32_t bytes, uint32_t alignment)
{
    return align_power_of_2(bytes, alignment);
}

// Pages of any size.
template <bool DRAM> struct InterleavedAddrGen {
    static constexpr bool is_dram = DRAM;
    uint32_t bank_base_address;
    const uint32_t page_size;
    const uint32_t aligned_page_size = align_power_of_2(page_size, gridloom::Banks<DRAM>::alignment);

    FORCE_INLINE uint64_t get_noc_addr(uint32_t page, uint32_t offset = 0, uint8_t noc = noc_index) const
    {
        const uint32_t bytes = aligned_page_size;

        return gridloom::Banks<DRAM>::page(
            bank_base_address, page, [bytes](uint32_t row) GRIDLOOM_INSIDE { return row * bytes; }, offset, noc);
    }
};

// Of 2 to the power of something.
template <bool DRAM> struct InterleavedPow2AddrGen {
    static constexpr bool is_dram = DRAM;
    uint32_t bank_base_address;
    const uint32_t log_base_2_of_page_size;
    const uint32_t aligned_log_base_2_of_page_size = log_base_2_of_page_size > gridloom::Banks<DRAM>::alignment_bits
                                                         ? log_base_2_of_page_size
                                                         : gridloom::Banks<DRAM>::alignment_bits;

    FORCE_INLINE uint64_t get_noc_addr(uint32_t page, uint32_t offset = 0, uint8_t noc = noc_index) const
    {
        const uint32_t bits = aligned_log_base_2_of_page_size;

        return gridloom::Banks<DRAM>::page(
            bank_base_address, page, [bits](uint32_t row) GRIDLOOM_INSIDE { return row << bits; }, offset, noc);
    }
};

template <bool DRAM> using InterleavedPow2AddrGenFast = InterleavedPow2AddrGen<DRAM>;

// Tiles of a format.
template <bool DRAM, uint32_t tile_hw = 1024> struct InterleavedAddrGenFast {
    static constexpr bool is_dram = DRAM;
    uint32_t bank_base_address;
    uint32_t page_size;
    DataFormat data_format;

    FORCE_INLINE uint64_t get_noc_addr(uint32_t page, uint32_t offset = 0, uint8_t noc = noc_index) const
    {
        const uint32_t format = static_cast<uint32_t>(data_format);

        return gridloom::Banks<DRAM>::page(
            bank_base_address, page,
            [format](uint32_t row) GRIDLOOM_INSIDE { return MUL_WITH_TILE_SIZE<tile_hw>(format, row); }, offset, noc);
    }
};

template <typename Generator>
requires requires(const Generator &generator)
{
    generator.get_noc_addr(0u, 0u, noc_index);
}
FORCE_INLINE uint64_t get_noc_addr(uint32_t page, const Generator &generator, uint32_t offset = 0,
                                   uint8_t noc = noc_index)
{
    return generator.get_noc_addr(page, offset, noc);
}

template <bool DRAM, uint32_t page_size> FORCE_INLINE auto get_interleaved_addr_gen(uint32_t base)
{
    return InterleavedAddrGen<DRAM>{.bank_base_address = base, .page_size = page_size};
}

template <bool DRAM, bool is_power_of_2>
FORCE_INLINE auto get_interleaved_addr_gen(uint32_t base, uint32_t page_size, uint32_t bits)
{
    if constexpr (is_power_of_2) {
        return InterleavedPow2AddrGen<DRAM>{.bank_base_address = base, .log_base_2_of_page_size = bits};
    } else {
        return InterleavedAddrGen<DRAM>{.bank_base_address = base, .page_size = page_size};
    }
}

template <bool DRAM, bool is_power_of_2> FORCE_INLINE auto get_interleaved_addr_gen(uint32_t base, uint32_t size)
{
    return get_interleaved_addr_gen<DRAM, is_power_of_2>(base, size, size);
}
