/* The error domain of the simulation engine. */
#include "sim/error.h"

#include <stdarg.h>

bool sim_fail(GError **error, GQuark domain, int code, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    g_propagate_error(error, g_error_new_valist(domain, code, format, arguments));
    va_end(arguments);
    return false;
}

G_DEFINE_QUARK(sim_error_quark, sim_error)
