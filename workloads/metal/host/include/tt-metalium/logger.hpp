// Lines of the log, by their older name.
#pragma once

#include <tt-logger/tt-logger.hpp>
