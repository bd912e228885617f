/* Names of GPUs as files have them. */
#include <cctype>

#include "tools/gpu/device.hpp"

namespace gpu
{

std::string device_chip(const std::string &name)
{
    const std::string maker = "NVIDIA ";
    std::string chip;
    size_t start = name.rfind(maker, 0) == 0 ? maker.size() : 0;
    size_t size = name.find("GB", start);

    for (size_t i = start; i < name.size() && std::isalnum((unsigned char) name[i]);
         i++) {
        chip += (char) std::tolower((unsigned char) name[i]);
    }
    if (chip == "a100" && size != std::string::npos) {
        size_t digits = name.find_last_not_of("0123456789", size - 1) + 1;

        chip += "_" + name.substr(digits, size - digits) + "gb";
    }
    return chip.empty() ? "gpu" : chip;
}

}  // namespace gpu
