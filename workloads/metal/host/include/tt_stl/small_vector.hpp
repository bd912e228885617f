// A vector; upstream's keeps few elements in place.
#pragma once

#include <cstddef>
#include <vector>

namespace ttsl
{
template <typename T, std::size_t in_place = 8> using SmallVector = std::vector<T>;
}  // namespace ttsl

namespace tt::stl
{
using ttsl::SmallVector;
}  // namespace tt::stl
