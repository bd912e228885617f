// Formats of data in circular buffers.
#pragma once

#include <cstdint>
#include <ostream>
#include <string_view>
#include <umd/device/types/arch.hpp>

namespace tt
{

enum class DataFormat : std::uint8_t {
    Float32 = 0,
    Float16 = 1,
    Bfp8 = 2,
    Bfp4 = 3,
    Tf32 = 4,
    Float16_b = 5,
    Bfp8_b = 6,
    Bfp4_b = 7,
    Int32 = 8,
    UInt16 = 9,
    Lf8 = 10,
    Bfp2 = 11,
    Int8 = 14,
    Bfp2_b = 15,
    UInt32 = 24,
    Fp8_e4m3 = 26,
    RawUInt8 = 0xf0,
    RawUInt16 = 0xf1,
    RawUInt32 = 0xf2,
    UInt8 = 30,
    Invalid = 0xff
};

std::string_view format_as(DataFormat format);
std::ostream &operator<<(std::ostream &stream, DataFormat format);

// Bytes of a tile of 32 x 32, or of an element.
std::uint32_t tile_size(DataFormat format);
std::uint32_t datum_size(DataFormat format);

}  // namespace tt
