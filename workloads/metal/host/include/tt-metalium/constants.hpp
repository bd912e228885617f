// Sizes of tiles, and what semaphores mean.
#pragma once

#include <cstdint>

namespace tt::constants
{

inline constexpr std::uint32_t TILE_HEIGHT = 32;
inline constexpr std::uint32_t TILE_WIDTH = 32;
inline constexpr std::uint32_t TILE_HW = TILE_HEIGHT * TILE_WIDTH;
inline constexpr std::uint32_t FACE_HEIGHT = 16;
inline constexpr std::uint32_t FACE_WIDTH = 16;
inline constexpr std::uint32_t FACE_HW = FACE_HEIGHT * FACE_WIDTH;
inline constexpr std::uint32_t BFLOAT8_B_TILE_HW = 1088;
inline constexpr std::uint32_t BFLOAT4_B_TILE_HW = 576;

}  // namespace tt::constants
