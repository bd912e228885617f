// The simulated machine, as the simulator describes it.
#include "machine.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <numeric>
#include <random>
#include <sstream>
#include <string_view>
#include <unistd.h>

#include "connection.hpp"

namespace gridloom
{

namespace
{

// Programs may set variables, such as which cores print, before they open a device.
std::string open_request()
{
    JsonWriter json;

    json.open('{').key("do").text("open").key("environment").open('[');
    for (char **entry = environ; *entry; ++entry) {
        const std::string_view text(*entry);
        const std::size_t sign = text.find('=');
        if (text.starts_with("TT_METAL_") && sign != std::string_view::npos) {
            json.open('[')
                .text(text.substr(0, sign))
                .text(text.substr(sign + 1))
                .close(']');
        }
    }
    json.close(']').close('}');
    return json.take();
}

std::vector<std::uint32_t> numbers(const std::string &text)
{
    std::istringstream words(text);

    return {std::istream_iterator<std::uint32_t>(words), {}};
}

Machine ask()
{
    const Answer answer = request(open_request());
    const auto number = [&](const char *name) {
        return static_cast<std::uint64_t>(answer.json.number(name));
    };
    const auto small = [&](const char *name) {
        return static_cast<std::uint32_t>(number(name));
    };

    return {.chips = static_cast<int>(number("chips")),
            .columns = small("columns"),
            .rows = small("rows"),
            .clock_hz = number("clock_hz"),
            .arch = answer.json.text("arch"),
            .dram_banks = small("dram_banks"),
            .dram_bank_bytes = number("dram_bank_bytes"),
            .dram_first = number("dram_first"),
            .l1_first = number("l1_first"),
            .l1_end = number("l1_end"),
            .l1_alignment = small("l1_alignment"),
            .dram_alignment = small("dram_alignment"),
            .dram_places = numbers(answer.json.text("dram_places"))};
}

}  // namespace

const Machine &machine()
{
    static const Machine only = ask();

    return only;
}

// Core i has the i-th of the numbers that libstdc++ shuffles so: kernels count on it.
std::vector<std::uint32_t> l1_bank_cores(std::uint32_t core_count)
{
    std::vector<std::uint32_t> banks(core_count);
    std::vector<std::uint32_t> cores(core_count);
    std::default_random_engine engine(0);

    std::iota(banks.begin(), banks.end(), 0U);
    std::shuffle(banks.begin(), banks.end(), engine);
    for (std::uint32_t core = 0; core < core_count; ++core) {
        cores[banks[core]] = core;
    }
    return cores;
}

}  // namespace gridloom
