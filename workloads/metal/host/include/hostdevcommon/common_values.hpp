// What semaphores mean to host and kernels.
#pragma once

#include <cstddef>
#include <cstdint>

constexpr std::uint32_t INVALID = 0;
constexpr std::uint32_t VALID = 1;
constexpr std::size_t DEFAULT_L1_SMALL_SIZE = 0;
constexpr std::size_t DEFAULT_TRACE_REGION_SIZE = 0;
constexpr std::size_t DEFAULT_WORKER_L1_SIZE = 0;
