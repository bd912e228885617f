// The network interfaces of a core as a program has them: command buffers in memory.
#pragma once

#include "gridloom/call.h"

namespace gridloom
{

enum Buffer : uint32_t { WRITES = 0, READS = 1, SMALL_WRITES = 2, ATOMICS = 3 };

// Words of a command buffer.
enum Register : uint32_t {
    TARGET_LOW = 0,
    TARGET_MIDDLE = 1,
    TARGET_PLACE = 2,
    RETURN_LOW = 3,
    RETURN_MIDDLE = 4,
    RETURN_PLACE = 5,
    TAG = 6,
    CONTROL = 7,
    LENGTH = 8,
    DATA = 10,
    START = 16,
};

// Bits of CONTROL.
enum Control : uint32_t {
    ATOMIC = 1 << 0,
    WRITE = 1 << 1,
    INLINE = 1 << 3,
    ANSWERED = 1 << 4,
    MULTICAST = 1 << 5,
    LINKED = 1 << 6,
    STATIC = 1 << 7,
    RESERVE = 1 << 8,
    WITH_SENDER = 1 << 17,
};

constexpr uint32_t PLAIN_WRITE = WRITE | STATIC | ANSWERED;
constexpr uint32_t MULTICAST_WRITE = PLAIN_WRITE | MULTICAST | RESERVE;

constexpr uint32_t TRANSACTION_SHIFT = 10;  // of TAG
constexpr uint32_t CHANNEL_SHIFT = 13;      // of CONTROL

FORCE_INLINE volatile uint32_t *niu(uint32_t noc, uint32_t buffer)
{
    return reinterpret_cast<volatile uint32_t *>(0xffb20000u + (noc << 16) + (buffer << 11));
}

// A buffer that takes a command: waits until it has handed over the one before.
FORCE_INLINE volatile uint32_t *ready(uint32_t noc, uint32_t buffer)
{
    volatile uint32_t *words = niu(noc, buffer);

    while (__builtin_expect(words[START] != 0, 0)) {
    }
    return words;
}

// The two halves of an address on a NoC: where it is local, and the place.
FORCE_INLINE uint32_t low(uint64_t address)
{
    return static_cast<uint32_t>(address);
}

FORCE_INLINE uint32_t place(uint64_t address)
{
    return static_cast<uint32_t>(address >> 32) >> 4;
}

}  // namespace gridloom
