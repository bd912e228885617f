/* The error domain of the hardware models. */
#include "arch/error.h"

#include <stdarg.h>

bool arch_refuse(GError **error, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    g_propagate_error(
        error, g_error_new_valist(ARCH_ERROR, ARCH_ERROR_INVALID, format, arguments));
    va_end(arguments);
    return false;
}

G_DEFINE_QUARK(arch_error_quark, arch_error)
