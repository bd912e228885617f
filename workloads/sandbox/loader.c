/* A script file, run once in a sandbox of its own. */
#include "workloads/sandbox/loader.h"

#include "workloads/sandbox/source.h"

WlSandbox *loader_open(const char *path,
                       const WlSandboxConfig *config,
                       lua_CFunction open,
                       GError **error)
{
    g_autoptr(GBytes) text = source_read(path, path, error);
    if (text == NULL) {
        return NULL;
    }
    g_autoptr(WlSandbox) sandbox = sandbox_new(path, config, error);
    if (sandbox == NULL) {
        return NULL;
    }
    lua_State *L = sandbox_state(sandbox);
    if (open != NULL) {
        lua_pushcfunction(L, open);
        if (!sandbox_call(L, 0, 0, error)) {
            return NULL;
        }
    }
    if (!sandbox_compile(L, path, text, error) || !sandbox_call(L, 0, 1, error)) {
        return NULL;
    }
    return g_steal_pointer(&sandbox);
}
