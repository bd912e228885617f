/* Members of results by their paths: traces has them. */
#pragma once

#include "traces/suite/member.h"
