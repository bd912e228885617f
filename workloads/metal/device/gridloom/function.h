// Compute functions: those of arch/tensix_operations.def, by their names there. Each
// thread calls what it has a part in; on other threads a call is nothing.
#pragma once

#include "gridloom/assertion.h"
#include "gridloom/descriptor.h"

namespace gridloom
{

// Names as numbers, which compare sooner: FNV-1a.
constexpr uint32_t digest(const char *name)
{
    uint32_t number = 2166136261u;

    for (; *name != 0; name++) {
        number = (number ^ static_cast<uint8_t>(*name)) * 16777619u;
    }
    return number;
}

inline constexpr uint32_t functions[] = {
#define OPERATION(...)
#define FUNCTION(title, ...) digest(title),
#include "gridloom/operations.def"
};

constexpr int ABSENT = -1;

// Of a function that a template with options calls.
template <int number, auto...> constexpr bool is_there = number != ABSENT;

// A template, so that names inside of templates are looked up where those are used.
template <auto...> constexpr int function_number(const char *name)
{
    const uint32_t wanted = digest(name);
    int number = 0;

    for (uint32_t known : functions) {
        if (known == wanted) {
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

}  // namespace gridloom

#define GRIDLOOM_COMPUTE(threads, name, ...)                                                                           \
    gridloom::compute<gridloom::threads, gridloom::function_number<>(name)>(__VA_ARGS__)
#define GRIDLOOM_COMPUTE_IF(threads, name, ...)                                                                        \
    gridloom::compute<gridloom::threads, gridloom::function_number<options...>(name)>(__VA_ARGS__)

// In a template with the parameter pack `options`: fails where it is used, unless the
// function is there.
#define GRIDLOOM_NEEDS(name)                                                                                           \
    static_assert(gridloom::is_there<gridloom::function_number<options...>(name), options...>,                         \
                  "Gridloom has no " name " yet: workloads/doc/metal.md lists what there is")
