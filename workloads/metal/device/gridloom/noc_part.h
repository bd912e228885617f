// Device 2.0: which NoC an object is for, and its barriers.
#pragma once

#include "gridloom/noc_options.h"
#include "gridloom/transaction.h"

class NocPart
{
  public:
    FORCE_INLINE NocPart() : id(noc_index) {}
    FORCE_INLINE explicit NocPart(uint8_t number) : id(number) {}

    FORCE_INLINE uint8_t get_noc_id() const { return id; }

    FORCE_INLINE bool is_local_bank(uint32_t x, uint32_t y) const { return x == my_x[id] && y == my_y[id]; }

    FORCE_INLINE bool is_local_addr(uint64_t address) const
    {
        return is_local_bank(NOC_UNICAST_ADDR_X(address), NOC_UNICAST_ADDR_Y(address));
    }

    FORCE_INLINE bool is_read_trid_flushed(uint32_t trid) const
    {
        return ncrisc_noc_read_with_transaction_id_flushed(id, trid);
    }

    template <NocOptions options = NocOptions::DEFAULT>
    FORCE_INLINE void async_read_barrier(const NocOptVals &values = {}) const
    {
        if constexpr (has_flag(options, NocOptions::TXN_ID)) {
            noc_async_read_barrier_with_trid(values.trid, id);
        } else {
            noc_async_read_barrier(id);
        }
    }

    template <NocOptions options = NocOptions::DEFAULT>
    FORCE_INLINE void async_write_barrier(const NocOptVals &values = {}) const
    {
        if constexpr (has_flag(options, NocOptions::TXN_ID)) {
            noc_async_write_barrier_with_trid(values.trid, id);
        } else {
            noc_async_write_barrier(id);
        }
    }

    template <NocOptions options = NocOptions::DEFAULT>
    FORCE_INLINE void async_writes_flushed(const NocOptVals &values = {}) const
    {
        if constexpr (has_flag(options, NocOptions::TXN_ID)) {
            noc_async_write_flushed_with_trid(values.trid, id);
        } else {
            noc_async_writes_flushed(id);
        }
    }

    FORCE_INLINE void async_atomic_barrier() const { noc_async_atomic_barrier(id); }
    FORCE_INLINE void async_full_barrier() const { noc_async_full_barrier(id); }

  protected:
    uint8_t id;
};
