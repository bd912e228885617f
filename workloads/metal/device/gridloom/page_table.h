// Where the pages of a tensor lie: the banks, and the places in them.
#pragma once

#include "gridloom/accessor_arguments.h"
#include "gridloom/generator.h"

namespace gridloom
{

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

        return Banks<is_dram>::page(
            base, page, [bytes](uint32_t row) GRIDLOOM_INSIDE { return row * bytes; }, offset, noc);
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

}  // namespace gridloom
