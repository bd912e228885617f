// Asserts, and why a kernel cannot go on.
#pragma once

#include "gridloom/environment.h"

namespace gridloom
{

template <size_t count> FORCE_INLINE void fail(const char (&why)[count])
{
    call(Call::fail, reinterpret_cast<uint32_t>(&why), count - 1);
}

}  // namespace gridloom

// Upstream they count with the watcher alone; here always.
#define ASSERT(condition, ...)                                                                                         \
    do {                                                                                                               \
        if (__builtin_expect(!(condition), 0)) {                                                                       \
            gridloom::fail("ASSERT(" #condition ")");                                                                  \
        }                                                                                                              \
    } while (false)
#define LIGHTWEIGHT_KERNEL_ASSERT(condition, ...) ASSERT(condition)
#define LLK_ASSERT(condition, ...)                ASSERT(condition)
#define WAYPOINT(name)
#define PAUSE()
#define WATCHER_RING_BUFFER_PUSH(value)
