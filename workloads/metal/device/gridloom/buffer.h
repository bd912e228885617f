// Circular buffers of data movers.
#pragma once

#include "gridloom/interface.h"

FORCE_INLINE void cb_reserve_back(int32_t cb, int32_t pages)
{
    gridloom::call(gridloom::Call::cb_reserve, cb, pages);
}

FORCE_INLINE void cb_push_back(int32_t cb, int32_t pages)
{
    gridloom::call(gridloom::Call::cb_push, cb, pages);
}

FORCE_INLINE void cb_wait_front(int32_t cb, int32_t pages)
{
    gridloom::call(gridloom::Call::cb_wait, cb, pages);
}

FORCE_INLINE void cb_pop_front(int32_t cb, int32_t pages)
{
    gridloom::call(gridloom::Call::cb_pop, cb, pages);
}

FORCE_INLINE bool cb_pages_reservable_at_back(int32_t cb, int32_t pages)
{
    return gridloom::fact_of(cb, gridloom::PAGES_FREE) >= static_cast<uint32_t>(pages);
}

FORCE_INLINE bool cb_pages_available_at_front(int32_t cb, int32_t pages)
{
    return gridloom::fact_of(cb, gridloom::PAGES_FILLED) >= static_cast<uint32_t>(pages);
}

// Each processor's own.
FORCE_INLINE uint32_t get_write_ptr(uint32_t cb)
{
    return gridloom::call(gridloom::Call::cb_write_pointer, cb);
}

FORCE_INLINE uint32_t get_read_ptr(uint32_t cb)
{
    return gridloom::call(gridloom::Call::cb_read_pointer, cb);
}
