// The number of a chip.
#pragma once

using ChipId = int;
using chip_id_t = int;

namespace tt
{
using ChipId = ::ChipId;
}  // namespace tt
