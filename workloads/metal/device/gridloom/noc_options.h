// Device 2.0: options of transfers, and what is told of their sources and targets.
#pragma once

#include "gridloom/address.h"

enum class NocOptions : uint32_t {
    DEFAULT = 0,
    TXN_ID = 1,
    POSTED = 2,
    CUSTOM_VC = 4,
    MCAST_INCL_SRC = 8,
    INLINE_L1 = 16,
    INLINE_REG = 32,
};

constexpr NocOptions operator|(NocOptions a, NocOptions b)
{
    return static_cast<NocOptions>(static_cast<uint32_t>(a) | static_cast<uint32_t>(b));
}

constexpr bool has_flag(NocOptions options, NocOptions flag)
{
    return (static_cast<uint32_t>(options) & static_cast<uint32_t>(flag)) != 0;
}

struct NocOptVals {
    uint32_t vc = NOC_UNICAST_WRITE_VC;
    uint32_t trid = 0;
};

// Specialised beside each class: src_args_type, dst_args_type, dst_args_mcast_type, and
// src, dst (on the NoC), local_src, local_dst, multicast_dst.
template <typename T> struct noc_traits_t {
    static_assert(sizeof(T) == 0, "Gridloom knows no address of this on a NoC: workloads/doc/metal.md");
};
