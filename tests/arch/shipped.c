/* Loads files of arch/chips. */
#include "tests/arch/shipped.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

ArchParams *shipped_params(const char *name)
{
    g_autofree char *path =
        g_strdup_printf("%s/arch/chips/%s.ini", GRIDLOOM_SOURCE_DIR, name);
    g_autoptr(GError) error = NULL;
    ArchParams *params = arch_params_load(path, &error);

    if (error != NULL) {
        print_error("%s\n", error->message);
    }
    assert_non_null(params);
    return params;
}

ArchParams *shipped_params_with(const char *name, const char *const *changes)
{
    ArchParams *params = shipped_params(name);

    for (; changes != NULL && *changes != NULL; changes++) {
        g_autoptr(GError) error = NULL;

        if (!arch_params_override(params, *changes, &error)) {
            fail_msg("%s", error->message);
        }
    }
    return params;
}
