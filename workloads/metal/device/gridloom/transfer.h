// Reads and writes of any length, to one place or to a rectangle of cores.
#pragma once

#include "gridloom/command.h"

template <uint32_t most = NOC_MAX_BURST_SIZE + 1, bool = true>
FORCE_INLINE void noc_async_read(uint64_t from, uint32_t to, uint32_t bytes, uint8_t noc = noc_index,
                                 uint32_t = NOC_UNICAST_WRITE_VC)
{
    gridloom::split<most>(from, to, bytes, [noc](uint64_t there, uint32_t here, uint32_t size) GRIDLOOM_INSIDE {
        gridloom::read(noc, there, here, size);
    });
}

template <bool = true>
FORCE_INLINE void noc_async_read_one_packet(uint64_t from, uint32_t to, uint32_t bytes, uint8_t noc = noc_index,
                                            uint32_t = NOC_UNICAST_WRITE_VC)
{
    gridloom::read(noc, from, to, bytes);
}

template <uint32_t most = NOC_MAX_BURST_SIZE + 1, bool = true, bool posted = false>
FORCE_INLINE void noc_async_write(uint32_t from, uint64_t to, uint32_t bytes, uint8_t noc = noc_index,
                                  uint32_t vc = NOC_UNICAST_WRITE_VC)
{
    gridloom::split<most>(from, to, bytes, [=](uint32_t here, uint64_t there, uint32_t size) GRIDLOOM_INSIDE {
        gridloom::write(noc, gridloom::WRITES, gridloom::unicast_control(posted, vc), here, there, size);
    });
}

template <bool = true, bool posted = false>
FORCE_INLINE void noc_async_write_one_packet(uint32_t from, uint64_t to, uint32_t bytes, uint8_t noc = noc_index,
                                             uint32_t vc = NOC_UNICAST_WRITE_VC)
{
    gridloom::write(noc, gridloom::WRITES, gridloom::unicast_control(posted, vc), from, to, bytes);
}

template <uint32_t most = NOC_MAX_BURST_SIZE + 1>
FORCE_INLINE void noc_async_write_multicast(uint32_t from, uint64_t to, uint32_t bytes, uint32_t receivers,
                                            bool linked = false, uint8_t noc = noc_index,
                                            uint8_t = NOC_MULTICAST_WRITE_VC)
{
    gridloom::split<most>(from, to, bytes, [=](uint32_t here, uint64_t there, uint32_t size) GRIDLOOM_INSIDE {
        gridloom::write(noc, gridloom::WRITES, gridloom::multicast_control(linked, false), here, there, size,
                        receivers);
    });
}

template <bool = true>
FORCE_INLINE void noc_async_write_multicast_one_packet(uint32_t from, uint64_t to, uint32_t bytes, uint32_t receivers,
                                                       bool linked = false, uint8_t noc = noc_index)
{
    gridloom::write(noc, gridloom::WRITES, gridloom::multicast_control(linked, false), from, to, bytes, receivers);
}

FORCE_INLINE void noc_async_write_multicast_loopback_src(uint32_t from, uint64_t to, uint32_t bytes, uint32_t receivers,
                                                         bool linked = false, uint8_t noc = noc_index)
{
    gridloom::split<NOC_MAX_BURST_SIZE + 1>(
        from, to, bytes, [=](uint32_t here, uint64_t there, uint32_t size) GRIDLOOM_INSIDE {
            gridloom::write(noc, gridloom::WRITES, gridloom::multicast_control(linked, true), here, there, size,
                            receivers);
        });
}
