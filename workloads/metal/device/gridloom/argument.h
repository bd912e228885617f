// Arguments of a kernel: runtime, common, compile-time, and by name.
#pragma once

#include <array>

#include "gridloom/assertion.h"
#include "gridloom/name.h"

FORCE_INLINE uintptr_t get_arg_addr(int index)
{
    return gridloom::arguments + 4 * index;
}

FORCE_INLINE uintptr_t get_common_arg_addr(int index)
{
    return gridloom::common + 4 * index;
}

template <typename T> FORCE_INLINE T get_arg_val(int index)
{
    static_assert(sizeof(T) == 4, "runtime arguments have four bytes");
    return *reinterpret_cast<volatile T *>(get_arg_addr(index));
}

template <typename T> FORCE_INLINE T get_common_arg_val(int index)
{
    static_assert(sizeof(T) == 4, "runtime arguments have four bytes");
    return *reinterpret_cast<volatile T *>(get_common_arg_addr(index));
}

namespace gridloom
{

template <typename... Words> constexpr std::array<uint32_t, sizeof...(Words)> words_of(Words... words)
{
    return {static_cast<uint32_t>(words)...};
}

#ifdef KERNEL_COMPILE_TIME_ARGS
inline constexpr auto compile_time_words = words_of(KERNEL_COMPILE_TIME_ARGS);
#else
inline constexpr auto compile_time_words = words_of();
#endif

// Not constexpr: where a constant is wanted, the compiler names it.
inline void no_compile_time_argument_has_this_index()
{
    fail("no compile-time argument has this index");
}
inline void no_compile_time_argument_has_this_name()
{
    fail("no compile-time argument has this name");
}

}  // namespace gridloom

inline constexpr auto &kernel_compile_time_args = gridloom::compile_time_words;

constexpr uint32_t get_compile_time_arg_val(uint32_t index)
{
    if (index >= gridloom::compile_time_words.size()) {
        gridloom::no_compile_time_argument_has_this_index();
        return 0;
    }
    return gridloom::compile_time_words.data()[index];
}

template <uint32_t index> constexpr uint32_t get_ct_arg()
{
    static_assert(index < gridloom::compile_time_words.size(), "no compile-time argument has this index");
    return get_compile_time_arg_val(index);
}

// `name` is a literal or a std::string_view.
template <typename Name> constexpr uint32_t get_named_compile_time_arg_val(const Name &name)
{
    for (uint32_t i = 0; i < gridloom::named_argument_count; i++) {
        if (gridloom::is_same(gridloom::named_arguments[i].name, name)) {
            return gridloom::named_arguments[i].value;
        }
    }
    gridloom::no_compile_time_argument_has_this_name();
    return 0;
}

template <typename Name> constexpr uint32_t get_named_ct_arg(const Name &name)
{
    return get_named_compile_time_arg_val(name);
}

#define TT_KERNEL static FORCE_INLINE

// Arguments of Metal 2.0: the generated namespace `args` has one of these for each.
namespace experimental
{

template <typename T> struct RtaArg {
    uint32_t byte_offset;
};

template <typename T> struct CrtaArg {
    uint32_t byte_offset;
};

template <typename T> struct CtaVal {
    T value;
};

template <typename T> FORCE_INLINE T get_arg(RtaArg<T> argument)
{
    return get_arg_val<T>(static_cast<int>(argument.byte_offset / 4));
}

template <typename T> FORCE_INLINE T get_arg(CrtaArg<T> argument)
{
    return get_common_arg_val<T>(static_cast<int>(argument.byte_offset / 4));
}

template <typename T> FORCE_INLINE constexpr T get_arg(CtaVal<T> argument)
{
    return argument.value;
}

}  // namespace experimental

using experimental::get_arg;

// Those that have no name lie behind those that have one.
#ifndef GRIDLOOM_FIRST_VARARG
#define GRIDLOOM_FIRST_VARARG 0
#endif
#ifndef GRIDLOOM_FIRST_COMMON_VARARG
#define GRIDLOOM_FIRST_COMMON_VARARG 0
#endif

FORCE_INLINE uint32_t get_vararg(uint32_t index)
{
    return get_arg_val<uint32_t>(static_cast<int>(GRIDLOOM_FIRST_VARARG + index));
}

FORCE_INLINE uint32_t get_common_vararg(uint32_t index)
{
    return get_common_arg_val<uint32_t>(static_cast<int>(GRIDLOOM_FIRST_COMMON_VARARG + index));
}
