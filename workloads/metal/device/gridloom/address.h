// Addresses on a NoC: of cores, of rectangles of cores, of banks.
#pragma once

#include "gridloom/environment.h"

constexpr uint8_t noc_index = NOC_INDEX;

// DM_DYNAMIC_NOC kernels choose the NoC of each command themselves, as all do here.
enum NocMode : uint8_t { DM_DEDICATED_NOC, DM_DYNAMIC_NOC, DM_INVALID_NOC };
#ifdef NOC_MODE
constexpr uint8_t noc_mode = NOC_MODE;
#else
constexpr uint8_t noc_mode = DM_DEDICATED_NOC;
#endif

constexpr uint32_t NOC_MAX_BURST_SIZE = 8192;
constexpr uint32_t NOC_UNICAST_WRITE_VC = 1;
constexpr uint32_t NOC_MULTICAST_WRITE_VC = 4;
constexpr uint32_t NOC_DISPATCH_MULTICAST_WRITE_VC = 5;
constexpr uint32_t NOC_CLEAR_OUTSTANDING_REQ_MASK = 0xffff;
constexpr uint32_t NOC_MAX_TRANSACTION_ID = 15;

// Cores are the same on both NoCs; DRAM's places come from a table of each.
#define NOC_X(x)                       (x)
#define NOC_Y(y)                       (y)
#define NOC_XY_ENCODING(x, y)          (static_cast<uint32_t>(y) << 10 | static_cast<uint32_t>(x) << 4)
#define NOC_XY_ADDR(x, y, address)     (static_cast<uint64_t>(NOC_XY_ENCODING(x, y)) << 32 | (address))
#define NOC_LOCAL_ADDR_OFFSET(address) ((address) &0xfffffffffull)
#define NOC_UNICAST_ADDR_X(address)    (static_cast<uint32_t>((address) >> 36) & 63)
#define NOC_UNICAST_ADDR_Y(address)    (static_cast<uint32_t>((address) >> 42) & 63)

FORCE_INLINE uint64_t get_noc_addr(uint32_t x, uint32_t y, uint32_t address, uint8_t = noc_index)
{
    return NOC_XY_ADDR(x, y, address);
}

FORCE_INLINE uint64_t get_noc_addr(uint32_t address, uint8_t noc = noc_index)
{
    return get_noc_addr(my_x[noc], my_y[noc], address);
}

FORCE_INLINE uint64_t get_noc_addr_helper(uint32_t place, uint32_t address)
{
    return static_cast<uint64_t>(place) << 32 | address;
}

FORCE_INLINE uint64_t get_noc_multicast_addr(uint32_t x_start, uint32_t y_start, uint32_t x_end, uint32_t y_end,
                                             uint32_t address, uint8_t = noc_index)
{
    return static_cast<uint64_t>(y_start << 22 | x_start << 16 | NOC_XY_ENCODING(x_end, y_end)) << 32 | address;
}

namespace gridloom
{

// Banks of one kind of memory, over which pages are spread.
template <bool is_dram> struct Banks {
    static constexpr uint32_t count = is_dram ? NUM_DRAM_BANKS : NUM_L1_BANKS;
    static constexpr uint32_t alignment = is_dram ? DRAM_ALIGNMENT : L1_ALIGNMENT;
    static constexpr uint32_t alignment_bits = is_dram ? 5 : 4;

    static FORCE_INLINE uint64_t at(uint32_t bank, uint32_t offset, uint8_t noc)
    {
        if constexpr (is_dram) {
            return get_noc_addr_helper(static_cast<uint32_t>(dram_places[noc][bank]) << 4, offset + dram_offsets[bank]);
        } else {
            return get_noc_addr_helper(static_cast<uint32_t>(l1_places[bank]) << 4, offset);
        }
    }

    // Page `page`, of those that lie `stride` bytes from one to the next in a bank.
    template <typename Stride>
    static FORCE_INLINE uint64_t page(uint32_t base, uint32_t page, Stride stride, uint32_t offset, uint8_t noc)
    {
        const uint32_t row = page / count;

        return at(page - row * count, base + stride(row) + offset, noc);
    }
};

}  // namespace gridloom

template <bool is_dram>
FORCE_INLINE uint64_t get_noc_addr_from_bank_id(uint32_t bank, uint32_t offset, uint8_t noc = noc_index)
{
    return gridloom::Banks<is_dram>::at(bank, offset, noc);
}
