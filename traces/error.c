/* The error domain of traces and results. */
#include "traces/error.h"

G_DEFINE_QUARK(trace_error_quark, trace_error)
