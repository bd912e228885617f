// Device 2.0: a circular buffer as an object, on data movers and compute threads.
#pragma once

#include "gridloom/interface.h"

class CircularBuffer
{
  public:
    enum class AddrSelector { WRITE_PTR, READ_PTR };

    constexpr explicit CircularBuffer(uint32_t number) : id(number) {}

    FORCE_INLINE uint32_t get_cb_id() const { return id; }
    FORCE_INLINE void reserve_back(int32_t pages) { cb_reserve_back(id, pages); }
    FORCE_INLINE void push_back(int32_t pages) { cb_push_back(id, pages); }
    FORCE_INLINE void wait_front(int32_t pages) { cb_wait_front(id, pages); }
    FORCE_INLINE void pop_front(int32_t pages) { cb_pop_front(id, pages); }
    FORCE_INLINE uint32_t get_tile_size() const { return static_cast<uint32_t>(::get_tile_size(id)); }
    FORCE_INLINE uint32_t get_tile_hw() const { return ::get_tile_hw(id); }
    FORCE_INLINE DataFormat get_dataformat() const { return ::get_dataformat(id); }
    FORCE_INLINE uint32_t get_write_ptr() const { return gridloom::call(gridloom::Call::cb_write_pointer, id); }
    FORCE_INLINE uint32_t get_read_ptr() const { return gridloom::call(gridloom::Call::cb_read_pointer, id); }
    FORCE_INLINE bool pages_reservable_at_back(int32_t pages) const
    {
        return gridloom::fact_of(id, gridloom::PAGES_FREE) >= static_cast<uint32_t>(pages);
    }
    FORCE_INLINE bool pages_available_at_front(int32_t pages) const
    {
        return gridloom::fact_of(id, gridloom::PAGES_FILLED) >= static_cast<uint32_t>(pages);
    }
#ifdef COMPILE_FOR_TRISC
    FORCE_INLINE uint32_t get_tile_address(uint32_t tile)
    {
        return ckernel::get_tile_address(id, tile);
    }
    FORCE_INLINE uint32_t read_tile_value(uint32_t tile, uint32_t element)
    {
        return ckernel::read_tile_value(id, tile, element);
    }
#endif

  private:
    uint32_t id;
};

// A buffer of which one pointer counts, whichever side of a transfer it is on.
template <CircularBuffer::AddrSelector selector> struct CircularBufferView {
    const CircularBuffer &cb;
    constexpr explicit CircularBufferView(const CircularBuffer &buffer) : cb(buffer) {}
};

template <CircularBuffer::AddrSelector selector> constexpr auto use(const CircularBuffer &cb)
{
    return CircularBufferView<selector>(cb);
}

#ifndef COMPILE_FOR_TRISC
#include "gridloom/noc.h"

namespace gridloom
{

// Something in the L1 at `Place::from(self)` as a source, `Place::to(self)` as a target.
template <typename T, typename Place> struct LocalTraits {
    struct src_args_type {
        uint32_t offset_bytes{};
    };
    struct dst_args_type {
        uint32_t offset_bytes{};
    };
    struct dst_args_mcast_type {
        uint32_t noc_x_start{};
        uint32_t noc_y_start{};
        uint32_t noc_x_end{};
        uint32_t noc_y_end{};
        uint32_t offset_bytes{};
    };
    static FORCE_INLINE uint32_t local_src(const T &self, const src_args_type &at)
    {
        return Place::from(self) + at.offset_bytes;
    }
    static FORCE_INLINE uint32_t local_dst(const T &self, const dst_args_type &at)
    {
        return Place::to(self) + at.offset_bytes;
    }
    static FORCE_INLINE uint64_t src(const T &self, const Noc &noc, const src_args_type &at)
    {
        return ::get_noc_addr(local_src(self, at), noc.get_noc_id());
    }
    static FORCE_INLINE uint64_t dst(const T &self, const Noc &noc, const dst_args_type &at)
    {
        return ::get_noc_addr(local_dst(self, at), noc.get_noc_id());
    }
    static FORCE_INLINE uint64_t multicast_dst(const T &self, const Noc &noc, const dst_args_mcast_type &at)
    {
        return get_noc_multicast_addr(at.noc_x_start, at.noc_y_start, at.noc_x_end, at.noc_y_end,
                                      Place::to(self) + at.offset_bytes, noc.get_noc_id());
    }
};

struct BufferPlace {
    static FORCE_INLINE uint32_t from(const CircularBuffer &cb) { return cb.get_read_ptr(); }
    static FORCE_INLINE uint32_t to(const CircularBuffer &cb) { return cb.get_write_ptr(); }
};

template <CircularBuffer::AddrSelector selector> struct ViewPlace {
    static FORCE_INLINE uint32_t from(const CircularBufferView<selector> &view)
    {
        return selector == CircularBuffer::AddrSelector::READ_PTR ? view.cb.get_read_ptr() : view.cb.get_write_ptr();
    }
    static FORCE_INLINE uint32_t to(const CircularBufferView<selector> &view) { return from(view); }
};

}  // namespace gridloom

template <> struct noc_traits_t<CircularBuffer> : gridloom::LocalTraits<CircularBuffer, gridloom::BufferPlace> {
};

template <CircularBuffer::AddrSelector selector>
struct noc_traits_t<CircularBufferView<selector>>
    : gridloom::LocalTraits<CircularBufferView<selector>, gridloom::ViewPlace<selector>> {
};
#endif
