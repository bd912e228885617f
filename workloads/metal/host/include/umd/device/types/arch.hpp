// The generations of chips that a program may ask for.
#pragma once

#include <string>
#include <string_view>

namespace tt
{

enum class ARCH {
    GRAYSKULL = 1,
    WORMHOLE_B0 = 2,
    BLACKHOLE = 3,
    QUASAR = 4,
    Invalid = 255
};

inline std::string_view format_as(ARCH arch)
{
    switch (arch) {
    case ARCH::GRAYSKULL:
        return "grayskull";
    case ARCH::WORMHOLE_B0:
        return "wormhole_b0";
    case ARCH::BLACKHOLE:
        return "blackhole";
    case ARCH::QUASAR:
        return "quasar";
    case ARCH::Invalid:
        break;
    }
    return "invalid";
}

inline std::string arch_to_str(ARCH arch)
{
    return std::string(format_as(arch));
}
inline std::string get_string_lowercase(ARCH arch)
{
    return arch_to_str(arch);
}

}  // namespace tt
