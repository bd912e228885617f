// Vectors of numbers of 16 bits.
#include <algorithm>
#include <cstdlib>
#include <tt-metalium/bfloat16.hpp>

std::ostream &operator<<(std::ostream &stream, const bfloat16 &value)
{
    return stream << value.to_uint16();
}

std::uint32_t pack_two_bfloat16_into_uint32(std::pair<bfloat16, bfloat16> two)
{
    return static_cast<std::uint32_t>(two.first.to_uint16()) |
           static_cast<std::uint32_t>(two.second.to_uint16()) << 16;
}

std::pair<bfloat16, bfloat16> unpack_two_bfloat16_from_uint32(std::uint32_t packed)
{
    return {bfloat16::from_bits(static_cast<std::uint16_t>(packed)),
            bfloat16::from_bits(static_cast<std::uint16_t>(packed >> 16))};
}

std::vector<bfloat16> create_random_vector_of_bfloat16_native(std::size_t bytes,
                                                              float most,
                                                              int seed,
                                                              float offset)
{
    std::mt19937 engine(static_cast<std::mt19937::result_type>(seed));
    std::uniform_real_distribution<float> numbers(0.0F, most);
    std::vector<bfloat16> values(bytes / sizeof(bfloat16));

    for (bfloat16 &value : values) {
        value = bfloat16(numbers(engine) + offset);
    }
    return values;
}

std::vector<std::uint32_t>
create_random_vector_of_bfloat16(std::size_t bytes, int most, int seed, float offset)
{
    return pack_bfloat16_vec_into_uint32_vec(create_random_vector_of_bfloat16_native(
        bytes, static_cast<float>(most), seed, offset));
}

std::vector<std::uint32_t> create_constant_vector_of_bfloat16(std::size_t bytes,
                                                              float value)
{
    return std::vector<std::uint32_t>(
        bytes / sizeof(std::uint32_t),
        pack_two_bfloat16_into_uint32({bfloat16(value), bfloat16(value)}));
}

std::vector<bfloat16> create_identity_matrix(int rows, int columns, int ones)
{
    std::vector<bfloat16> matrix(static_cast<std::size_t>(rows) *
                                     static_cast<std::size_t>(columns),
                                 bfloat16(0.0F));

    for (int i = 0; i < std::min({rows, columns, ones}); ++i) {
        matrix[static_cast<std::size_t>(i) * static_cast<std::size_t>(columns + 1)] =
            1.0F;
    }
    return matrix;
}

std::vector<std::uint32_t>
pack_bfloat16_vec_into_uint32_vec(const std::vector<bfloat16> &values)
{
    std::vector<std::uint32_t> packed;

    for (std::size_t i = 0; i + 1 < values.size(); i += 2) {
        packed.push_back(pack_two_bfloat16_into_uint32({values[i], values[i + 1]}));
    }
    return packed;
}

bfloat16 bfloat16_identity_transform(const bfloat16 &value)
{
    return value;
}

std::vector<bfloat16> unpack_uint32_vec_into_bfloat16_vec(
    const std::vector<std::uint32_t> &packed,
    const std::function<bfloat16(const bfloat16 &)> &transform)
{
    std::vector<bfloat16> values;

    for (const std::uint32_t word : packed) {
        const auto two = unpack_two_bfloat16_from_uint32(word);
        values.push_back(transform(two.first));
        values.push_back(transform(two.second));
    }
    return values;
}

bool equal_within_n_sig_figs(float a, float b, int figures)
{
    const float power = std::pow(10.0F, static_cast<float>(figures - 1));
    const float size = std::pow(10.0F, std::floor(std::log10(std::abs(a))));

    return a == b || std::round(a / size * power) == std::round(b / size * power);
}

bool is_close(float a, float b, float relative, float absolute)
{
    const float difference = std::abs(a - b);

    return difference <= absolute ||
           difference <= relative * std::max(std::abs(a), std::abs(b));
}

bool packed_uint32_t_vector_comparison(
    const std::vector<std::uint32_t> &a,
    const std::vector<std::uint32_t> &b,
    const std::function<bool(float, float)> &is_alike,
    int *failed_at)
{
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        const auto one = unpack_two_bfloat16_from_uint32(a[i]);
        const auto two = unpack_two_bfloat16_from_uint32(b[i]);
        if (!is_alike(one.first, two.first) || !is_alike(one.second, two.second)) {
            if (failed_at) {
                *failed_at = static_cast<int>(i);
            }
            return false;
        }
    }
    return a.size() == b.size();
}
