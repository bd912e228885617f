/* Text from values, in the way that fmt writes it. */
#pragma once

#include <gridloom/format.hpp>
