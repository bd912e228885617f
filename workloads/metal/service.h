/* Serves a host program: what it asks for, one request after another. */
#pragma once

#include "workloads/sandbox/api.h"

/* host.serve(): works for the host program until it has ended. A list of { name =,
 * cycles =, seconds = } for its launches. */
extern const ApiCall metal_functions[];
