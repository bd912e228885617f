// Well-known calls that Gridloom does not have: each fails where it is used, by name.
#pragma once

#include <cstddef>

#define GRIDLOOM_ABSENT(name)                                                                                          \
    template <auto... options> inline uint32_t name(auto...)                                                           \
    {                                                                                                                  \
        static_assert(sizeof...(options) > 999,                                                                        \
                      "Gridloom has no " #name ": workloads/doc/metal.md lists what there is");                        \
        return 0;                                                                                                      \
    }

#ifdef COMPILE_FOR_TRISC
GRIDLOOM_ABSENT(pack_rows_init)
GRIDLOOM_ABSENT(pack_rows)
GRIDLOOM_ABSENT(cumsum_tile)
GRIDLOOM_ABSENT(rand_tile)
GRIDLOOM_ABSENT(dropout_tile)
GRIDLOOM_ABSENT(quant_tile)
GRIDLOOM_ABSENT(requant_tile)
GRIDLOOM_ABSENT(dequant_tile)
GRIDLOOM_ABSENT(topk_tile_init)
GRIDLOOM_ABSENT(topk_local_sort)
GRIDLOOM_ABSENT(topk_merge)
GRIDLOOM_ABSENT(topk_rebuild)
GRIDLOOM_ABSENT(welford_init)
GRIDLOOM_ABSENT(reduce_block_max_row)
GRIDLOOM_ABSENT(dbg_read_dest_acc_row)
#else
#ifndef PCIE_NOC_X
#define PCIE_NOC_X 0
#define PCIE_NOC_Y 3
#endif
GRIDLOOM_ABSENT(noc_fast_read)
GRIDLOOM_ABSENT(noc_fast_write)
GRIDLOOM_ABSENT(noc_fast_atomic_increment)
GRIDLOOM_ABSENT(ncrisc_noc_fast_read)
GRIDLOOM_ABSENT(ncrisc_noc_fast_write)
GRIDLOOM_ABSENT(ncrisc_noc_fast_read_any_len)
GRIDLOOM_ABSENT(ncrisc_noc_fast_write_any_len)
GRIDLOOM_ABSENT(noc_async_write_multicast_exclude_region)
GRIDLOOM_ABSENT(get_system_memory_noc_addr)
GRIDLOOM_ABSENT(NOC_XY_PCIE_ENCODING)
GRIDLOOM_ABSENT(remote_cb_reserve_back)
GRIDLOOM_ABSENT(remote_cb_wait_front)
GRIDLOOM_ABSENT(remote_cb_pop_front)
GRIDLOOM_ABSENT(remote_cb_push_back_and_write_pages)
GRIDLOOM_ABSENT(socket_reserve_pages)
GRIDLOOM_ABSENT(socket_push_pages)
GRIDLOOM_ABSENT(socket_wait_for_pages)
GRIDLOOM_ABSENT(socket_pop_pages)
GRIDLOOM_ABSENT(fabric_set_unicast_route)
#endif

#undef GRIDLOOM_ABSENT
