// Semaphores: words of the L1 that cores set, increment and wait for.
#pragma once

#include "gridloom/command.h"

template <ProgrammableCoreType = ProgrammableCoreType::TENSIX> FORCE_INLINE uintptr_t get_semaphore(uint32_t id)
{
    return gridloom::semaphores + 16 * id;
}

namespace gridloom
{

FORCE_INLINE void increment(uint32_t noc, uint32_t control, uint64_t address, uint32_t by, uint32_t answers)
{
    volatile uint32_t *buffer = ready(noc, ATOMICS);

    buffer[CONTROL] = control;
    buffer[TARGET_LOW] = low(address);
    buffer[TARGET_PLACE] = place(address);
    buffer[LENGTH] = 4;
    buffer[DATA] = by;
    buffer[START] = 1;
    if ((control & ANSWERED) != 0) {
        noc_nonposted_atomics_acked[noc] += answers;
    }
}

}  // namespace gridloom

template <bool posted = false>
FORCE_INLINE void noc_semaphore_inc(uint64_t address, uint32_t by, uint8_t noc = noc_index,
                                    uint8_t = NOC_UNICAST_WRITE_VC)
{
    gridloom::increment(noc, gridloom::ATOMIC | (posted ? 0u : gridloom::ANSWERED), address, by, 1);
}

template <bool = false>
FORCE_INLINE void noc_semaphore_inc_multicast(uint64_t address, uint32_t by, uint32_t receivers,
                                              uint8_t noc = noc_index, uint8_t = NOC_MULTICAST_WRITE_VC)
{
    gridloom::increment(noc, gridloom::ATOMIC | gridloom::ANSWERED | gridloom::MULTICAST | gridloom::RESERVE, address,
                        by, receivers);
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
    gridloom::write(noc, gridloom::SMALL_WRITES, gridloom::PLAIN_WRITE, from, to, 4);
}

FORCE_INLINE void noc_semaphore_set_multicast(uint32_t from, uint64_t to, uint32_t receivers, bool linked = false,
                                              uint8_t noc = noc_index, uint8_t = NOC_MULTICAST_WRITE_VC)
{
    gridloom::write(noc, gridloom::SMALL_WRITES, gridloom::multicast_control(linked, false), from, to, 4, receivers);
}

FORCE_INLINE void noc_semaphore_set_multicast_loopback_src(uint32_t from, uint64_t to, uint32_t receivers,
                                                           bool linked = false, uint8_t noc = noc_index)
{
    gridloom::write(noc, gridloom::SMALL_WRITES, gridloom::multicast_control(linked, true), from, to, 4, receivers);
}
