/* The error domain of the workload scripts. */
#include "workloads/error.h"

G_DEFINE_QUARK(wl_error_quark, wl_error)
