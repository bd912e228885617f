// Changes of format between operations.
#pragma once

#include "gridloom/function.h"

namespace ckernel
{

template <auto...> ALWI void reconfig_data_format(uint32_t a, uint32_t b)
{
    GRIDLOOM_COMPUTE(FPU_THREADS, "reconfig_data_format", a, b);
}

template <auto...> ALWI void reconfig_data_format(uint32_t, uint32_t a, uint32_t, uint32_t b)
{
    reconfig_data_format(a, b);
}

template <auto...> ALWI void reconfig_data_format_srca(uint32_t a)
{
    GRIDLOOM_COMPUTE(FPU_THREADS, "reconfig_data_format_srca", a);
}

template <auto...> ALWI void reconfig_data_format_srca(uint32_t, uint32_t a)
{
    reconfig_data_format_srca(a);
}

template <auto...> ALWI void reconfig_data_format_srcb(uint32_t b)
{
    reconfig_data_format_srca(b);
}

template <auto...> ALWI void reconfig_data_format_srcb(uint32_t, uint32_t b)
{
    reconfig_data_format_srca(b);
}

template <auto...> ALWI void pack_reconfig_data_format(uint32_t out)
{
    GRIDLOOM_COMPUTE(PACKS, "pack_reconfig_data_format", out);
}

template <auto...> ALWI void pack_reconfig_data_format(uint32_t, uint32_t out)
{
    pack_reconfig_data_format(out);
}

}  // namespace ckernel
