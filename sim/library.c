/* Loads shared libraries and finds their functions. */
#include "sim/library.h"

#include <dlfcn.h>
#include <string.h>

#include "sim/error.h"

#ifdef GRIDLOOM_SANITIZE
/* The leak sanitizer crashes when it follows the threads of a library loaded late. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "intercept_tls_get_addr=0";
}
#endif

static bool fail(const SimLibrary *library, GError **error)
{
    g_set_error(error, SIM_ERROR, SIM_ERROR_LIBRARY,
                "%s cannot be loaded, %s; %s is looked for in LD_LIBRARY_PATH and the "
                "system's folders, and Debian's package %s has it",
                library->title, dlerror(), library->file, library->package);
    return false;
}

bool sim_library_open(const SimLibrary *library, GError **error)
{
    gpointer handle = dlopen(library->file, RTLD_LAZY | RTLD_LOCAL);
    if (handle == NULL) {
        return fail(library, error);
    }
    for (gsize i = 0; i < library->symbol_count; i++) {
        const SimSymbol *symbol = &library->symbols[i];
        gpointer function = dlsym(handle, symbol->name);
        if (function == NULL) {
            return fail(library, error);
        }
        /* C has no cast from a pointer to data to a pointer to a function. */
        memcpy(symbol->place, &function, sizeof function);
    }
    return true;
}
