// Commands in two steps: what stays the same goes to the command buffer once.
#pragma once

#include "gridloom/command.h"

template <bool = false>
FORCE_INLINE void noc_async_read_one_packet_set_state(uint64_t from, uint32_t bytes, uint32_t = 0,
                                                      uint8_t noc = noc_index)
{
    volatile uint32_t *buffer = gridloom::ready(noc, gridloom::READS);

    buffer[gridloom::TARGET_PLACE] = gridloom::place(from);
    buffer[gridloom::LENGTH] = bytes;
}

template <bool count = true, bool = false>
FORCE_INLINE void noc_async_read_one_packet_with_state(uint32_t from, uint32_t to, uint32_t = 0,
                                                       uint8_t noc = noc_index)
{
    volatile uint32_t *buffer = gridloom::ready(noc, gridloom::READS);

    buffer[gridloom::RETURN_LOW] = to;
    buffer[gridloom::TARGET_LOW] = from;
    buffer[gridloom::START] = 1;
    if constexpr (count) {
        noc_reads_num_issued[noc]++;
    }
}

FORCE_INLINE void noc_async_read_set_state(uint64_t from, uint8_t noc = noc_index)
{
    gridloom::ready(noc, gridloom::READS)[gridloom::TARGET_PLACE] = gridloom::place(from);
}

template <bool = true>
FORCE_INLINE void noc_async_read_with_state(uint32_t from, uint32_t to, uint32_t bytes, uint8_t noc = noc_index)
{
    gridloom::split<NOC_MAX_BURST_SIZE + 1>(from, to, bytes,
                                            [noc](uint32_t there, uint32_t here, uint32_t size) GRIDLOOM_INSIDE {
                                                volatile uint32_t *buffer = gridloom::ready(noc, gridloom::READS);

                                                buffer[gridloom::RETURN_LOW] = here;
                                                buffer[gridloom::TARGET_LOW] = there;
                                                buffer[gridloom::LENGTH] = size;
                                                buffer[gridloom::START] = 1;
                                                noc_reads_num_issued[noc]++;
                                            });
}

FORCE_INLINE void noc_async_read_inc_num_issued(uint32_t count, uint8_t noc = noc_index)
{
    noc_reads_num_issued[noc] += count;
}

template <bool posted = false>
FORCE_INLINE void noc_async_write_one_packet_set_state(uint64_t to, uint32_t bytes, uint8_t noc = noc_index,
                                                       uint8_t vc = NOC_UNICAST_WRITE_VC)
{
    volatile uint32_t *buffer = gridloom::ready(noc, gridloom::WRITES);

    buffer[gridloom::CONTROL] = gridloom::unicast_control(posted, vc);
    buffer[gridloom::RETURN_PLACE] = gridloom::place(to);
    buffer[gridloom::LENGTH] = bytes;
}

template <bool posted = false>
FORCE_INLINE void noc_async_write_one_packet_with_state(uint32_t from, uint32_t to, uint8_t noc = noc_index)
{
    volatile uint32_t *buffer = gridloom::ready(noc, gridloom::WRITES);

    buffer[gridloom::TARGET_LOW] = from;
    buffer[gridloom::RETURN_LOW] = to;
    buffer[gridloom::START] = 1;
    gridloom::count_write(noc, posted);
}

// Of any length, which comes with each write.
template <bool posted = false>
FORCE_INLINE void noc_async_write_with_state(uint32_t from, uint32_t to, uint32_t bytes, uint8_t noc = noc_index)
{
    gridloom::split<NOC_MAX_BURST_SIZE + 1>(from, to, bytes,
                                            [noc](uint32_t here, uint32_t there, uint32_t size) GRIDLOOM_INSIDE {
                                                volatile uint32_t *buffer = gridloom::ready(noc, gridloom::WRITES);

                                                buffer[gridloom::TARGET_LOW] = here;
                                                buffer[gridloom::RETURN_LOW] = there;
                                                buffer[gridloom::LENGTH] = size;
                                                buffer[gridloom::START] = 1;
                                                gridloom::count_write(noc, posted);
                                            });
}
