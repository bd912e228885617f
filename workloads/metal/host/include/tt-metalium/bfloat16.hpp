// Numbers of 16 bits with the exponent of a float, and vectors of them.
#pragma once

#include <bit>
#include <cmath>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <iostream>
#include <random>
#include <type_traits>
#include <utility>
#include <vector>

class bfloat16
{
  public:
    constexpr bfloat16() = default;
    template <typename T>
    requires std::is_arithmetic_v<T>
    constexpr bfloat16(T value) noexcept : bits_(rounded(static_cast<float>(value)))
    {
    }
    // Cuts the lower half of the float off.
    static constexpr bfloat16 truncate(float value)
    {
        return from_bits(
            static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16));
    }
    static constexpr bfloat16 from_bits(std::uint16_t bits)
    {
        return std::bit_cast<bfloat16>(bits);
    }

    constexpr operator float() const
    {
        return std::bit_cast<float>(static_cast<std::uint32_t>(bits_) << 16);
    }
    constexpr std::uint16_t to_uint16() const
    {
        return bits_;
    }
    constexpr std::uint32_t to_packed() const
    {
        return bits_;
    }
    constexpr float to_float() const
    {
        return *this;
    }

    constexpr bool operator==(bfloat16 other) const
    {
        return static_cast<float>(*this) == static_cast<float>(other);
    }
    constexpr std::partial_ordering operator<=>(bfloat16 other) const
    {
        return static_cast<float>(*this) <=> static_cast<float>(other);
    }
    constexpr bfloat16 operator+(bfloat16 other) const
    {
        return static_cast<float>(*this) + static_cast<float>(other);
    }
    constexpr bfloat16 operator-(bfloat16 other) const
    {
        return static_cast<float>(*this) - static_cast<float>(other);
    }
    constexpr bfloat16 operator*(bfloat16 other) const
    {
        return static_cast<float>(*this) * static_cast<float>(other);
    }
    constexpr bfloat16 operator/(bfloat16 other) const
    {
        return static_cast<float>(*this) / static_cast<float>(other);
    }
    constexpr bfloat16 &operator+=(bfloat16 other)
    {
        return *this = *this + other;
    }
    constexpr bfloat16 &operator-=(bfloat16 other)
    {
        return *this = *this - other;
    }
    constexpr bfloat16 &operator*=(bfloat16 other)
    {
        return *this = *this * other;
    }
    constexpr bfloat16 &operator/=(bfloat16 other)
    {
        return *this = *this / other;
    }

  private:
    // To the nearest, and between two of them to the even one.
    static constexpr std::uint16_t rounded(float value)
    {
        const auto bits = std::bit_cast<std::uint32_t>(value);

        if (value != value) {
            return 0x7FC0;
        }
        return static_cast<std::uint16_t>((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16);
    }

    std::uint16_t bits_;
};
static_assert(sizeof(bfloat16) == 2);

// Prints the bits as a number.
std::ostream &operator<<(std::ostream &stream, const bfloat16 &value);

// The first of the two is the lower half.
std::uint32_t pack_two_bfloat16_into_uint32(std::pair<bfloat16, bfloat16> two);
std::pair<bfloat16, bfloat16> unpack_two_bfloat16_from_uint32(std::uint32_t packed);

// Uniform from 0 to `most`, plus `offset`.
std::vector<bfloat16> create_random_vector_of_bfloat16_native(std::size_t bytes,
                                                              float most,
                                                              int seed,
                                                              float offset = 0.0F);
std::vector<std::uint32_t> create_random_vector_of_bfloat16(std::size_t bytes,
                                                            int most,
                                                            int seed,
                                                            float offset = 0.0F);
std::vector<std::uint32_t> create_constant_vector_of_bfloat16(std::size_t bytes,
                                                              float value);
std::vector<bfloat16> create_identity_matrix(int rows, int columns, int ones);

std::vector<std::uint32_t>
pack_bfloat16_vec_into_uint32_vec(const std::vector<bfloat16> &values);
bfloat16 bfloat16_identity_transform(const bfloat16 &value);
std::vector<bfloat16> unpack_uint32_vec_into_bfloat16_vec(
    const std::vector<std::uint32_t> &packed,
    const std::function<bfloat16(const bfloat16 &)> &transform =
        bfloat16_identity_transform);

bool equal_within_n_sig_figs(float a, float b, int figures);
bool is_close(float a, float b, float relative = 0.01F, float absolute = 0.001F);
bool packed_uint32_t_vector_comparison(
    const std::vector<std::uint32_t> &a,
    const std::vector<std::uint32_t> &b,
    const std::function<bool(float, float)> &is_alike,
    int *failed_at = nullptr);
