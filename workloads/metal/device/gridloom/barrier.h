// Barriers: until what a kernel has commanded is over.
#pragma once

#include "gridloom/address.h"

namespace gridloom
{

// Numbers of ArchBarrier.
enum Barrier : uint32_t { OF_READS, OF_WRITES, OF_DEPARTURES, OF_ATOMICS };

}  // namespace gridloom

FORCE_INLINE void noc_async_read_barrier(uint8_t = noc_index)
{
    gridloom::call(gridloom::Call::barrier, gridloom::OF_READS);
}

FORCE_INLINE void noc_async_write_barrier(uint8_t = noc_index)
{
    gridloom::call(gridloom::Call::barrier, gridloom::OF_WRITES);
}

FORCE_INLINE void noc_async_writes_flushed(uint8_t = noc_index)
{
    gridloom::call(gridloom::Call::barrier, gridloom::OF_DEPARTURES);
}

FORCE_INLINE void noc_async_posted_writes_flushed(uint8_t = noc_index)
{
    gridloom::call(gridloom::Call::barrier, gridloom::OF_DEPARTURES);
}

FORCE_INLINE void noc_async_atomic_barrier(uint8_t = noc_index)
{
    gridloom::call(gridloom::Call::barrier, gridloom::OF_ATOMICS);
}

FORCE_INLINE void noc_async_full_barrier(uint8_t noc = noc_index)
{
    noc_async_read_barrier(noc);
    noc_async_write_barrier(noc);
    noc_async_atomic_barrier(noc);
}
