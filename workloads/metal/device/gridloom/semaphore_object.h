// Device 2.0: a semaphore as an object.
#pragma once

#include "gridloom/noc.h"
#include "gridloom/semaphore.h"

template <ProgrammableCoreType core_type = ProgrammableCoreType::TENSIX> class Semaphore
{
    template <ProgrammableCoreType> friend class Semaphore;

  public:
    FORCE_INLINE explicit Semaphore(uint32_t id) : address(get_semaphore<core_type>(id)) {}

    FORCE_INLINE void up(uint32_t by) { *word() = *word() + by; }

    FORCE_INLINE void up(const Noc &noc, uint32_t x, uint32_t y, uint32_t by, uint8_t vc = NOC_UNICAST_WRITE_VC)
    {
        noc_semaphore_inc(get_noc_addr(x, y, address), by, noc.get_noc_id(), vc);
    }

    FORCE_INLINE void down(uint32_t by)
    {
        wait_min(by);
        *word() = *word() - by;
    }

    FORCE_INLINE void wait(uint32_t value) { noc_semaphore_wait(word(), value); }
    FORCE_INLINE void wait_min(uint32_t value) { noc_semaphore_wait_min(word(), value); }
    FORCE_INLINE void set(uint32_t value) { noc_semaphore_set(word(), value); }

    // The own value to others: the same semaphore, or `to`.
    template <ProgrammableCoreType other = core_type>
    FORCE_INLINE void relay_unicast(const Noc &noc, const Semaphore<other> &to, uint32_t x, uint32_t y)
    {
        noc_semaphore_set_remote(address, get_noc_addr(x, y, to.address), noc.get_noc_id());
    }

    template <NocOptions options = NocOptions::DEFAULT, ProgrammableCoreType other = core_type>
    FORCE_INLINE void relay_multicast(const Noc &noc, const Semaphore<other> &to, uint32_t x_start, uint32_t y_start,
                                      uint32_t x_end, uint32_t y_end, uint32_t receivers, bool linked = false)
    {
        const uint64_t there = get_noc_multicast_addr(x_start, y_start, x_end, y_end, to.address);

        if constexpr (has_flag(options, NocOptions::MCAST_INCL_SRC)) {
            noc_semaphore_set_multicast_loopback_src(address, there, receivers, linked, noc.get_noc_id());
        } else {
            noc_semaphore_set_multicast(address, there, receivers, linked, noc.get_noc_id());
        }
    }

    template <NocOptions options = NocOptions::DEFAULT>
    FORCE_INLINE void set_multicast(const Noc &noc, uint32_t x_start, uint32_t y_start, uint32_t x_end, uint32_t y_end,
                                    uint32_t receivers, bool linked = false)
    {
        relay_multicast<options>(noc, *this, x_start, y_start, x_end, y_end, receivers, linked);
    }

    FORCE_INLINE void inc_multicast(const Noc &noc, uint32_t x_start, uint32_t y_start, uint32_t x_end, uint32_t y_end,
                                    uint32_t by, uint32_t receivers)
    {
        noc_semaphore_inc_multicast(get_noc_multicast_addr(x_start, y_start, x_end, y_end, address), by, receivers,
                                    noc.get_noc_id());
    }

  private:
    FORCE_INLINE volatile uint32_t *word() const { return reinterpret_cast<volatile uint32_t *>(address); }

    uintptr_t address;
};
