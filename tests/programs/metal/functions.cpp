// Functions of the SFPU on BF16 numbers, one after another.
#include "frame.hpp"

int main()
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
         [&](uint32_t i) { return std::min(1.0F, std::max(0.0F, x(i) / 6.0F + 0.5F)); }},
        {"softsign_tile", 0.004F, [&](uint32_t i) { return x(i) / (1.0F + std::abs(x(i))); }},
        {"trunc_tile", 0, [&](uint32_t i) { return std::trunc(x(i)); }},
        {"logical_not_tile", 0, [&](uint32_t i) { return x(i) == 0.0F ? 1.0F : 0.0F; }},
        {"signbit_tile", 0, [&](uint32_t i) { return x(i) < 0 ? 1.0F : 0.0F; }},
        {"isfinite_tile", 0, [](uint32_t) { return 1.0F; }},
        {"leaky_relu_tile", 0, [&](uint32_t i) { return x(i) < 0 ? x(i) / 2 : x(i); }},
        {"relu_max_tile", 0, [&](uint32_t i) { return std::min(1.0F, std::max(0.0F, x(i))); }},
        {"elu_tile", 0.004F, [&](uint32_t i) { return x(i) < 0 ? expm1(i) / 2 : x(i); }},
        {"unary_gt_tile", 0, [&](uint32_t i) { return x(i) > 0.5F ? 1.0F : 0.0F; }},
        {"unary_le_tile", 0, [&](uint32_t i) { return x(i) <= 0.5F ? 1.0F : 0.0F; }},
        {"rdiv_tile", 0.004F, [&](uint32_t i) { return 0.5F / x(i); }},
        {"power_tile", 0.004F, [&](uint32_t i) { return x(i) * x(i) * x(i); }},
        {"hardtanh_tile", 0, [&](uint32_t i) { return std::min(1.0F, std::max(-1.0F, x(i))); }},
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
    const auto out = run(
        Trial{.kernel = "kernels/functions.cpp", .tiles_out = static_cast<uint32_t>(rows.size())}, in);

    return compare(out, rows) ? 0 : 1;
}
