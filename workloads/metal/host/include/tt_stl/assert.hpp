// Checks that throw std::runtime_error with the program's own words.
#pragma once

#include <gridloom/failure.hpp>

#define TT_THROW(...)                                                                  \
    (::gridloom::Check{"TT_THROW", "", __FILE__, __LINE__}.fail(__VA_ARGS__))
#define TT_FATAL(condition, ...)                                                       \
    do {                                                                               \
        if (!(condition)) {                                                            \
            ::gridloom::Check{"TT_FATAL", #condition " ", __FILE__, __LINE__}.fail(    \
                __VA_ARGS__);                                                          \
        }                                                                              \
    } while (false)
#define TT_ASSERT(condition, ...)                                                      \
    do {                                                                               \
        if (!(condition)) {                                                            \
            ::gridloom::Check{"TT_ASSERT", #condition " ", __FILE__, __LINE__}.fail(   \
                __VA_ARGS__);                                                          \
        }                                                                              \
    } while (false)
