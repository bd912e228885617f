// Values as a print hands them over: the simulator puts texts together.
#pragma once

#include <type_traits>

#include "gridloom/tile_slice.h"

struct bf16_t {
    uint16_t value;
    constexpr explicit bf16_t(uint16_t bits) : value(bits) {}
};

namespace gridloom
{

// A value as the simulator takes it: see calls.def.
struct Item {
    uint32_t kind;
    uint32_t low;
    uint32_t high;
};

template <typename T> FORCE_INLINE Item item_of(const T &value)
{
    if constexpr (std::is_volatile_v<T>) {
        return item_of(static_cast<std::remove_volatile_t<T>>(value));
    } else if constexpr (std::is_same_v<T, bool>) {
        return {'b', value, 0};
    } else if constexpr (std::is_same_v<T, char>) {
        return {'c', static_cast<uint8_t>(value), 0};
    } else if constexpr (std::is_same_v<T, float>) {
        return {'f', __builtin_bit_cast(uint32_t, value), 0};
    } else if constexpr (std::is_same_v<T, double>) {
        const auto bits = __builtin_bit_cast(uint64_t, value);

        return {'d', static_cast<uint32_t>(bits), static_cast<uint32_t>(bits >> 32)};
    } else if constexpr (std::is_same_v<T, bf16_t>) {
        return {'f', static_cast<uint32_t>(value.value) << 16, 0};
    } else if constexpr (std::is_enum_v<T>) {
        return item_of(static_cast<std::underlying_type_t<T>>(value));
    } else if constexpr (std::is_integral_v<T>) {
        const auto wide = static_cast<uint64_t>(static_cast<int64_t>(value));
        const uint32_t high = static_cast<uint32_t>(wide >> 32);

        return {std::is_signed_v<T> ? 'i' : 'u', static_cast<uint32_t>(wide), high};
    } else if constexpr (std::is_convertible_v<T, const char *>) {
        return {'s', reinterpret_cast<uint32_t>(static_cast<const char *>(value)), 0};
    } else if constexpr (std::is_pointer_v<T>) {
        return {'p', reinterpret_cast<uint32_t>(value), 0};
    } else {
        static_assert(
            requires { value.has_faces; }, "Gridloom cannot print this: workloads/doc/metal.md");
        return {'t', reinterpret_cast<uint32_t>(&value), 0};
    }
}

template <size_t count, typename... Values> FORCE_INLINE void say(const char (&text)[count], const Values &...values)
{
#ifdef DEBUG_PRINT_ENABLED
    if constexpr (sizeof...(Values) == 0) {
        call(Call::print, reinterpret_cast<uint32_t>(&text), count - 1, 0u, 0u);
    } else {
        const Item items[] = {item_of(values)...};

        call(Call::print, reinterpret_cast<uint32_t>(&text), count - 1, reinterpret_cast<uint32_t>(&items),
             sizeof...(Values));
    }
#endif
}

}  // namespace gridloom
