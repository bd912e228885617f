/* What compilers say of programs and kernels. */
#pragma once

#include <stdbool.h>

#include <glib.h>

/* Fails with WL_ERROR_SYNTAX and the compiler's `words`. If those name something that
 * is not there, `page` is said to list what is. Returns false. */
bool metal_complaint(const char *what,
                     const char *words,
                     const char *page,
                     GError **error);
