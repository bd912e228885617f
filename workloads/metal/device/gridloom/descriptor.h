// What is known of circular buffers when a kernel is compiled: formats and tiles.
#pragma once

#include "gridloom/environment.h"

// Bytes of a tile of the buffer's format, whatever its pages have.
constexpr int32_t get_tile_size(int32_t cb)
{
    return static_cast<int32_t>(gridloom::tile_bytes[cb]);
}

constexpr uint32_t get_tile_hw(int32_t)
{
    return tt::constants::TILE_HW;
}

constexpr uint32_t get_tile_num_faces(int32_t)
{
    return 4;
}

constexpr uint32_t get_tile_r_dim(int32_t)
{
    return tt::constants::TILE_HEIGHT;
}

constexpr uint32_t get_tile_c_dim(int32_t)
{
    return tt::constants::TILE_WIDTH;
}

constexpr DataFormat get_dataformat(int32_t cb)
{
    return static_cast<DataFormat>(gridloom::formats[cb]);
}

namespace gridloom
{

// Of 1024 numbers and, in block formats, their exponents.
constexpr uint32_t bytes_of_tile(DataFormat format)
{
    switch (format) {
    case DataFormat::Float32:
    case DataFormat::Tf32:
    case DataFormat::Int32:
    case DataFormat::UInt32:
    case DataFormat::RawUInt32:
        return 4096;
    case DataFormat::Bfp8:
    case DataFormat::Bfp8_b:
        return 1088;
    case DataFormat::Bfp4:
    case DataFormat::Bfp4_b:
        return 576;
    case DataFormat::Bfp2:
    case DataFormat::Bfp2_b:
        return 320;
    case DataFormat::Int8:
    case DataFormat::UInt8:
    case DataFormat::Lf8:
    case DataFormat::Fp8_e4m3:
    case DataFormat::RawUInt8:
        return 1024;
    default:
        return 2048;
    }
}

}  // namespace gridloom

template <uint32_t = 1024> FORCE_INLINE constexpr uint32_t MUL_WITH_TILE_SIZE(uint32_t format, uint32_t tiles)
{
    return gridloom::bytes_of_tile(static_cast<DataFormat>(format)) * tiles;
}
