// Copies of memory.
#pragma once

#include "gridloom/routine.h"

GRIDLOOM_ROUTINE void *memcpy(void *to, const void *from, size_t bytes)
{
    auto *target = static_cast<uint8_t *>(to);
    const auto *source = static_cast<const uint8_t *>(from);

    if (((reinterpret_cast<uintptr_t>(to) | reinterpret_cast<uintptr_t>(from)) & 3) == 0) {
        for (; bytes >= 4; bytes -= 4, target += 4, source += 4) {
            *reinterpret_cast<uint32_t *>(target) = *reinterpret_cast<const uint32_t *>(source);
        }
    }
    for (; bytes > 0; bytes--) {
        *target++ = *source++;
    }
    return to;
}
GRIDLOOM_ROUTINE void *memset(void *to, int value, size_t bytes)
{
    auto *target = static_cast<uint8_t *>(to);
    const uint32_t byte = static_cast<uint8_t>(value);

    if ((reinterpret_cast<uintptr_t>(to) & 3) == 0) {
        for (; bytes >= 4; bytes -= 4, target += 4) {
            *reinterpret_cast<uint32_t *>(target) = byte * 0x01010101u;
        }
    }
    for (; bytes > 0; bytes--) {
        *target++ = static_cast<uint8_t>(byte);
    }
    return to;
}
GRIDLOOM_ROUTINE void *memmove(void *to, const void *from, size_t bytes)
{
    auto *target = static_cast<uint8_t *>(to);
    const auto *source = static_cast<const uint8_t *>(from);

    if (target <= source) {
        return memcpy(to, from, bytes);
    }
    while (bytes > 0) {
        bytes--;
        target[bytes] = source[bytes];
    }
    return to;
}
GRIDLOOM_ROUTINE int memcmp(const void *a, const void *b, size_t bytes)
{
    const auto *left = static_cast<const uint8_t *>(a);
    const auto *right = static_cast<const uint8_t *>(b);

    for (; bytes > 0; bytes--, left++, right++) {
        if (*left != *right) {
            return *left < *right ? -1 : 1;
        }
    }
    return 0;
}
