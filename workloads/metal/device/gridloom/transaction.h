// Transaction ids, 0 to 15: commands that carry one, and barriers for one.
#pragma once

#include "gridloom/barrier.h"
#include "gridloom/state.h"

FORCE_INLINE void noc_async_read_set_trid(uint32_t id = 0, uint8_t noc = noc_index)
{
    gridloom::ready(noc, gridloom::READS)[gridloom::TAG] = id << gridloom::TRANSACTION_SHIFT;
}

FORCE_INLINE void noc_async_write_set_trid(uint32_t id = 0, uint8_t noc = noc_index)
{
    gridloom::ready(noc, gridloom::WRITES)[gridloom::TAG] = id << gridloom::TRANSACTION_SHIFT;
}

// The id is the one that was set last.
template <bool = false, bool = false>
FORCE_INLINE void noc_async_read_one_packet_with_state_with_trid(uint32_t base, uint32_t from, uint32_t to,
                                                                 uint32_t = 0, uint8_t noc = noc_index)
{
    noc_async_read_one_packet_with_state(base + from, to, 0, noc);
}

template <bool count = true, bool posted = false>
FORCE_INLINE void noc_async_write_one_packet_with_trid(uint32_t from, uint64_t to, uint32_t bytes, uint32_t id,
                                                       uint8_t which = write_cmd_buf, uint8_t noc = noc_index,
                                                       uint8_t vc = NOC_UNICAST_WRITE_VC)
{
    gridloom::ready(noc, which)[gridloom::TAG] = id << gridloom::TRANSACTION_SHIFT;
    gridloom::write(noc, which, gridloom::unicast_control(posted, vc), from, to, bytes);
}

template <bool posted = false>
FORCE_INLINE void noc_async_write_one_packet_with_trid_set_state(uint64_t to, uint8_t which = write_cmd_buf,
                                                                 uint8_t noc = noc_index,
                                                                 uint8_t vc = NOC_UNICAST_WRITE_VC)
{
    volatile uint32_t *buffer = gridloom::ready(noc, which);

    buffer[gridloom::CONTROL] = gridloom::unicast_control(posted, vc);
    buffer[gridloom::RETURN_PLACE] = gridloom::place(to);
}

template <bool count = true, bool posted = false>
FORCE_INLINE void noc_async_write_one_packet_with_trid_with_state(uint32_t from, uint32_t to, uint32_t bytes,
                                                                  uint32_t id, uint8_t which = write_cmd_buf,
                                                                  uint8_t noc = noc_index)
{
    volatile uint32_t *buffer = gridloom::ready(noc, which);

    buffer[gridloom::TAG] = id << gridloom::TRANSACTION_SHIFT;
    buffer[gridloom::TARGET_LOW] = from;
    buffer[gridloom::RETURN_LOW] = to;
    buffer[gridloom::LENGTH] = bytes;
    buffer[gridloom::START] = 1;
    if constexpr (count) {
        gridloom::count_write(noc, posted);
    }
}

FORCE_INLINE void noc_async_read_barrier_with_trid(uint32_t id, uint8_t = noc_index)
{
    gridloom::call(gridloom::Call::barrier_of, gridloom::OF_READS, id);
}

FORCE_INLINE void noc_async_write_barrier_with_trid(uint32_t id, uint8_t = noc_index)
{
    gridloom::call(gridloom::Call::barrier_of, gridloom::OF_WRITES, id);
}

FORCE_INLINE void noc_async_write_flushed_with_trid(uint32_t id, uint8_t = noc_index)
{
    gridloom::call(gridloom::Call::barrier_of, gridloom::OF_DEPARTURES, id);
}

// Whether nothing of the id is under way.
FORCE_INLINE bool ncrisc_noc_read_with_transaction_id_flushed(uint32_t, uint32_t id)
{
    return gridloom::call(gridloom::Call::outstanding, gridloom::OF_READS, id) == 0;
}

FORCE_INLINE bool ncrisc_noc_nonposted_write_with_transaction_id_flushed(uint32_t, uint32_t id)
{
    return gridloom::call(gridloom::Call::outstanding, gridloom::OF_WRITES, id) == 0;
}

FORCE_INLINE bool ncrisc_noc_nonposted_write_with_transaction_id_sent(uint32_t, uint32_t id)
{
    return gridloom::call(gridloom::Call::outstanding, gridloom::OF_DEPARTURES, id) == 0;
}

// Ids count what is under way, and never more.
FORCE_INLINE void reset_noc_trid_barrier_counter(uint32_t = NOC_CLEAR_OUTSTANDING_REQ_MASK, uint32_t = noc_index) {}
