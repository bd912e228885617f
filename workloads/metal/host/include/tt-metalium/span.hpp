// A view of values.
#pragma once

#include <tt_stl/span.hpp>
