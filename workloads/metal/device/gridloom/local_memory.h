// Device 2.0: an array in a core's own L1.
#pragma once

#include "gridloom/circular_buffer.h"

template <typename T, typename Address = uintptr_t> class CoreLocalMem
{
  public:
    constexpr CoreLocalMem(Address first) : address(first) {}
    FORCE_INLINE CoreLocalMem(T *first) : address(reinterpret_cast<Address>(first)) {}

    FORCE_INLINE T *get_unsafe_ptr() const { return reinterpret_cast<T *>(address); }
    FORCE_INLINE Address get_address() const { return address; }
    FORCE_INLINE T &operator[](uint32_t index) const { return get_unsafe_ptr()[index]; }
    FORCE_INLINE T &operator*() const { return *get_unsafe_ptr(); }
    FORCE_INLINE T *operator->() const { return get_unsafe_ptr(); }

    FORCE_INLINE CoreLocalMem &operator+=(ptrdiff_t count)
    {
        address += static_cast<Address>(count * static_cast<ptrdiff_t>(sizeof(T)));
        return *this;
    }
    FORCE_INLINE CoreLocalMem &operator-=(ptrdiff_t count) { return *this += -count; }
    FORCE_INLINE CoreLocalMem &operator++() { return *this += 1; }
    FORCE_INLINE CoreLocalMem &operator--() { return *this -= 1; }
    FORCE_INLINE CoreLocalMem operator++(int)
    {
        CoreLocalMem before = *this;
        ++*this;
        return before;
    }
    FORCE_INLINE CoreLocalMem operator--(int)
    {
        CoreLocalMem before = *this;
        --*this;
        return before;
    }
    FORCE_INLINE CoreLocalMem operator+(ptrdiff_t count) const { return CoreLocalMem(address) += count; }
    FORCE_INLINE CoreLocalMem operator-(ptrdiff_t count) const { return CoreLocalMem(address) -= count; }
    FORCE_INLINE ptrdiff_t operator-(const CoreLocalMem &other) const
    {
        return get_unsafe_ptr() - other.get_unsafe_ptr();
    }
    auto operator<=>(const CoreLocalMem &) const = default;
    FORCE_INLINE explicit operator bool() const { return address != 0; }

  private:
    Address address;
};

#ifndef COMPILE_FOR_TRISC
namespace gridloom
{

template <typename T, typename Address> struct MemoryPlace {
    static FORCE_INLINE uint32_t from(const CoreLocalMem<T, Address> &memory) { return memory.get_address(); }
    static FORCE_INLINE uint32_t to(const CoreLocalMem<T, Address> &memory) { return memory.get_address(); }
};

}  // namespace gridloom

template <typename T, typename Address>
struct noc_traits_t<CoreLocalMem<T, Address>>
    : gridloom::LocalTraits<CoreLocalMem<T, Address>, gridloom::MemoryPlace<T, Address>> {
};
#endif
