// Routines that the compiler calls by their names. A kernel may have its own.
#pragma once

#include <cstddef>
#include <cstdint>

#define GRIDLOOM_ROUTINE extern "C" __attribute__((weak, nodebug))
