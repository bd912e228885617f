/* Reasons why something could not be written or read. */
#pragma once

#include <glib.h>

#define TRACE_ERROR (trace_error_quark())

typedef enum {
    TRACE_ERROR_WRITE, /* a file that cannot be written */
    TRACE_ERROR_READ,  /* a file that cannot be read, or holds what it must not */
    TRACE_ERROR_LACKS, /* a run that does not have what was asked of it */
} TraceError;

GQuark trace_error_quark(void);
