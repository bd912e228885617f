// A circular buffer as a processor has it: its place, size and pointers, in bytes on data
// movers and in units of 16 bytes on compute threads.
#pragma once

#include "gridloom/descriptor.h"
#ifdef COMPILE_FOR_TRISC
#include "gridloom/function.h"
#endif

namespace gridloom
{

#ifdef COMPILE_FOR_TRISC
constexpr uint32_t BUFFER_SHIFT = 4;
#else
constexpr uint32_t BUFFER_SHIFT = 0;
#endif

// What may be asked of a buffer: see calls.def.
enum BufferFact : uint32_t { ADDRESS, PAGE_BYTES, PAGES, PAGES_FILLED, PAGES_FREE };

FORCE_INLINE uint32_t fact_of(uint32_t cb, BufferFact what)
{
    return call(Call::cb_fact, cb, static_cast<uint32_t>(what));
}

// A member that is asked for when it is read.
template <uint32_t (*ask)(uint32_t)> struct Member {
    uint32_t cb;

    FORCE_INLINE operator uint32_t() const { return ask(cb); }
    void operator=(uint32_t) = delete;  // only unpack's pointer may be moved: workloads/doc/metal.md
    void operator+=(uint32_t) = delete;
    void operator-=(uint32_t) = delete;
};

FORCE_INLINE uint32_t page_of(uint32_t cb)
{
    return fact_of(cb, PAGE_BYTES) >> BUFFER_SHIFT;
}

FORCE_INLINE uint32_t page_count_of(uint32_t cb)
{
    return fact_of(cb, PAGES);
}

FORCE_INLINE uint32_t size_of(uint32_t cb)
{
    return page_of(cb) * page_count_of(cb);
}

FORCE_INLINE uint32_t limit_of(uint32_t cb)
{
    return (fact_of(cb, ADDRESS) >> BUFFER_SHIFT) + size_of(cb);
}

FORCE_INLINE uint32_t reader_of(uint32_t cb)
{
    return call(Call::cb_read_pointer, cb) >> BUFFER_SHIFT;
}

FORCE_INLINE uint32_t writer_of(uint32_t cb)
{
    return call(Call::cb_write_pointer, cb) >> BUFFER_SHIFT;
}

#ifdef COMPILE_FOR_TRISC
// Bytes by which kernels have moved the read pointer of each buffer, beyond its pages.
inline int32_t moved[32];

// Where unpack reads; kernels may move it, in units of 16 bytes, to read tiles from another place on.
struct ReadPointer {
    uint32_t cb;

    FORCE_INLINE operator uint32_t() const
    {
        return (call(Call::cb_read_pointer, cb) + static_cast<uint32_t>(moved[cb])) >> BUFFER_SHIFT;
    }
    FORCE_INLINE void operator+=(uint32_t units)
    {
        moved[cb] += static_cast<int32_t>(units << BUFFER_SHIFT);
        compute<UNPACKS, function_number<>("cb_shift_read")>(cb, static_cast<uint32_t>(moved[cb]));
    }
    FORCE_INLINE void operator-=(uint32_t units) { *this += 0 - units; }
    FORCE_INLINE void operator=(uint32_t place) { *this += place - *this; }
};
#else
using ReadPointer = Member<reader_of>;
#endif

}  // namespace gridloom

constexpr uint32_t cb_addr_shift = gridloom::BUFFER_SHIFT;

struct LocalCBInterface {
    gridloom::Member<gridloom::size_of> fifo_size;
    gridloom::Member<gridloom::limit_of> fifo_limit;
    gridloom::Member<gridloom::page_of> fifo_page_size;
    gridloom::Member<gridloom::page_count_of> fifo_num_pages;
    gridloom::ReadPointer fifo_rd_ptr;
    gridloom::Member<gridloom::writer_of> fifo_wr_ptr;
};

FORCE_INLINE LocalCBInterface get_local_cb_interface(uint32_t cb)
{
    return {{cb}, {cb}, {cb}, {cb}, {cb}, {cb}};
}
