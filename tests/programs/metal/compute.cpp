// What compute kernels can do with tiles, a group in each kernel: functions of the
// SFPU, SFPI code, rows and tiles, integers. With names of groups, only those are
// tried.
#include <bit>

#include "frame.hpp"

static bool try_functions()
{
    std::vector<bfloat16> in(3 * TILE);

    for (uint32_t i = 0; i < TILE; ++i) {
        in[i] = bfloat16(static_cast<float>(i % 97) / 16.0F - 3.03125F);
        in[TILE + i] = bfloat16(static_cast<float>(i % 31) / 8.0F + 0.25F);
        in[2 * TILE + i] = bfloat16(static_cast<float>(i % 3 != 0));
    }
    const auto x = [&](uint32_t i) { return static_cast<float>(in[i]); };
    const auto y = [&](uint32_t i) { return static_cast<float>(in[TILE + i]); };
    const auto z = [&](uint32_t i) { return static_cast<float>(in[2 * TILE + i]); };
    const auto expm1 = [&](uint32_t i) { return std::expm1(x(i)); };
    const std::vector<Row> rows = {
        {"sin_tile", 0.004F, [&](uint32_t i) { return std::sin(x(i)); }},
        {"cos_tile", 0.004F, [&](uint32_t i) { return std::cos(x(i)); }},
        {"expm1_tile", 0.004F, expm1},
        {"sinh_tile", 0.004F, [&](uint32_t i) { return std::sinh(x(i)); }},
        {"hardsigmoid_tile", 0.004F,
         [&](uint32_t i) {
             return std::min(1.0F, std::max(0.0F, x(i) / 6.0F + 0.5F));
         }},
        {"softsign_tile", 0.004F,
         [&](uint32_t i) { return x(i) / (1.0F + std::abs(x(i))); }},
        {"trunc_tile", 0, [&](uint32_t i) { return std::trunc(x(i)); }},
        {"logical_not_tile", 0, [&](uint32_t i) { return x(i) == 0.0F ? 1.0F : 0.0F; }},
        {"signbit_tile", 0, [&](uint32_t i) { return x(i) < 0 ? 1.0F : 0.0F; }},
        {"isfinite_tile", 0, [](uint32_t) { return 1.0F; }},
        {"leaky_relu_tile", 0, [&](uint32_t i) { return x(i) < 0 ? x(i) / 2 : x(i); }},
        {"relu_max_tile", 0,
         [&](uint32_t i) { return std::min(1.0F, std::max(0.0F, x(i))); }},
        {"elu_tile", 0.004F,
         [&](uint32_t i) { return x(i) < 0 ? expm1(i) / 2 : x(i); }},
        {"unary_gt_tile", 0, [&](uint32_t i) { return x(i) > 0.5F ? 1.0F : 0.0F; }},
        {"unary_le_tile", 0, [&](uint32_t i) { return x(i) <= 0.5F ? 1.0F : 0.0F; }},
        {"rdiv_tile", 0.004F, [&](uint32_t i) { return 0.5F / x(i); }},
        {"power_tile", 0.004F, [&](uint32_t i) { return x(i) * x(i) * x(i); }},
        {"hardtanh_tile", 0,
         [&](uint32_t i) { return std::min(1.0F, std::max(-1.0F, x(i))); }},
        {"add_binary_tile", 0.008F, [&](uint32_t i) { return x(i) + y(i); }},
        {"sub_binary_tile", 0.008F, [&](uint32_t i) { return x(i) - y(i); }},
        {"mul_binary_tile", 0.004F, [&](uint32_t i) { return x(i) * y(i); }},
        {"div_binary_tile", 0.008F, [&](uint32_t i) { return x(i) / y(i); }},
        {"binary_max_tile", 0, [&](uint32_t i) { return std::max(x(i), y(i)); }},
        {"lt_binary_tile", 0, [&](uint32_t i) { return x(i) < y(i) ? 1.0F : 0.0F; }},
        {"ge_binary_tile", 0, [&](uint32_t i) { return x(i) >= y(i) ? 1.0F : 0.0F; }},
        {"mask_tile", 0, [&](uint32_t i) { return z(i) == 0 ? 0.0F : x(i); }},
        {"where_tile", 0, [&](uint32_t i) { return z(i) == 0 ? y(i) : x(i); }},
        {"addcmul_tile", 0.004F, [&](uint32_t i) { return x(i) + 0.5F * y(i) * z(i); }},
        {"log1p_tile", 0.004F, [&](uint32_t i) { return std::log1p(std::abs(x(i))); }},
    };
    const auto out = run(Trial{.kernel = "kernels/functions.cpp",
                               .tiles_out = static_cast<uint32_t>(rows.size())},
                         in);

    return compare(out, rows);
}

// The place of a number in a tile: four faces of 16 x 16.
static uint32_t index_of(uint32_t row, uint32_t column)
{
    return row / 16 * 512 + column / 16 * 256 + row % 16 * 16 + column % 16;
}

static uint32_t row_of(uint32_t index)
{
    return index / 512 * 16 + index / 16 % 16;
}

static uint32_t column_of(uint32_t index)
{
    return index / 256 % 2 * 16 + index % 16;
}

static bool try_vectors()
{
    std::vector<bfloat16> in(2 * TILE);

    for (uint32_t i = 0; i < TILE; ++i) {
        in[i] = bfloat16(static_cast<float>(i % 101) / 16.0F - 3.0F);
        in[TILE + i] =
            bfloat16(static_cast<float>(i % 13 + 1) * (i % 2 == 0 ? 0.25F : -8.0F));
    }
    const auto x = [&](uint32_t i) { return static_cast<float>(in[i]); };
    const auto y = [&](uint32_t i) { return static_cast<float>(in[TILE + i]); };
    const auto mantissa = [&](uint32_t i) {
        return std::abs(y(i)) / std::exp2(std::floor(std::log2(std::abs(y(i)))));
    };
    const std::vector<Row> rows = {
        {"pieces", 0.008F,
         [&](uint32_t i) {
             if (x(i) < -1) {
                 return x(i) < -2 ? -4.0F : 2 * x(i);
             }
             return x(i) > 1 && x(i) < 2 ? 0.5F * x(i) + 1 : std::abs(x(i));
         }},
        {"parts", 0.02F,
         [&](uint32_t i) {
             return mantissa(i) + std::floor(std::log2(std::abs(y(i))));
         }},
        {"parts of two faces", 0,
         [&](uint32_t i) { return i < TILE / 2 ? mantissa(i) : x(i); }},
        {"lanes", 0,
         [&](uint32_t i) {
             const uint32_t lane = i / 16 % 4 * 8 + i % 16 / 2;

             return i / 256 % 2 == 0 ? 2.0F * static_cast<float>(lane) : x(i);
         }},
        {"bits", 0,
         [&](uint32_t i) {
             const uint32_t bits = std::bit_cast<uint32_t>(x(i)) >> 16 & 0x7f;

             return static_cast<float>(
                 bits >= 64 || bits == 0 ? (bits >> 2) ^ 1 : std::countl_zero(bits));
         }},
    };

    return compare(run(Trial{.kernel = "kernels/vectors.cpp", .tiles_out = 5}, in),
                   rows);
}

static bool try_rows()
{
    std::vector<bfloat16> in(3 * TILE);

    for (uint32_t i = 0; i < TILE; ++i) {
        in[i] = bfloat16(static_cast<float>(i * 7 % 23) - 11.0F);
        in[TILE + i] = bfloat16(static_cast<float>(i * 5 % 17) - 20.0F);
        in[2 * TILE + i] = bfloat16(1.0F);
    }
    const auto x = [&](uint32_t i) { return static_cast<float>(in[i]); };
    const auto y = [&](uint32_t i) { return static_cast<float>(in[TILE + i]); };
    // Numbers of two tiles, which lie as rows of 64; and two tiles as such rows.
    const auto in_rows = [&](uint32_t tile) {
        return [&in, tile](uint32_t i) {
            return static_cast<float>(in[row_of(i) * 64 + tile * 32 + column_of(i)]);
        };
    };
    const auto in_tiles = [&](uint32_t half) {
        return [&in, half](uint32_t i) {
            const uint32_t place = half * TILE + i;

            return static_cast<float>(
                in[place % 64 / 32 * TILE + index_of(place / 64, place % 32)]);
        };
    };
    // A row of ones times a matrix that is transposed: sums of its rows.
    const auto sums = [&](uint32_t tile) {
        return [&in, tile](uint32_t i) {
            float sum = 0;

            for (uint32_t k = 0; k < 32; ++k) {
                sum += static_cast<float>(in[tile * TILE + index_of(column_of(i), k)]);
            }
            return sum;
        };
    };
    const std::vector<Row> rows = {
        {"tilize_block", 0, in_rows(0)},
        {"tilize_block, second tile", 0, in_rows(1)},
        {"untilize_block", 0, in_tiles(0)},
        {"untilize_block, lower half", 0, in_tiles(1)},
        {"pack_untilize_block", 0, in_tiles(0)},
        {"pack_untilize_block, lower half", 0, in_tiles(1)},
        {"sub_reuse_dest_tiles", 0, [&](uint32_t i) { return x(i) - y(i); }},
        {"sub_reuse_dest_tiles, from the right", 0,
         [&](uint32_t i) { return y(i) - x(i); }},
        {"mul_reuse_dest_tiles", 0, [&](uint32_t i) { return x(i) * y(i); }},
        {"unary_bcast", 0, [&](uint32_t i) { return x(index_of(row_of(i), 0)); }},
        {"matmul_tiles, transposed", 0.01F, sums(1)},
        {"matmul_block, transposed", 0.01F, sums(0)},
        {"reduce_tile, greatest of rows", 0,
         [&](uint32_t i) {
             float most = -100;

             for (uint32_t k = 0; k < 32; ++k) {
                 most = std::max(most, y(index_of(row_of(i), k)));
             }
             return column_of(i) == 0 ? most : 0.0F;
         }},
        {"transpose_dest", 0,
         [&](uint32_t i) { return x(index_of(column_of(i), row_of(i))); }},
        {"add_tiles into Dst", 0, [&](uint32_t i) { return x(i) + y(i) + x(i) + 1; }},
    };

    return compare(run(Trial{.kernel = "kernels/rows.cpp", .tiles_out = 15}, in), rows);
}

static bool try_integers()
{
    std::vector<int32_t> in(2 * TILE);

    for (uint32_t i = 0; i < TILE; ++i) {
        in[i] = static_cast<int32_t>(i) * 31 - 9000;
        in[TILE + i] = static_cast<int32_t>(i) % 77 * 3;
    }
    const std::vector<int32_t> out = run(Trial{.kernel = "kernels/integers.cpp",
                                               .format = tt::DataFormat::Int32,
                                               .tiles_out = 7},
                                         in);
    bool is_right = out.size() == 7 * TILE;

    for (uint32_t i = 0; is_right && i < TILE; ++i) {
        const int32_t a = in[i];
        const int32_t b = in[TILE + i];
        const int32_t wanted[] = {a + b, a - b, a * b, a ^ b, b << 5, a & 0xff0, 2 * a};

        for (uint32_t k = 0; k < 7; ++k) {
            if (out[k * TILE + i] != wanted[k]) {
                fmt::print("integers {}: number {} is {}, not {}\n", k, i,
                           out[k * TILE + i], wanted[k]);
                is_right = false;
            }
        }
    }
    return is_right;
}

int main(int argc, char **argv)
{
    const std::vector<std::pair<std::string, bool (*)()>> groups = {
        {"functions", try_functions},
        {"vectors", try_vectors},
        {"rows", try_rows},
        {"integers", try_integers}};
    bool is_right = true;

    for (const auto &[name, try_group] : groups) {
        bool is_asked = argc == 1;

        for (int i = 1; i < argc; ++i) {
            is_asked = is_asked || name == argv[i];
        }
        if (is_asked && !try_group()) {
            fmt::print("{}: wrong\n", name);
            is_right = false;
        }
    }
    fmt::print("{}\n", is_right ? "Test Passed" : "Test FAILED");
    return is_right ? 0 : 1;
}
