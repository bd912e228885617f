// DPRINT, in both styles: a text with places for values, and a stream. The simulator puts
// the text together; a kernel hands over values and what they are.
#pragma once

#include <type_traits>

#include "gridloom/interface.h"

struct bf16_t {
    uint16_t value;
    constexpr explicit bf16_t(uint16_t bits) : value(bits) {}
};

struct SliceRange {
    uint8_t h0, h1, hs, w0, w1, ws;

    static constexpr SliceRange hw0_32_16() { return {0, 32, 16, 0, 32, 16}; }
    static constexpr SliceRange hw0_32_8() { return {0, 32, 8, 0, 32, 8}; }
    static constexpr SliceRange hw0_32_4() { return {0, 32, 4, 0, 32, 4}; }
    static constexpr SliceRange h0_w0_32() { return {0, 1, 1, 0, 32, 1}; }
    static constexpr SliceRange h0_32_w0() { return {0, 32, 1, 0, 1, 1}; }
    static constexpr SliceRange h1_w0_32() { return {1, 2, 1, 0, 32, 1}; }
    static constexpr SliceRange hw041() { return {0, 4, 1, 0, 4, 1}; }
};

enum dprint_tslice_ptr_t : uint8_t { TSLICE_RD_PTR = 0, TSLICE_WR_PTR = 1 };
enum dprint_tslice_cb_t : uint8_t { TSLICE_INPUT_CB = 0, TSLICE_OUTPUT_CB = 1 };

// A part of a tile in a circular buffer, every so many rows and columns of it.
template <int = 64> struct TileSlice {
    uint32_t address;
    uint32_t format;
    SliceRange range;
    uint8_t has_lines; // a new one for each row
    uint8_t has_faces; // rows are the tile's, not those of memory

    FORCE_INLINE TileSlice(uint32_t cb, int tile, const SliceRange &part, dprint_tslice_cb_t, dprint_tslice_ptr_t from,
                           bool lines = true, bool faces = true)
        : address(pointer(cb, from) + static_cast<uint32_t>(tile) * gridloom::tile_bytes[cb]),
          format(gridloom::formats[cb]), range(part), has_lines(lines), has_faces(faces)
    {
    }
    FORCE_INLINE TileSlice(uint32_t cb, int tile, const SliceRange &part, bool lines = true, bool faces = true)
        : TileSlice(cb, tile, part, TSLICE_INPUT_CB, TSLICE_RD_PTR, lines, faces)
    {
    }

private:
    static FORCE_INLINE uint32_t pointer(uint32_t cb, dprint_tslice_ptr_t from)
    {
        return gridloom::call(from == TSLICE_WR_PTR ? gridloom::Call::cb_write_pointer : gridloom::Call::cb_read_pointer,
                              cb);
    }
};

TileSlice(uint32_t, int, const SliceRange &, dprint_tslice_cb_t, dprint_tslice_ptr_t, bool, bool) -> TileSlice<64>;
TileSlice(uint32_t, int, const SliceRange &, dprint_tslice_cb_t, dprint_tslice_ptr_t, bool) -> TileSlice<64>;
TileSlice(uint32_t, int, const SliceRange &, dprint_tslice_cb_t, dprint_tslice_ptr_t) -> TileSlice<64>;
TileSlice(uint32_t, int, const SliceRange &, bool, bool) -> TileSlice<64>;
TileSlice(uint32_t, int, const SliceRange &, bool) -> TileSlice<64>;
TileSlice(uint32_t, int, const SliceRange &) -> TileSlice<64>;

#define TSLICE(cb, tile, range, ...) TileSlice(cb, tile, range __VA_OPT__(, ) __VA_ARGS__)

namespace gridloom {

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
        static_assert(requires { value.has_faces; }, "Gridloom cannot print this: workloads/doc/metal.md");
        return {'t', reinterpret_cast<uint32_t>(&value), 0};
    }
}

template <size_t count, typename... Values>
FORCE_INLINE void say(const char (&text)[count], const Values &...values)
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

struct Hexadecimal {};
struct Decimal {};
struct Ignored {};

// What is left of a stream's << after each of them.
struct Stream {
    bool is_hexadecimal = false;

    template <typename T> FORCE_INLINE Stream operator<<(const T &value) const
    {
        if constexpr (std::is_same_v<T, Hexadecimal>) {
            return {true};
        } else if constexpr (std::is_same_v<T, Decimal>) {
            return {false};
        } else if constexpr (std::is_array_v<T>) {
            say("{}", static_cast<const char *>(value));
        } else if constexpr (!std::is_same_v<T, Ignored>) {
            if constexpr (std::is_integral_v<T>) {
                if (is_hexadecimal) {
                    say("{:x}", value);
                    return *this;
                }
            }
            say("{}", value);
        }
        return *this;
    }
};

struct Printer {
    template <size_t count, typename... Values>
    FORCE_INLINE void operator()(const char (&text)[count], const Values &...values) const
    {
        say(text, values...);
    }
    FORCE_INLINE void operator()(const Stream &) const {}
    template <typename T> FORCE_INLINE Stream operator<<(const T &value) const { return Stream{} << value; }
};

} // namespace gridloom

inline constexpr gridloom::Printer DPRINT;
#define DEVICE_PRINT DPRINT

#if defined(TRISC_UNPACK) && defined(DEBUG_PRINT_ENABLED)
#define DPRINT_UNPACK(...) DPRINT(__VA_ARGS__)
#else
#define DPRINT_UNPACK(...)
#endif
#if defined(TRISC_MATH) && defined(DEBUG_PRINT_ENABLED)
#define DPRINT_MATH(...) DPRINT(__VA_ARGS__)
#else
#define DPRINT_MATH(...)
#endif
#if defined(TRISC_PACK) && defined(DEBUG_PRINT_ENABLED)
#define DPRINT_PACK(...) DPRINT(__VA_ARGS__)
#else
#define DPRINT_PACK(...)
#endif
#if defined(COMPILE_FOR_BRISC) && defined(DEBUG_PRINT_ENABLED)
#define DPRINT_DATA0(...) DPRINT(__VA_ARGS__)
#else
#define DPRINT_DATA0(...)
#endif
#if defined(COMPILE_FOR_NCRISC) && defined(DEBUG_PRINT_ENABLED)
#define DPRINT_DATA1(...) DPRINT(__VA_ARGS__)
#else
#define DPRINT_DATA1(...)
#endif
#define DEVICE_PRINT_UNPACK DPRINT_UNPACK
#define DEVICE_PRINT_MATH   DPRINT_MATH
#define DEVICE_PRINT_PACK   DPRINT_PACK
#define DEVICE_PRINT_DATA0  DPRINT_DATA0
#define DEVICE_PRINT_DATA1  DPRINT_DATA1

// Parts of streams.
constexpr char ENDL()
{
    return '\n';
}
constexpr gridloom::Hexadecimal HEX()
{
    return {};
}
constexpr gridloom::Decimal DEC()
{
    return {};
}
constexpr gridloom::Decimal OCT()
{
    return {};
}
constexpr gridloom::Ignored FIXED()
{
    return {};
}
constexpr gridloom::Ignored DEFAULTFLOAT()
{
    return {};
}
constexpr gridloom::Ignored SETW(int, bool = true)
{
    return {};
}
constexpr gridloom::Ignored SETPRECISION(int)
{
    return {};
}
constexpr uint32_t U32(uint32_t value)
{
    return value;
}
constexpr int32_t I32(int32_t value)
{
    return value;
}
constexpr float F32(float value)
{
    return value;
}
constexpr bf16_t BF16(uint16_t bits)
{
    return bf16_t(bits);
}
