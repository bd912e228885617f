// Times of kernels.
#pragma once

#include <tt-metalium/tt_metal.hpp>
