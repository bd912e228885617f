// Circular buffers of compute threads: unpack waits and pops, pack reserves and pushes.
#pragma once

#include "gridloom/function.h"
#include "gridloom/interface.h"

namespace ckernel
{

ALWI void cb_wait_front(uint32_t cb, uint32_t pages)
{
    GRIDLOOM_COMPUTE(UNPACKS, "cb_wait_front", cb, pages);
}

ALWI void cb_pop_front(uint32_t cb, uint32_t pages)
{
    GRIDLOOM_COMPUTE(UNPACKS, "cb_pop_front", cb, pages);
}

ALWI void cb_reserve_back(uint32_t cb, uint32_t pages)
{
    GRIDLOOM_COMPUTE(PACKS, "cb_reserve_back", cb, pages);
}

ALWI void cb_push_back(uint32_t cb, uint32_t pages)
{
    GRIDLOOM_COMPUTE(PACKS, "cb_push_back", cb, pages);
}

// A word of 32 bits, through mailboxes: all three threads have it.
ALWI uint32_t read_tile_value(uint32_t cb, uint32_t tile, uint32_t word)
{
    return GRIDLOOM_COMPUTE(ALL_THREADS, "read_tile_value", cb, tile, word);
}

// Of a tile that unpack has waited for, in bytes.
ALWI uint32_t get_tile_address(uint32_t cb, uint32_t tile)
{
    return gridloom::call(gridloom::Call::cb_read_pointer, cb) + tile * gridloom::page_bytes[cb];
}

ALWI uint32_t get_tile_l1_byte_address(uint32_t cb, uint32_t tile)
{
    return get_tile_address(cb, tile);
}

}  // namespace ckernel
