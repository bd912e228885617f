/* What hosts can do beside the functions of chip families. */
#include "workloads/csl/runtime/service.h"
#include "workloads/host/family.h"
#include "workloads/metal/service.h"

const ApiCall *const host_services[] = {metal_functions, csl_functions, NULL};
