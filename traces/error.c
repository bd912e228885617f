/* The error domain of traces and results. */
#include "traces/error.h"

#include <stdarg.h>

bool trace_refuse(GError **error, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    g_propagate_error(
        error, g_error_new_valist(TRACE_ERROR, TRACE_ERROR_READ, format, arguments));
    va_end(arguments);
    return false;
}

G_DEFINE_QUARK(trace_error_quark, trace_error)
