// The socket to the simulator, which runs in another process.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "json.hpp"

namespace gridloom
{

struct Answer {
    JsonObject json;
    std::vector<std::byte> data;
};

// Sends a request and waits for its answer. An error of the simulator ends the program
// with code 3; the simulator has said why.
Answer request(const std::string &json, std::span<const std::byte> data = {});

}  // namespace gridloom
