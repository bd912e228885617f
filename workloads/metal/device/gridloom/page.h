// Reads and writes of pages and shards, whose addresses a generator or accessor knows.
#pragma once

#include "gridloom/accessor.h"
#include "gridloom/transfer.h"

namespace gridloom
{

template <typename Generator> FORCE_INLINE uint32_t page_bytes_of(const Generator &generator)
{
    if constexpr (requires { generator.get_aligned_page_size(); }) {
        return generator.get_aligned_page_size();
    } else if constexpr (requires { generator.page_size; }) {
        return generator.page_size;
    } else {
        return 1u << generator.log_base_2_of_page_size;
    }
}

}  // namespace gridloom

template <typename Generator, bool = true>
FORCE_INLINE void noc_async_read_page(uint32_t page, const Generator &generator, uint32_t to, uint32_t offset = 0,
                                      uint8_t noc = noc_index)
{
    noc_async_read(generator.get_noc_addr(page, offset, noc), to, gridloom::page_bytes_of(generator), noc);
}

template <typename Generator, bool = true, bool posted = false>
FORCE_INLINE void noc_async_write_page(uint32_t page, const Generator &generator, uint32_t from, uint32_t bytes = 0,
                                       uint32_t offset = 0, uint8_t noc = noc_index)
{
    noc_async_write<NOC_MAX_BURST_SIZE + 1, true, posted>(from, generator.get_noc_addr(page, offset, noc),
                                                          bytes == 0 ? gridloom::page_bytes_of(generator) : bytes, noc);
}

template <typename Generator>
FORCE_INLINE void noc_async_read_tile(uint32_t page, const Generator &generator, uint32_t to, uint32_t offset = 0,
                                      uint8_t noc = noc_index)
{
    noc_async_read_page(page, generator, to, offset, noc);
}

template <typename Generator>
FORCE_INLINE void noc_async_write_tile(uint32_t page, const Generator &generator, uint32_t from,
                                       uint8_t noc = noc_index)
{
    noc_async_write_page(page, generator, from, 0, 0, noc);
}

template <typename Arguments>
FORCE_INLINE void noc_async_read_shard(uint32_t shard, const TensorAccessor<Arguments> &tensor, uint32_t to,
                                       uint8_t noc = noc_index)
{
    noc_async_read(tensor.get_shard_noc_addr(shard, 0, noc), to, tensor.table.volume() * tensor.get_aligned_page_size(),
                   noc);
}

template <typename Arguments, bool posted = false>
FORCE_INLINE void noc_async_write_shard(uint32_t shard, const TensorAccessor<Arguments> &tensor, uint32_t from,
                                        uint8_t noc = noc_index)
{
    noc_async_write<NOC_MAX_BURST_SIZE + 1, true, posted>(from, tensor.get_shard_noc_addr(shard, 0, noc),
                                                          tensor.table.volume() * tensor.get_aligned_page_size(), noc);
}
