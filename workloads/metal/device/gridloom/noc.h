// Device 2.0: a NoC as an object. Each member becomes one call.
#pragma once

#include "gridloom/inline_write.h"
#include "gridloom/noc_part.h"
#include "gridloom/transfer.h"

class Noc : public NocPart
{
    template <typename T> using From = typename noc_traits_t<T>::src_args_type;
    template <typename T> using To = typename noc_traits_t<T>::dst_args_type;
    template <typename T> using ToMany = typename noc_traits_t<T>::dst_args_mcast_type;
    static constexpr uint32_t MOST = NOC_MAX_BURST_SIZE + 1;

    template <NocOptions options> static FORCE_INLINE uint32_t channel(const NocOptVals &values)
    {
        return has_flag(options, NocOptions::CUSTOM_VC) ? values.vc : NOC_UNICAST_WRITE_VC;
    }

  public:
    enum class AddressType { NOC, LOCAL_L1 };
    static constexpr uint32_t INVALID_TXN_ID = 0xffffffff;

    using NocPart::NocPart;

    template <NocOptions options = NocOptions::DEFAULT, uint32_t most = MOST, bool = true, typename Source,
              typename Sink>
    FORCE_INLINE void async_read(const Source &from, const Sink &to, uint32_t bytes, const From<Source> &from_args,
                                 const To<Sink> &to_args, const NocOptVals &values = {}) const
    {
        if constexpr (has_flag(options, NocOptions::TXN_ID)) {
            noc_async_read_set_trid(values.trid, id);
        }
        noc_async_read<most>(noc_traits_t<Source>::src(from, *this, from_args),
                             noc_traits_t<Sink>::local_dst(to, to_args), bytes, id);
    }

    template <NocOptions = NocOptions::DEFAULT, uint32_t most = MOST, typename Source>
    FORCE_INLINE void set_async_read_state(const Source &from, uint32_t bytes, const From<Source> &from_args,
                                           const NocOptVals & = {}) const
    {
        const uint64_t address = noc_traits_t<Source>::src(from, *this, from_args);

        if constexpr (most <= NOC_MAX_BURST_SIZE) {
            noc_async_read_one_packet_set_state(address, bytes, 0, id);
        } else {
            noc_async_read_set_state(address, id);
        }
    }

    template <NocOptions options = NocOptions::DEFAULT, uint32_t most = MOST, typename Source, typename Sink>
    FORCE_INLINE void async_read_with_state(const Source &from, const Sink &to, uint32_t bytes,
                                            const From<Source> &from_args, const To<Sink> &to_args,
                                            const NocOptVals &values = {}) const
    {
        const uint32_t there = gridloom::low(noc_traits_t<Source>::src(from, *this, from_args));
        const uint32_t here = noc_traits_t<Sink>::local_dst(to, to_args);

        if constexpr (has_flag(options, NocOptions::TXN_ID)) {
            noc_async_read_set_trid(values.trid, id);
        }
        if constexpr (most <= NOC_MAX_BURST_SIZE) {
            noc_async_read_one_packet_with_state(there, here, 0, id);
        } else {
            noc_async_read_with_state(there, here, bytes, id);
        }
    }

    template <NocOptions options = NocOptions::DEFAULT, uint32_t most = MOST, bool = true, typename Source,
              typename Sink>
    FORCE_INLINE void async_write(const Source &from, const Sink &to, uint32_t bytes, const From<Source> &from_args,
                                  const To<Sink> &to_args, const NocOptVals &values = {}) const
    {
        if constexpr (has_flag(options, NocOptions::TXN_ID)) {
            noc_async_write_set_trid(values.trid, id);
        }
        noc_async_write<most, true, has_flag(options, NocOptions::POSTED)>(
            noc_traits_t<Source>::local_src(from, from_args), noc_traits_t<Sink>::dst(to, *this, to_args), bytes, id,
            channel<options>(values));
    }

    template <NocOptions options = NocOptions::DEFAULT, uint32_t most = MOST, bool = true, typename Source,
              typename Sink>
    FORCE_INLINE void async_write_multicast(const Source &from, const Sink &to, uint32_t bytes, uint32_t receivers,
                                            const From<Source> &from_args, const ToMany<Sink> &to_args,
                                            bool linked = false) const
    {
        const uint32_t here = noc_traits_t<Source>::local_src(from, from_args);
        const uint64_t there = noc_traits_t<Sink>::multicast_dst(to, *this, to_args);

        if constexpr (has_flag(options, NocOptions::MCAST_INCL_SRC)) {
            noc_async_write_multicast_loopback_src(here, there, bytes, receivers, linked, id);
        } else {
            noc_async_write_multicast<most>(here, there, bytes, receivers, linked, id);
        }
    }

    // A write that may need several packets sets the length again.
    template <NocOptions options = NocOptions::DEFAULT, uint32_t = MOST, typename Sink>
    FORCE_INLINE void set_async_write_state(const Sink &to, uint32_t bytes, const To<Sink> &to_args,
                                            const NocOptVals &values = {}) const
    {
        noc_async_write_one_packet_set_state<has_flag(options, NocOptions::POSTED)>(
            noc_traits_t<Sink>::dst(to, *this, to_args), bytes, id, channel<options>(values));
    }

    template <NocOptions options = NocOptions::DEFAULT, uint32_t most = MOST, typename Source, typename Sink>
    FORCE_INLINE void async_write_with_state(const Source &from, const Sink &to, uint32_t bytes,
                                             const From<Source> &from_args, const To<Sink> &to_args,
                                             const NocOptVals &values = {}) const
    {
        constexpr bool is_posted = has_flag(options, NocOptions::POSTED);
        const uint32_t here = noc_traits_t<Source>::local_src(from, from_args);
        const uint32_t there = gridloom::low(noc_traits_t<Sink>::dst(to, *this, to_args));

        if constexpr (has_flag(options, NocOptions::TXN_ID)) {
            noc_async_write_set_trid(values.trid, id);
        }
        if constexpr (most <= NOC_MAX_BURST_SIZE) {
            noc_async_write_one_packet_with_state<is_posted>(here, there, id);
        } else {
            noc_async_write_with_state<is_posted>(here, there, bytes, id);
        }
    }

    template <NocOptions options = NocOptions::DEFAULT, typename Sink>
    FORCE_INLINE void inline_dw_write(const Sink &to, uint32_t value, const To<Sink> &to_args, uint8_t bytes = 0xf,
                                      const NocOptVals & = {}) const
    {
        noc_inline_dw_write<InlineWriteDst::DEFAULT, has_flag(options, NocOptions::POSTED)>(
            noc_traits_t<Sink>::dst(to, *this, to_args), value, bytes, id);
    }
};
