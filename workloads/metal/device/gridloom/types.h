// Names of numbers that hosts and kernels share: formats, circular buffers, modes.
#pragma once

#include <cstddef>
#include <cstdint>

#define tt_l1_ptr
#define tt_reg_ptr
#define tt_uncached_l1_ptr

using uint = unsigned int;

enum class DataFormat : uint8_t {
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
    Fp8_e4m3 = 0x1a,
    UInt8 = 30,
    RawUInt8 = 0xf0,
    RawUInt16 = 0xf1,
    RawUInt32 = 0xf2,
    Invalid = 0xff,
};

namespace tt
{

using ::DataFormat;

enum CBIndex : uint8_t {
    c_0,
    c_1,
    c_2,
    c_3,
    c_4,
    c_5,
    c_6,
    c_7,
    c_8,
    c_9,
    c_10,
    c_11,
    c_12,
    c_13,
    c_14,
    c_15,
    c_16,
    c_17,
    c_18,
    c_19,
    c_20,
    c_21,
    c_22,
    c_23,
    c_24,
    c_25,
    c_26,
    c_27,
    c_28,
    c_29,
    c_30,
    c_31,
    SIZE,
};

// Older names of the same.
enum CB : uint8_t {
    c_in0,
    c_in1,
    c_in2,
    c_in3,
    c_in4,
    c_in5,
    c_in6,
    c_in7,
    dataflow0,
    dataflow1,
    dataflow2,
    dataflow3,
    dataflow4,
    dataflow5,
    dataflow6,
    dataflow7,
    c_out0,
    c_out1,
    c_out2,
    c_out3,
    c_out4,
    c_out5,
    c_out6,
    c_out7,
    c_intermed0,
    c_intermed1,
    c_intermed2,
    c_intermed3,
    c_intermed4,
    c_intermed5,
    c_intermed6,
    c_intermed7,
};

namespace constants
{

constexpr uint32_t TILE_HEIGHT = 32;
constexpr uint32_t TILE_WIDTH = 32;
constexpr uint32_t TILE_HW = 1024;
constexpr uint32_t FACE_HEIGHT = 16;
constexpr uint32_t FACE_WIDTH = 16;
constexpr uint32_t FACE_HW = 256;

}  // namespace constants

}  // namespace tt

enum class ProgrammableCoreType : uint32_t { TENSIX, ACTIVE_ETH, IDLE_ETH };

// Places in every core's L1, and of logical core 0, 0 on the NoCs.
constexpr uint32_t MEM_ZEROS_BASE = 13312;
constexpr uint32_t MEM_ZEROS_SIZE = 512;
constexpr uint32_t VIRTUAL_TENSIX_START_X = 18;
constexpr uint32_t VIRTUAL_TENSIX_START_Y = 18;

constexpr uint32_t VALID = 1;
constexpr uint32_t INVALID = 0;
constexpr uint32_t NUM_CIRCULAR_BUFFERS = 32;
constexpr uint32_t L1_ALIGNMENT = 16;
constexpr uint32_t DRAM_ALIGNMENT = 32;
#ifndef NUM_NOCS
#define NUM_NOCS 2
#endif
