// Comes before the text of every kernel, which may include nothing itself.
#pragma once

#include "gridloom/environment.h"

#if defined(COMPILE_FOR_BRISC) || defined(COMPILE_FOR_NCRISC)
#include "api/dataflow/dataflow_api.h"
#else
#if defined(TRISC_UNPACK)
#define NAMESPACE chlkc_unpack
#define MAIN unpack_main()
#elif defined(TRISC_MATH)
#define NAMESPACE chlkc_math
#define MAIN math_main()
#else
#define NAMESPACE chlkc_pack
#define MAIN pack_main()
#endif
#endif

// Older compute kernels have MAIN instead.
__attribute__((weak)) void kernel_main();

#ifdef MAIN
namespace NAMESPACE {
__attribute__((weak)) void MAIN;
}
#endif
