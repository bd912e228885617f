// A tensor in banks, interleaved or in shards: the address of each page.
#pragma once

#include "gridloom/accessor_arguments.h"
#include "gridloom/generator.h"

namespace tensor_accessor {

// A page with its number and its address.
class Page {
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

} // namespace tensor_accessor

namespace gridloom {

template <typename Arguments, bool is_sharded> struct PageTable;

// Interleaved: as a generator has it.
template <typename Arguments> struct PageTable<Arguments, false> {
    static constexpr bool is_dram = Arguments::is_dram;
    Arguments arguments;
    uint32_t base;
    uint32_t page_bytes;

    FORCE_INLINE uint64_t page(uint32_t page, uint32_t offset, uint8_t noc) const
    {
        const uint32_t bytes = page_bytes;

        return Banks<is_dram>::page(base, page, [bytes](uint32_t row) GRIDLOOM_INSIDE { return row * bytes; }, offset, noc);
    }
};

// Page coordinates by the tensor's shape give a shard and a place in it, row-major all.
template <typename Arguments> struct PageTable<Arguments, true> {
    static constexpr bool is_dram = Arguments::is_dram;
    Arguments arguments;
    uint32_t base;
    uint32_t page_bytes;

    FORCE_INLINE uint32_t shards(uint32_t axis) const
    {
        const uint32_t shard = arguments.shard_pages(axis);

        return (arguments.tensor_pages(axis) + shard - 1) / shard;
    }

    FORCE_INLINE uint32_t volume() const
    {
        uint32_t pages = 1;

        for (uint32_t axis = 0; axis < arguments.get_rank(); axis++) {
            pages *= arguments.shard_pages(axis);
        }
        return pages;
    }

    FORCE_INLINE uint32_t shard_count() const
    {
        uint32_t count = 1;

        for (uint32_t axis = 0; axis < arguments.get_rank(); axis++) {
            count *= shards(axis);
        }
        return count;
    }

    FORCE_INLINE uint32_t page_count() const
    {
        uint32_t count = 1;

        for (uint32_t axis = 0; axis < arguments.get_rank(); axis++) {
            count *= arguments.tensor_pages(axis);
        }
        return count;
    }

    // A page of a shard.
    FORCE_INLINE uint64_t at(uint32_t shard, uint32_t page, uint32_t offset, uint8_t noc) const
    {
        const uint32_t banks = arguments.get_num_banks();
        const uint32_t each = (shard_count() + banks - 1) / banks;
        const uint32_t bank = arguments.is_contiguous() ? shard / each : shard % banks;
        const uint32_t row = arguments.is_contiguous() ? shard % each : shard / banks;
        const uint32_t address = base + (row * volume() + page) * page_bytes + offset;
        const uint32_t place = arguments.bank_place(bank);

        if constexpr (is_dram) {
            return Banks<true>::at(place >> 8, address, noc);
        } else {
            return ::get_noc_addr(place >> 8, place & 0xff, address, noc);
        }
    }

    FORCE_INLINE uint64_t page(uint32_t page, uint32_t offset, uint8_t noc) const
    {
        uint32_t shard = 0;
        uint32_t inside = 0;
        uint32_t shard_step = 1;
        uint32_t inside_step = 1;

        for (uint32_t axis = arguments.get_rank(); axis-- > 0;) {
            const uint32_t length = arguments.tensor_pages(axis);
            const uint32_t part = arguments.shard_pages(axis);
            const uint32_t coordinate = page % length;

            page /= length;
            shard += coordinate / part * shard_step;
            inside += coordinate % part * inside_step;
            shard_step *= shards(axis);
            inside_step *= part;
        }
        return at(shard, inside, offset, noc);
    }

    // The page at coordinates, one for each axis.
    template <typename Coordinates> FORCE_INLINE uint32_t number(const Coordinates &coordinates) const
    {
        uint32_t number = 0;

        for (uint32_t axis = 0; axis < arguments.get_rank(); axis++) {
            number = number * arguments.tensor_pages(axis) + coordinates[axis];
        }
        return number;
    }

    template <typename Coordinates> FORCE_INLINE uint32_t shard_number(const Coordinates &coordinates) const
    {
        uint32_t number = 0;

        for (uint32_t axis = 0; axis < arguments.get_rank(); axis++) {
            number = number * shards(axis) + coordinates[axis];
        }
        return number;
    }
};

template <typename T>
concept Coordinates = requires(const T &value) { value[0]; };

} // namespace gridloom

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
