// Kinds of chips.
#pragma once

#include <umd/device/types/arch.hpp>
