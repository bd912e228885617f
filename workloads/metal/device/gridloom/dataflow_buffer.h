// Metal 2.0: a circular buffer by its name in the generated namespace `dfb`.
#pragma once

#include "gridloom/circular_buffer.h"

struct DFBBindingToken {
    uint16_t id;

    constexpr explicit DFBBindingToken(uint16_t number) : id(number) {}
    constexpr operator uint32_t() const { return id; }
};

// Its entries are pages.
class DataflowBuffer : public CircularBuffer
{
  public:
    constexpr DataflowBuffer(DFBBindingToken token) : CircularBuffer(token) {}
    constexpr DataflowBuffer(uint16_t number) : CircularBuffer(number) {}

    FORCE_INLINE uint16_t get_id() const { return static_cast<uint16_t>(get_cb_id()); }
    FORCE_INLINE uint32_t get_entry_size() const { return gridloom::page_bytes[get_cb_id()]; }
    FORCE_INLINE uint32_t get_stride_size() const { return get_entry_size(); }
    FORCE_INLINE uint32_t get_total_num_entries() const { return gridloom::fact_of(get_cb_id(), gridloom::PAGES); }
    FORCE_INLINE uint32_t get_local_num_entries() const { return get_total_num_entries(); }
    FORCE_INLINE uint32_t get_total_size_bytes() const { return get_entry_size() * get_total_num_entries(); }
    FORCE_INLINE uint32_t get_local_size_bytes() const { return get_total_size_bytes(); }
    FORCE_INLINE void finish() {}
#ifndef COMPILE_FOR_TRISC
    FORCE_INLINE void write_barrier(const Noc &noc) const
    {
        noc.async_write_barrier();
    }
#endif
};

#ifndef COMPILE_FOR_TRISC
template <> struct noc_traits_t<DataflowBuffer> : gridloom::LocalTraits<DataflowBuffer, gridloom::BufferPlace> {
};
#endif
