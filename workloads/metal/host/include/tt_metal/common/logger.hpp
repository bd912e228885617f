// The log, by its older name.
#pragma once

#include <tt-logger/tt-logger.hpp>
