// Where a kernel begins; it comes after the kernel's own text.
#pragma once

#include "gridloom/copy.h"
#include "gridloom/division.h"
#include "gridloom/float_routine.h"

#ifdef COMPILE_FOR_TRISC
#pragma clang diagnostic ignored "-Wignored-attributes"
void kernel_main() __attribute__((weak));

namespace NAMESPACE
{
void MAIN __attribute__((weak));
}

// Older kernels have a function of each thread.
#define GRIDLOOM_RUN_MAIN                                                                                              \
    if (kernel_main != nullptr) {                                                                                      \
        kernel_main();                                                                                                 \
    } else {                                                                                                           \
        NAMESPACE::MAIN;                                                                                               \
    }
#else
#define GRIDLOOM_RUN_MAIN kernel_main();
#endif

extern "C" [[noreturn]] __attribute__((section(".text.start"))) void _start()
{
    gridloom::begin();
    GRIDLOOM_RUN_MAIN
    gridloom::call(gridloom::Call::end);
    __builtin_unreachable();
}
