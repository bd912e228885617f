// Commands to a NoC: what is stored to a command buffer, and counted.
#pragma once

#include "gridloom/address.h"
#include "gridloom/niu.h"

// Command buffers, by the numbers that calls take.
constexpr uint8_t write_cmd_buf = gridloom::WRITES;
constexpr uint8_t read_cmd_buf = gridloom::READS;
constexpr uint8_t write_reg_cmd_buf = gridloom::SMALL_WRITES;
constexpr uint8_t write_at_cmd_buf = gridloom::ATOMICS;

inline uint32_t noc_reads_num_issued[NUM_NOCS];
inline uint32_t noc_nonposted_writes_num_issued[NUM_NOCS];
inline uint32_t noc_nonposted_writes_acked[NUM_NOCS];
inline uint32_t noc_nonposted_atomics_acked[NUM_NOCS];
inline uint32_t noc_posted_writes_num_issued[NUM_NOCS];

namespace gridloom
{

FORCE_INLINE void count_write(uint32_t noc, bool is_posted, uint32_t answers = 1)
{
    if (is_posted) {
        noc_posted_writes_num_issued[noc]++;
    } else {
        noc_nonposted_writes_num_issued[noc]++;
        noc_nonposted_writes_acked[noc] += answers;
    }
}

FORCE_INLINE void read(uint32_t noc, uint64_t from, uint32_t to, uint32_t bytes)
{
    volatile uint32_t *buffer = ready(noc, READS);

    buffer[RETURN_LOW] = to;
    buffer[TARGET_LOW] = low(from);
    buffer[TARGET_PLACE] = place(from);
    buffer[LENGTH] = bytes;
    buffer[START] = 1;
    noc_reads_num_issued[noc]++;
}

FORCE_INLINE void write(uint32_t noc, uint32_t which, uint32_t control, uint32_t from, uint64_t to, uint32_t bytes,
                        uint32_t answers = 1)
{
    volatile uint32_t *buffer = ready(noc, which);

    buffer[CONTROL] = control;
    buffer[TARGET_LOW] = from;
    buffer[RETURN_LOW] = low(to);
    buffer[RETURN_PLACE] = place(to);
    buffer[LENGTH] = bytes;
    buffer[START] = 1;
    count_write(noc, (control & ANSWERED) == 0, answers);
}

constexpr uint32_t unicast_control(bool is_posted, uint32_t channel = NOC_UNICAST_WRITE_VC)
{
    return (is_posted ? PLAIN_WRITE & ~ANSWERED : PLAIN_WRITE) | channel << CHANNEL_SHIFT;
}

constexpr uint32_t multicast_control(bool is_linked, bool has_sender)
{
    return MULTICAST_WRITE | (is_linked ? LINKED : 0u) | (has_sender ? WITH_SENDER : 0u);
}

// A transfer that may need more than one packet. The first address is local in writes.
template <uint32_t most, typename From, typename To, typename Packet>
FORCE_INLINE void split(From from, To to, uint32_t bytes, Packet packet)
{
    if constexpr (most > NOC_MAX_BURST_SIZE) {
        while (__builtin_expect(bytes > NOC_MAX_BURST_SIZE, 0)) {
            packet(from, to, NOC_MAX_BURST_SIZE);
            from += NOC_MAX_BURST_SIZE;
            to += NOC_MAX_BURST_SIZE;
            bytes -= NOC_MAX_BURST_SIZE;
        }
    }
    packet(from, to, bytes);
}

}  // namespace gridloom
