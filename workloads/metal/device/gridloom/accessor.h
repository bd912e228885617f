// A tensor in banks, interleaved or in shards: the address of each page.
#pragma once

#include "gridloom/page_table.h"

namespace tensor_accessor
{

// A page with its number and its address.
class Page
{
  public:
    constexpr Page(uint64_t address, uint32_t number) : address_(address), number_(number) {}
    FORCE_INLINE uint64_t noc_addr() const { return address_; }
    FORCE_INLINE uint64_t get_noc_addr(uint32_t offset = 0) const { return address_ + offset; }
    FORCE_INLINE uint32_t page_id() const { return number_; }
    FORCE_INLINE uint32_t get_page_id() const { return number_; }

  private:
    uint64_t address_;
    uint32_t number_;
};

// Pages from one number to another, for loops; every `step`th.
template <typename Accessor> struct Pages {
    struct Iterator {
        const Accessor *accessor;
        uint32_t page;
        uint32_t step;
        uint8_t noc;

        FORCE_INLINE Page operator*() const { return {accessor->get_noc_addr(page, 0, noc), page}; }
        FORCE_INLINE Iterator &operator++()
        {
            page += step;
            return *this;
        }
        FORCE_INLINE bool operator!=(const Iterator &other) const { return page < other.page; }
        FORCE_INLINE bool operator==(const Iterator &other) const { return page >= other.page; }
    };

    const Accessor *accessor;
    uint32_t first;
    uint32_t last;
    uint32_t step;
    uint8_t noc;

    FORCE_INLINE Iterator begin() const { return {accessor, first, step, noc}; }
    FORCE_INLINE Iterator end() const { return {accessor, last, step, noc}; }
};

}  // namespace tensor_accessor

namespace gridloom
{

template <typename T>
concept Coordinates = requires(const T &value)
{
    value[0];
};

}  // namespace gridloom

template <typename Arguments> struct TensorAccessor {
    static constexpr bool is_dram = Arguments::is_dram;
    static constexpr bool is_sharded = Arguments::is_sharded;

    FORCE_INLINE TensorAccessor(const Arguments &arguments, uint32_t base, uint32_t page_bytes)
        : table{arguments, base, page_bytes}
    {
    }
    FORCE_INLINE TensorAccessor(const Arguments &arguments, uint32_t base)
        : TensorAccessor(arguments, base, arguments.get_aligned_page_size())
    {
    }

    FORCE_INLINE uint32_t get_aligned_page_size() const { return table.page_bytes; }
    FORCE_INLINE uint32_t get_bank_base_address() const { return table.base; }

    FORCE_INLINE uint64_t get_noc_addr(uint32_t page, uint32_t offset = 0, uint8_t noc = noc_index) const
    {
        return table.page(page, offset, noc);
    }
    template <gridloom::Coordinates Where>
    FORCE_INLINE uint64_t get_noc_addr(const Where &where, uint32_t offset = 0, uint8_t noc = noc_index) const
    {
        return table.page(table.number(where), offset, noc);
    }
    FORCE_INLINE uint64_t get_shard_noc_addr(uint32_t shard, uint32_t offset = 0, uint8_t noc = noc_index) const
    {
        return table.at(shard, 0, offset, noc);
    }
    template <gridloom::Coordinates Where>
    FORCE_INLINE uint64_t get_shard_noc_addr(const Where &where, uint32_t offset = 0, uint8_t noc = noc_index) const
    {
        return table.at(table.shard_number(where), 0, offset, noc);
    }

    FORCE_INLINE bool is_local_bank(uint32_t x, uint32_t y, uint8_t noc = noc_index) const
    {
        return x == my_x[noc] && y == my_y[noc];
    }
    FORCE_INLINE bool is_local_addr(uint64_t address, uint8_t noc = noc_index) const
    {
        return is_local_bank(NOC_UNICAST_ADDR_X(address), NOC_UNICAST_ADDR_Y(address), noc);
    }
    FORCE_INLINE bool is_local_page(uint32_t page, uint8_t noc = noc_index) const
    {
        return is_local_addr(get_noc_addr(page, 0, noc), noc);
    }
    FORCE_INLINE bool is_local_shard(uint32_t shard, uint8_t noc = noc_index) const
    {
        return is_local_addr(get_shard_noc_addr(shard, 0, noc), noc);
    }

    // For loops; without a last page: all.
    FORCE_INLINE auto pages(uint32_t first = 0, uint32_t last = 0, uint8_t noc = noc_index) const
    {
        if constexpr (is_sharded) {
            last = last == 0 ? table.page_count() : last;
        }
        return tensor_accessor::Pages<TensorAccessor>{this, first, last, 1, noc};
    }

    const gridloom::PageTable<Arguments, is_sharded> table;
};

template <size_t CTA, size_t CRTA>
TensorAccessor(const TensorAccessorArgs<CTA, CRTA> &, uint32_t) -> TensorAccessor<TensorAccessorArgs<CTA, CRTA>>;
template <size_t CTA, size_t CRTA>
TensorAccessor(const TensorAccessorArgs<CTA, CRTA> &, uint32_t, uint32_t)
    -> TensorAccessor<TensorAccessorArgs<CTA, CRTA>>;
