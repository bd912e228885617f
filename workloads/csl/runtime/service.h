/* Serves host programs of CSL: what they ask for, one request after another. */
#pragma once

#include "workloads/sandbox/api.h"

/* host.serve_csl(): works for the host program until it has ended. */
extern const ApiCall csl_functions[];
