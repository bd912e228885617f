// Formatters for the types of this library.
#pragma once

#include <gridloom/format.hpp>
