/* Checked narrowing: a number that its place cannot hold ends the program with one
 * line, instead of acting as another number. Casts to integers of 32 bits or fewer
 * stand for bit patterns alone; a lint finds the others. */
#pragma once

#include <stdint.h>

#include <glib.h>

/* The value as an integer of that many bits. Takes integers of any width and sign, and
 * reals, whose fraction is cut off. */
/* NOLINTBEGIN(readability-identifier-naming): they are used as functions. */
#define sim_u8(value)  SIM_NARROW(u8, value)
#define sim_u16(value) SIM_NARROW(u16, value)
#define sim_u32(value) SIM_NARROW(u32, value)
#define sim_i16(value) SIM_NARROW(i16, value)
#define sim_i32(value) SIM_NARROW(i32, value)
/* NOLINTEND(readability-identifier-naming) */

/* Says on stderr which function met which number, and ends the program with exit code
 * 2: the model does not cover what was asked. */
_Noreturn void
sim_narrow_refuse(const char *function, double value, double least, double most);

#define SIM_NARROW(kind, value)                                                        \
    _Generic((value), float                                                            \
             : sim_##kind##_of_real, double                                            \
             : sim_##kind##_of_real, unsigned long                                     \
             : sim_##kind##_of_size, unsigned long long                                \
             : sim_##kind##_of_size, default                                           \
             : sim_##kind##_of_integer)((value), __func__)

#define SIM_NARROWING(kind, type, least, most)                                         \
    static inline type sim_##kind##_of_integer(int64_t value, const char *function)    \
    {                                                                                  \
        if (G_UNLIKELY(value < (least) || value > (most))) {                           \
            sim_narrow_refuse(function, (double) value, least, most);                  \
        }                                                                              \
        return (type) value;                                                           \
    }                                                                                  \
                                                                                       \
    static inline type sim_##kind##_of_size(uint64_t value, const char *function)      \
    {                                                                                  \
        if (G_UNLIKELY(value > (most))) {                                              \
            sim_narrow_refuse(function, (double) value, least, most);                  \
        }                                                                              \
        return (type) value;                                                           \
    }                                                                                  \
                                                                                       \
    static inline type sim_##kind##_of_real(double value, const char *function)        \
    {                                                                                  \
        if (G_UNLIKELY(!(value > (least) -1.0 && value < (most) + 1.0))) {             \
            sim_narrow_refuse(function, value, least, most);                           \
        }                                                                              \
        return (type) value;                                                           \
    }

SIM_NARROWING(u8, uint8_t, 0, UINT8_MAX)
SIM_NARROWING(u16, uint16_t, 0, UINT16_MAX)
SIM_NARROWING(u32, uint32_t, 0, UINT32_MAX)
SIM_NARROWING(i16, int16_t, INT16_MIN, INT16_MAX)
SIM_NARROWING(i32, int32_t, INT32_MIN, INT32_MAX)
