/* Reasons why something could not be written or read. */
#pragma once

#include "sim/error.h"

#define TRACE_ERROR (trace_error_quark())

typedef enum {
    TRACE_ERROR_WRITE, /* a file that cannot be written */
    TRACE_ERROR_READ,  /* a file that cannot be read, or holds what it must not */
    TRACE_ERROR_LACKS, /* a run that does not have what was asked of it */
} TraceError;

GQuark trace_error_quark(void);

/* Sets a TRACE_ERROR_READ; returns false. */
bool trace_refuse(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);
