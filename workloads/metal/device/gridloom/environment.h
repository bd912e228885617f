// What a kernel finds when it starts: who it is, and where its arguments lie.
#pragma once

#include "gridloom/call.h"
#include "gridloom/generated.h"  // of this kernel: see workloads/doc/metal.md
#include "gridloom/types.h"

namespace gridloom
{

// What the host writes to every core's L1 before a launch.
struct Launch {
    uint32_t arguments;  // address of this processor's runtime arguments
    uint32_t argument_count;
    uint32_t common;  // and of those that all cores share
    uint32_t common_count;
    uint32_t semaphores;  // address of the first of 16 bytes each
    uint16_t x;           // virtual place of the core
    uint16_t y;
    uint16_t relative_x;  // logical, in the kernel's cores
    uint16_t relative_y;
};

FORCE_INLINE const volatile Launch *launch()
{
    return reinterpret_cast<const volatile Launch *>(launch_address);
}

inline uint32_t arguments;
inline uint32_t common;
inline uint32_t semaphores;

}  // namespace gridloom

// By NoC: cores have the same place on both.
inline uint8_t my_x[NUM_NOCS];
inline uint8_t my_y[NUM_NOCS];

namespace gridloom
{

FORCE_INLINE void begin()
{
    const volatile Launch *here = launch();

    arguments = here->arguments;
    common = here->common;
    semaphores = here->semaphores;
    my_x[0] = my_x[1] = static_cast<uint8_t>(here->x);
    my_y[0] = my_y[1] = static_cast<uint8_t>(here->y);
}

}  // namespace gridloom

FORCE_INLINE uint8_t get_absolute_logical_x()
{
    return static_cast<uint8_t>(my_x[0] - VIRTUAL_TENSIX_START_X);
}

FORCE_INLINE uint8_t get_absolute_logical_y()
{
    return static_cast<uint8_t>(my_y[0] - VIRTUAL_TENSIX_START_Y);
}

FORCE_INLINE uint8_t get_relative_logical_x()
{
    return static_cast<uint8_t>(gridloom::launch()->relative_x);
}

FORCE_INLINE uint8_t get_relative_logical_y()
{
    return static_cast<uint8_t>(gridloom::launch()->relative_y);
}
