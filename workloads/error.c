/* The error domain of the workload scripts. */
#include "workloads/error.h"

#include <stdarg.h>

bool wl_refuse(GError **error, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    g_propagate_error(error,
                      g_error_new_valist(WL_ERROR, WL_ERROR_SYNTAX, format, arguments));
    va_end(arguments);
    return false;
}

G_DEFINE_QUARK(wl_error_quark, wl_error)
