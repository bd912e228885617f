// Vectors of BF16 or FP32 numbers on the host, and the words of a command line.
#pragma once

#include <bit>
#include <cmath>
#include <map>
#include <stdexcept>
#include <string>
#include <tt-metalium/tt_backend_api_types.hpp>
#include <vector>

// The nearest number of the format, ties to even; FP32 in its own bits, BF16 in the
// upper half.
inline float rounded(double value, tt::DataFormat format)
{
    int exponent = 0;

    if (format == tt::DataFormat::Float32 || value == 0.0) {
        return static_cast<float>(value);
    }
    const double fraction = std::frexp(value, &exponent);
    return static_cast<float>(
        std::ldexp(std::nearbyint(std::ldexp(fraction, 8)), exponent - 8));
}

// Numbers from -1 to 1 that follow from the seed alone, as `gridloom run` makes them.
inline std::vector<float>
random_numbers(std::size_t count, std::uint64_t seed, tt::DataFormat format)
{
    std::vector<float> numbers(count);

    for (float &number : numbers) {
        seed = seed * 6364136223846793005U + 1442695040888963407U;
        number =
            rounded(-1.0 + static_cast<double>(seed >> 11) * 0x1p-53 * 2.0, format);
    }
    return numbers;
}

// As they lie in memory: two of BF16 in a word.
inline std::vector<std::uint32_t> packed(const std::vector<float> &numbers,
                                         tt::DataFormat format)
{
    std::vector<std::uint32_t> words;

    if (format == tt::DataFormat::Float32) {
        for (float number : numbers) {
            words.push_back(std::bit_cast<std::uint32_t>(number));
        }
        return words;
    }
    for (std::size_t i = 0; i + 1 < numbers.size(); i += 2) {
        words.push_back(std::bit_cast<std::uint32_t>(numbers[i]) >> 16 |
                        (std::bit_cast<std::uint32_t>(numbers[i + 1]) & 0xffff0000U));
    }
    return words;
}

inline std::vector<float> unpacked(const std::vector<std::uint32_t> &words,
                                   tt::DataFormat format)
{
    std::vector<float> numbers;

    for (std::uint32_t word : words) {
        if (format == tt::DataFormat::Float32) {
            numbers.push_back(std::bit_cast<float>(word));
        } else {
            numbers.push_back(std::bit_cast<float>(word << 16));
            numbers.push_back(std::bit_cast<float>(word & 0xffff0000U));
        }
    }
    return numbers;
}

// name=value words, with defaults; others are refused.
class Words
{
  public:
    Words(int count, char **words, std::map<std::string, std::string> defaults)
        : values(std::move(defaults))
    {
        for (int i = 1; i < count; ++i) {
            const std::string word = words[i];
            const std::size_t equals = word.find('=');
            const auto known = values.find(word.substr(0, equals));
            if (equals == std::string::npos || known == values.end()) {
                throw std::invalid_argument("no word of this program: " + word);
            }
            known->second = word.substr(equals + 1);
        }
    }
    const std::string &operator[](const std::string &name) const
    {
        return values.at(name);
    }
    std::uint32_t number(const std::string &name) const
    {
        return static_cast<std::uint32_t>(std::stoul(values.at(name)));
    }

  private:
    std::map<std::string, std::string> values;
};
