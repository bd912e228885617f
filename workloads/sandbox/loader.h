/* A script file, run once in a sandbox of its own. */
#pragma once

#include <glib.h>

#include "workloads/sandbox/sandbox.h"

/* What the file returned is the only value on the state's stack. `open`, if there, is
 * called before. Fails as source_read(), sandbox_compile() and sandbox_call() do. */
WlSandbox *loader_open(const char *path,
                       const WlSandboxConfig *config,
                       lua_CFunction open,
                       GError **error);
