// Device 2.0: places on a NoC that data come from and go to.
#pragma once

#include "gridloom/noc.h"
#include "gridloom/page.h"

// A core and an address; as the near side of a transfer, an address of one's own L1.
struct UnicastEndpoint {
};

template <> struct noc_traits_t<UnicastEndpoint> {
    struct src_args_type {
        uint32_t noc_x{};
        uint32_t noc_y{};
        uint32_t addr{};
    };
    struct dst_args_type {
        uint32_t noc_x{};
        uint32_t noc_y{};
        uint32_t addr{};
    };
    template <typename Arguments>
    static FORCE_INLINE uint64_t src(const UnicastEndpoint &, const Noc &noc, const Arguments &at)
    {
        return get_noc_addr(at.noc_x, at.noc_y, at.addr, noc.get_noc_id());
    }
    static FORCE_INLINE uint64_t dst(const UnicastEndpoint &self, const Noc &noc, const dst_args_type &at)
    {
        return src(self, noc, at);
    }
    static FORCE_INLINE uint32_t local_src(const UnicastEndpoint &, const src_args_type &at) { return at.addr; }
    static FORCE_INLINE uint32_t local_dst(const UnicastEndpoint &, const dst_args_type &at) { return at.addr; }
};

struct MulticastEndpoint {
};

template <> struct noc_traits_t<MulticastEndpoint> {
    struct dst_args_mcast_type {
        uint32_t noc_x_start{};
        uint32_t noc_y_start{};
        uint32_t noc_x_end{};
        uint32_t noc_y_end{};
        uint32_t addr{};
    };
    static FORCE_INLINE uint64_t multicast_dst(const MulticastEndpoint &, const Noc &noc, const dst_args_mcast_type &at)
    {
        return get_noc_multicast_addr(at.noc_x_start, at.noc_y_start, at.noc_x_end, at.noc_y_end, at.addr,
                                      noc.get_noc_id());
    }
};

enum class AllocatorBankType { L1, DRAM };

template <AllocatorBankType type> struct AllocatorBank {
};

template <AllocatorBankType type> struct noc_traits_t<AllocatorBank<type>> {
    struct src_args_type {
        uint32_t bank_id{};
        uint32_t addr{};
    };
    struct dst_args_type {
        uint32_t bank_id{};
        uint32_t addr{};
    };
    template <typename Arguments>
    static FORCE_INLINE uint64_t src(const AllocatorBank<type> &, const Noc &noc, const Arguments &at)
    {
        return get_noc_addr_from_bank_id<type == AllocatorBankType::DRAM>(at.bank_id, at.addr, noc.get_noc_id());
    }
    static FORCE_INLINE uint64_t dst(const AllocatorBank<type> &self, const Noc &noc, const dst_args_type &at)
    {
        return src(self, noc, at);
    }
};

namespace gridloom
{

// Tensors and generators: pages by their numbers.
template <typename Generator> struct PageTraits {
    struct src_args_type {
        uint32_t page_id{};
        uint32_t offset_bytes{};
    };
    struct dst_args_type {
        uint32_t page_id{};
        uint32_t offset_bytes{};
    };
    template <typename Arguments>
    static FORCE_INLINE uint64_t src(const Generator &self, const Noc &noc, const Arguments &at)
    {
        return self.get_noc_addr(at.page_id, at.offset_bytes, noc.get_noc_id());
    }
    static FORCE_INLINE uint64_t dst(const Generator &self, const Noc &noc, const dst_args_type &at)
    {
        return src(self, noc, at);
    }
};

}  // namespace gridloom

template <typename Arguments>
struct noc_traits_t<TensorAccessor<Arguments>> : gridloom::PageTraits<TensorAccessor<Arguments>> {
};
template <bool DRAM> struct noc_traits_t<InterleavedAddrGen<DRAM>> : gridloom::PageTraits<InterleavedAddrGen<DRAM>> {
};
template <bool DRAM, uint32_t tile>
struct noc_traits_t<InterleavedAddrGenFast<DRAM, tile>> : gridloom::PageTraits<InterleavedAddrGenFast<DRAM, tile>> {
};
template <bool DRAM>
struct noc_traits_t<InterleavedPow2AddrGen<DRAM>> : gridloom::PageTraits<InterleavedPow2AddrGen<DRAM>> {
};

template <> struct noc_traits_t<tensor_accessor::Page> {
    struct src_args_type {
        uint32_t offset_bytes{};
    };
    struct dst_args_type {
        uint32_t offset_bytes{};
    };
    template <typename Arguments>
    static FORCE_INLINE uint64_t src(const tensor_accessor::Page &self, const Noc &, const Arguments &at)
    {
        return self.noc_addr() + at.offset_bytes;
    }
    static FORCE_INLINE uint64_t dst(const tensor_accessor::Page &self, const Noc &noc, const dst_args_type &at)
    {
        return src(self, noc, at);
    }
};
