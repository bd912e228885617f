// The dataflow API: commands to the NoCs, barriers, circular buffers, semaphores.
#pragma once

#include "gridloom/environment.h"
#include "gridloom/niu.h"

constexpr uint32_t NOC_MAX_BURST_SIZE = 8192;
constexpr uint32_t VALID = 1;
constexpr uint32_t INVALID = 0;
constexpr uint8_t noc_index = NOC_INDEX;

inline uint32_t noc_reads_num_issued[2];
inline uint32_t noc_nonposted_writes_num_issued[2];
inline uint32_t noc_nonposted_writes_acked[2];
inline uint32_t noc_nonposted_atomics_acked[2];

// Addresses.

FORCE_INLINE uint64_t get_noc_addr(uint32_t x, uint32_t y, uint32_t address, uint8_t = noc_index)
{
    return static_cast<uint64_t>(y << 10 | x << 4) << 32 | address;
}

FORCE_INLINE uint64_t get_noc_addr(uint32_t address, uint8_t noc = noc_index)
{
    return get_noc_addr(my_x[noc], my_y[noc], address);
}

FORCE_INLINE uint64_t get_noc_multicast_addr(
    uint32_t x_start, uint32_t y_start, uint32_t x_end, uint32_t y_end, uint32_t address, uint8_t = noc_index)
{
    return static_cast<uint64_t>(y_start << 22 | x_start << 16 | y_end << 10 | x_end << 4) << 32 | address;
}

template <bool is_dram>
FORCE_INLINE uint64_t get_noc_addr_from_bank_id(uint32_t bank, uint32_t offset, uint8_t noc = noc_index)
{
    const uint32_t place = is_dram ? gridloom::dram_places[noc][bank] : gridloom::l1_places[bank];

    return static_cast<uint64_t>(place << 4) << 32 | offset;
}

// Commands.

namespace gridloom {

FORCE_INLINE void read(uint32_t noc, uint64_t from, uint32_t to, uint32_t bytes)
{
    wait_until_ready(noc, READS);
    volatile uint32_t *buffer = niu(noc, READS);

    buffer[RETURN_LOW] = to;
    buffer[TARGET_LOW] = low(from);
    buffer[TARGET_PLACE] = place(from);
    buffer[LENGTH] = bytes;
    buffer[START] = 1;
    noc_reads_num_issued[noc]++;
}

FORCE_INLINE void write(uint32_t noc, Buffer which, uint32_t control, uint32_t from, uint64_t to, uint32_t bytes, uint32_t acks)
{
    wait_until_ready(noc, which);
    volatile uint32_t *buffer = niu(noc, which);

    buffer[CONTROL] = control;
    buffer[TARGET_LOW] = from;
    buffer[RETURN_LOW] = low(to);
    buffer[RETURN_PLACE] = place(to);
    buffer[LENGTH] = bytes;
    buffer[START] = 1;
    noc_nonposted_writes_num_issued[noc]++;
    noc_nonposted_writes_acked[noc] += acks;
}

} // namespace gridloom

template <uint32_t most = NOC_MAX_BURST_SIZE + 1, bool = true>
FORCE_INLINE void noc_async_read(uint64_t from, uint32_t to, uint32_t bytes, uint8_t noc = noc_index, uint32_t = 1)
{
    if constexpr (most > NOC_MAX_BURST_SIZE) {
        while (__builtin_expect(bytes > NOC_MAX_BURST_SIZE, 0)) {
            gridloom::read(noc, from, to, NOC_MAX_BURST_SIZE);
            from += NOC_MAX_BURST_SIZE;
            to += NOC_MAX_BURST_SIZE;
            bytes -= NOC_MAX_BURST_SIZE;
        }
    }
    gridloom::read(noc, from, to, bytes);
}

template <uint32_t = NOC_MAX_BURST_SIZE, bool = true>
FORCE_INLINE void noc_async_read_one_packet(uint64_t from, uint32_t to, uint32_t bytes, uint8_t noc = noc_index, uint32_t = 1)
{
    gridloom::read(noc, from, to, bytes);
}

// State stays in the command buffer: later reads of the same length and place give less.
FORCE_INLINE void noc_async_read_one_packet_set_state(uint64_t from, uint32_t bytes, uint32_t = 1, uint8_t noc = noc_index)
{
    gridloom::wait_until_ready(noc, gridloom::READS);
    volatile uint32_t *buffer = gridloom::niu(noc, gridloom::READS);

    buffer[gridloom::TARGET_PLACE] = gridloom::place(from);
    buffer[gridloom::LENGTH] = bytes;
}

template <bool = true>
FORCE_INLINE void noc_async_read_one_packet_with_state(uint32_t from, uint32_t to, uint32_t = 1, uint8_t noc = noc_index)
{
    gridloom::wait_until_ready(noc, gridloom::READS);
    volatile uint32_t *buffer = gridloom::niu(noc, gridloom::READS);

    buffer[gridloom::RETURN_LOW] = to;
    buffer[gridloom::TARGET_LOW] = from;
    buffer[gridloom::START] = 1;
    noc_reads_num_issued[noc]++;
}

namespace gridloom {

constexpr uint32_t PLAIN_WRITE = WRITE | STATIC | ANSWERED;
constexpr uint32_t MULTICAST_WRITE = PLAIN_WRITE | MULTICAST | RESERVE;

template <typename Packet> FORCE_INLINE void split(uint32_t from, uint64_t to, uint32_t bytes, Packet packet)
{
    while (__builtin_expect(bytes > NOC_MAX_BURST_SIZE, 0)) {
        packet(from, to, NOC_MAX_BURST_SIZE);
        from += NOC_MAX_BURST_SIZE;
        to += NOC_MAX_BURST_SIZE;
        bytes -= NOC_MAX_BURST_SIZE;
    }
    packet(from, to, bytes);
}

} // namespace gridloom

template <uint32_t most = NOC_MAX_BURST_SIZE + 1, bool = true, bool posted = false>
FORCE_INLINE void noc_async_write(uint32_t from, uint64_t to, uint32_t bytes, uint8_t noc = noc_index, uint32_t = 1)
{
    gridloom::split(from, to, bytes, [noc](uint32_t here, uint64_t there, uint32_t size) {
        gridloom::write(noc, gridloom::WRITES,
                        posted ? gridloom::PLAIN_WRITE & ~gridloom::ANSWERED : gridloom::PLAIN_WRITE, here, there,
                        size, posted ? 0 : 1);
    });
}

FORCE_INLINE void noc_async_write_multicast(
    uint32_t from, uint64_t to, uint32_t bytes, uint32_t receivers, bool linked = false, uint8_t noc = noc_index)
{
    gridloom::split(from, to, bytes, [=](uint32_t here, uint64_t there, uint32_t size) {
        gridloom::write(noc, gridloom::WRITES, gridloom::MULTICAST_WRITE | (linked ? gridloom::LINKED : 0), here,
                        there, size, receivers);
    });
}

FORCE_INLINE void noc_async_write_multicast_loopback_src(
    uint32_t from, uint64_t to, uint32_t bytes, uint32_t receivers, bool linked = false, uint8_t noc = noc_index)
{
    gridloom::split(from, to, bytes, [=](uint32_t here, uint64_t there, uint32_t size) {
        gridloom::write(noc, gridloom::WRITES,
                        gridloom::MULTICAST_WRITE | gridloom::WITH_SENDER | (linked ? gridloom::LINKED : 0), here,
                        there, size, receivers);
    });
}

// Barriers.

FORCE_INLINE void noc_async_read_barrier(uint8_t = noc_index)
{
    gridloom::call(gridloom::Call::barrier, 0u);
}

FORCE_INLINE void noc_async_write_barrier(uint8_t = noc_index)
{
    gridloom::call(gridloom::Call::barrier, 1u);
}

FORCE_INLINE void noc_async_writes_flushed(uint8_t = noc_index)
{
    gridloom::call(gridloom::Call::barrier, 2u);
}

FORCE_INLINE void noc_async_atomic_barrier(uint8_t = noc_index)
{
    gridloom::call(gridloom::Call::barrier, 3u);
}

FORCE_INLINE void noc_async_full_barrier(uint8_t noc = noc_index)
{
    noc_async_read_barrier(noc);
    noc_async_write_barrier(noc);
    noc_async_atomic_barrier(noc);
}

// Semaphores.

FORCE_INLINE uint32_t get_semaphore(uint32_t id)
{
    return gridloom_semaphores + 16 * id;
}

FORCE_INLINE void noc_semaphore_inc(uint64_t address, uint32_t increment, uint8_t noc = noc_index)
{
    gridloom::wait_until_ready(noc, gridloom::ATOMICS);
    volatile uint32_t *buffer = gridloom::niu(noc, gridloom::ATOMICS);

    buffer[gridloom::CONTROL] = gridloom::ATOMIC | gridloom::ANSWERED;
    buffer[gridloom::TARGET_LOW] = gridloom::low(address);
    buffer[gridloom::TARGET_PLACE] = gridloom::place(address);
    buffer[gridloom::LENGTH] = 4;
    buffer[gridloom::DATA] = increment;
    buffer[gridloom::START] = 1;
    noc_nonposted_atomics_acked[noc]++;
}

FORCE_INLINE void noc_semaphore_set(volatile uint32_t *word, uint32_t value)
{
    *word = value;
}

FORCE_INLINE void noc_semaphore_wait(volatile uint32_t *word, uint32_t value)
{
    gridloom::call(gridloom::Call::semaphore_wait, reinterpret_cast<uint32_t>(word), value, 0u);
}

FORCE_INLINE void noc_semaphore_wait_min(volatile uint32_t *word, uint32_t value)
{
    gridloom::call(gridloom::Call::semaphore_wait, reinterpret_cast<uint32_t>(word), value, 1u);
}

FORCE_INLINE void noc_semaphore_set_remote(uint32_t from, uint64_t to, uint8_t noc = noc_index)
{
    gridloom::write(noc, gridloom::SMALL_WRITES, gridloom::PLAIN_WRITE, from, to, 4, 1);
}

FORCE_INLINE void noc_semaphore_set_multicast(
    uint32_t from, uint64_t to, uint32_t receivers, bool linked = false, uint8_t noc = noc_index)
{
    gridloom::write(noc, gridloom::SMALL_WRITES, gridloom::MULTICAST_WRITE | (linked ? gridloom::LINKED : 0), from,
                    to, 4, receivers);
}

FORCE_INLINE void noc_semaphore_set_multicast_loopback_src(
    uint32_t from, uint64_t to, uint32_t receivers, bool linked = false, uint8_t noc = noc_index)
{
    gridloom::write(noc, gridloom::SMALL_WRITES,
                    gridloom::MULTICAST_WRITE | gridloom::WITH_SENDER | (linked ? gridloom::LINKED : 0), from, to, 4,
                    receivers);
}

FORCE_INLINE void noc_inline_dw_write(uint64_t address, uint32_t value, uint8_t = 0xf, uint8_t noc = noc_index)
{
    gridloom::wait_until_ready(noc, gridloom::SMALL_WRITES);
    volatile uint32_t *buffer = gridloom::niu(noc, gridloom::SMALL_WRITES);

    buffer[gridloom::CONTROL] = gridloom::PLAIN_WRITE | gridloom::INLINE;
    buffer[gridloom::TARGET_LOW] = gridloom::low(address);
    buffer[gridloom::TARGET_PLACE] = gridloom::place(address);
    buffer[gridloom::DATA] = value;
    buffer[gridloom::START] = 1;
    noc_nonposted_writes_num_issued[noc]++;
    noc_nonposted_writes_acked[noc]++;
}

// Circular buffers.

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

FORCE_INLINE uint32_t get_write_ptr(uint32_t cb)
{
    return gridloom::call(gridloom::Call::cb_write_pointer, cb);
}

FORCE_INLINE uint32_t get_read_ptr(uint32_t cb)
{
    return gridloom::call(gridloom::Call::cb_read_pointer, cb);
}

constexpr uint32_t get_tile_size(uint32_t cb)
{
    return gridloom::tile_bytes[cb];
}
