/* Numbers as people read them: traces has them, for pictures too. */
#pragma once

#include "traces/file/quantity.h"
