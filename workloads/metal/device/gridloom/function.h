// Compute functions: those of arch/tensix_operations.def, by their names there. Each
// thread calls what it has a part in; on other threads a call is nothing.
#pragma once

#include "gridloom/assertion.h"
#include "gridloom/descriptor.h"
#include "gridloom/name.h"

namespace gridloom {

inline constexpr const char *function_names[] = {
#define OPERATION(...)
#define FUNCTION(title, ...) title,
#include "gridloom/operations.def"
};

constexpr int ABSENT = -1;

// Of a function that a template with options calls.
template <int number, auto...> constexpr bool is_there = number != ABSENT;

constexpr int function_number(const char *name)
{
    int number = 0;

    for (const char *known : function_names) {
        if (is_same(known, name)) {
            return number;
        }
        number++;
    }
    return ABSENT;
}

// The thread that this is compiled for, and sets of threads.
constexpr uint32_t THREAD = COMPILE_FOR_TRISC;
constexpr uint32_t UNPACKS = 1 << 0;
constexpr uint32_t COMPUTES = 1 << 1;
constexpr uint32_t PACKS = 1 << 2;
constexpr uint32_t FPU_THREADS = UNPACKS | COMPUTES;
constexpr uint32_t ALL_THREADS = UNPACKS | COMPUTES | PACKS;

constexpr bool has_part(uint32_t threads)
{
    return (threads >> THREAD & 1) != 0;
}

template <uint32_t threads, int number, typename... Arguments> FORCE_INLINE uint32_t compute(Arguments... arguments)
{
    if constexpr (has_part(threads)) {
        return call(Call::compute, static_cast<uint32_t>(number), arguments...);
    } else {
        return 0;
    }
}

} // namespace gridloom

#define GRIDLOOM_COMPUTE(threads, name, ...)                                                                           \
    gridloom::compute<gridloom::threads, gridloom::function_number(name)>(__VA_ARGS__)

// In a template with the parameter pack `options`: fails where it is used, unless the
// function is there.
#define GRIDLOOM_NEEDS(name)                                                                                           \
    static_assert(gridloom::is_there<gridloom::function_number(name), options...>,                                     \
                  "Gridloom has no " name " yet: workloads/doc/metal.md lists what there is")
