// DPRINT, in both styles: a text with places for values, and a stream.
#pragma once

#include "gridloom/stream.h"

namespace gridloom
{

struct Printer {
    template <size_t count, typename... Values>
    FORCE_INLINE void operator()(const char (&text)[count], const Values &...values) const
    {
        say(text, values...);
    }
    FORCE_INLINE void operator()(const Stream &) const {}
    template <typename T> FORCE_INLINE Stream operator<<(const T &value) const { return Stream{} << value; }
};

}  // namespace gridloom

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
