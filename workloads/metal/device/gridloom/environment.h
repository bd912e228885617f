// What a kernel finds when it starts: who it is, its arguments, where things lie.
#pragma once

#include "gridloom/call.h"
#include "gridloom/generated.h" // of this kernel: compile-time arguments, buffers, places

namespace gridloom {

// What the host writes to every core's L1 before a launch.
struct Launch {
    uint32_t arguments;        // address of this processor's runtime arguments
    uint32_t argument_count;
    uint32_t common;           // and of those that all cores share
    uint32_t common_count;
    uint32_t semaphores;       // address of the first of 16 bytes each
    uint16_t x;                // virtual place of the core
    uint16_t y;
    uint16_t relative_x;       // logical, in the kernel's cores
    uint16_t relative_y;
};

inline volatile const Launch *launch()
{
    return reinterpret_cast<volatile const Launch *>(launch_address);
}

} // namespace gridloom

inline uint8_t my_x[2];
inline uint8_t my_y[2];
inline uint32_t gridloom_arguments;
inline uint32_t gridloom_common;
inline uint32_t gridloom_semaphores;

namespace gridloom {

FORCE_INLINE void begin()
{
    const volatile Launch *here = launch();

    gridloom_arguments = here->arguments;
    gridloom_common = here->common;
    gridloom_semaphores = here->semaphores;
    my_x[0] = my_x[1] = static_cast<uint8_t>(here->x);
    my_y[0] = my_y[1] = static_cast<uint8_t>(here->y);
}

} // namespace gridloom

template <typename T> FORCE_INLINE T get_arg_val(int index)
{
    static_assert(sizeof(T) == 4, "runtime arguments have four bytes");
    return *reinterpret_cast<volatile T *>(gridloom_arguments + 4 * index);
}

template <typename T> FORCE_INLINE T get_common_arg_val(int index)
{
    static_assert(sizeof(T) == 4, "runtime arguments have four bytes");
    return *reinterpret_cast<volatile T *>(gridloom_common + 4 * index);
}

FORCE_INLINE uint32_t get_arg_addr(int index)
{
    return gridloom_arguments + 4 * index;
}

FORCE_INLINE uint32_t get_common_arg_addr(int index)
{
    return gridloom_common + 4 * index;
}

namespace gridloom {

#ifndef KERNEL_COMPILE_TIME_ARGS
#define KERNEL_COMPILE_TIME_ARGS 0
#endif
inline constexpr uint32_t compile_time_arguments[] = {KERNEL_COMPILE_TIME_ARGS};

} // namespace gridloom

constexpr uint32_t get_compile_time_arg_val(uint32_t index)
{
    return gridloom::compile_time_arguments[index];
}
