// The older style of DPRINT: a stream, and what may stand between its values.
#pragma once

#include "gridloom/item.h"

namespace gridloom
{

struct Hexadecimal {
};
struct Decimal {
};
struct Ignored {
};

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

}  // namespace gridloom

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
